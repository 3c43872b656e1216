/**
 * Makes the names in a body comparable: their case is ignored, and the URN of a schema in front is removed.
 */
import * as z from 'zod'
import { urn } from './messages.ts'

/**
 * Tells whether a name belongs to an extension. The service has no extensions, and ignores values in them.
 */
export const isOfExtension = (name: string): boolean =>
  /^urn:/i.test(name) && ![urn.user, urn.group].some((core) => isOf(name, core))

const isOf = (name: string, schema: string): boolean =>
  name.toLowerCase().startsWith(`${schema.toLowerCase()}:`)

/**
 * Returns a schema that reads the members of an object in any case. Extensions and URLs of other resources
 * (`$ref`) are left out.
 */
export const anyCase = <Schema extends z.ZodObject>(schema: Schema) =>
  z.preprocess((value) => withNames(value, Object.keys(schema.shape)), schema)

function withNames(value: unknown, names: readonly string[]): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const members = Object.entries(value)
    .filter(([name]) => name !== '$ref' && !isOfExtension(name))
    .map(([name, member]) => [nameOf(name.slice(name.lastIndexOf(':') + 1), names), member])
  return Object.fromEntries(members)
}

const nameOf = (name: string, names: readonly string[]): string =>
  names.find((known) => known.toLowerCase() === name.toLowerCase()) ?? name
