/** Parameters of a path or a query string that are no text. */
import { z } from 'zod'
import { notFound } from '../errors.ts'

/** An id: whatever is none, nothing has. */
export function numericParam(text: string): number {
  if (!/^[1-9]\d{0,14}$/.test(text)) throw notFound()
  return Number(text)
}

/** A UUID: whatever is none, nothing has. */
export function uuidParam(text: string): string {
  if (!/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)) throw notFound()
  return text
}

export const flag = z.enum(['true', 'false']).transform((value) => value === 'true')

/** Values that may be separated by commas, and come in one parameter or in several of the same name. The handler separates them. */
export const listParam = (description: string) =>
  z.union([z.string(), z.array(z.string())]).meta({ type: 'array', items: { type: 'string' }, description })

/** Whether a parameter may be given several times. */
export const isList = (parameter: z.ZodType): boolean => {
  const given = parameter instanceof z.ZodOptional ? (parameter.unwrap() as z.ZodType) : parameter
  return given.meta()?.type === 'array'
}

/** Of lists of what can be inactive: which of the two they show. */
export const activeFilter = { is_active: flag.optional().meta({ description: '`true` or `false` shows the active or the inactive ones alone.' }) }

/** The same where what is inactive counts as deleted: it is shown only where it is asked for. */
export const inactiveHidden = { is_active: flag.default(true).meta({ description: '`false` shows the inactive ones alone.' }) }
