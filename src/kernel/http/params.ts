/** Parameters of paths and query strings that are not only texts: ids, UUIDs, booleans and lists. */
import * as z from 'zod'
import { notFound } from '../errors.ts'
import { booleanOf, booleanTexts } from '../lib/boolean-text.ts'
import { isUuid } from '../lib/is-uuid.ts'

/** Parses a numeric id. Throws 404 for any other text. */
export function parseId(text: string): number {
  if (!/^[1-9]\d{0,14}$/.test(text)) throw notFound()
  return Number(text)
}

/** Returns the text if it is a UUID. Throws 404 for any other text. */
export function parseUuid(text: string): string {
  if (!isUuid(text)) throw notFound()
  return text
}

/** A query parameter that is `true` or `false`, or another text of these. W10 */
export const booleanParam = z
  .enum(booleanTexts, 'Must be true or false.')
  .transform((text) => booleanOf(text) === true)
  .meta({ type: 'boolean' })

/**
 * A query parameter with several values: separated by commas, or in several parameters of the same name. The
 * handler splits the values.
 */
export const listParam = (description: string) =>
  z.union([z.string(), z.array(z.string())]).meta({ type: 'array', items: { type: 'string' }, description })

/** Tells whether a parameter may occur several times in a query string. */
export const isRepeatable = (parameter: z.ZodType): boolean => {
  const type = parameter instanceof z.ZodOptional ? (parameter.unwrap() as z.ZodType) : parameter
  return type.meta()?.type === 'array'
}

/** The filter `is_active` of a list that returns active and inactive items by default. */
export const activeFilter = {
  is_active: booleanParam.optional().meta({
    description: '`true`: only active items. `false`: only inactive items. Default: both.',
  }),
}

/**
 * The filter `is_active` of a list whose inactive items count as deleted: it returns active items by default.
 */
export const activeByDefault = {
  is_active: booleanParam.default(true).meta({
    description: '`true`: only active items (the default). `false`: only inactive items.',
  }),
}
