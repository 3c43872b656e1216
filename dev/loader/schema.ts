/**
 * Converts Table Schemas of the standard to schemas of the service, and reports ignored members with reasons.
 */
import type { Constraint } from '../../src/data/model/field-types.ts'
import { formats } from '../../src/data/model/formats.ts'
import { typeNames, typeOf } from '../../src/data/model/types.ts'
import { quoteValue } from '../../src/kernel/lib/quote-value.ts'
import { directivesOf, isFullDate, isPattern } from '../../src/kernel/lib/written/dates.ts'
import {
  datedTypes,
  lexicalFieldMembers,
  lexicalSchemaMembers,
} from '../../src/operation/transfers/archive/lexical.ts'
import { isMembers, type Members } from './descriptor.ts'
import { Refusal } from './refusal.ts'

/** Reports an ignored member: its place, and the reason. */
export type LeaveOut = (place: string, why?: string) => void

/** Members of a schema that the service supports, besides fields and keys. */
const schemaMembers = new Set([
  'uniqueKeys', 'indexes', 'checks', 'ranges', 'exclusions', 'search_fields', 'search_language', 'hierarchy',
  'graph', 'history', 'access', 'title', 'description', 'name', '$schema',
]) // biome-ignore format: a list of names
/** Members that other code reads. */
const readElsewhere = ['fields', 'primaryKey', 'foreignKeys', 'fieldsMatch']

/** Members that the loader ignores without a report. */
const readBySchema = new Set([...lexicalSchemaMembers, ...readElsewhere])
const readByField = new Set([...lexicalFieldMembers, ...readElsewhere])

/** Members of a field that the service supports, besides its name, type, format and constraints. */
const fieldMembers = new Set([
  'default', 'generated', 'title', 'description', 'example', 'examples', 'rdfType', 'categories',
  'categoriesOrdered', 'itemType',
]) // biome-ignore format: a list of names

const constraintMembers = new Set([
  'required', 'unique', 'minLength', 'maxLength', 'minimum', 'maximum', 'exclusiveMinimum',
  'exclusiveMaximum', 'pattern', 'enum', 'jsonSchema',
]) // biome-ignore format: a list of names

/** The longest texts that the service stores. */
const lengths: Record<string, number> = {
  title: 200,
  description: 2000,
  name: 200,
  $schema: 500,
  rdfType: 500,
}

/** The formats that the service knows, by type. */
const keptFormats: Record<string, readonly string[]> = {
  string: [...formats.keys()],
  geopoint: ['array', 'object'],
  geojson: ['topojson'],
}

/** Returns the members of a schema that the service accepts, without fields and keys. */
export const schemaOf = (schema: Members, leaveOut: LeaveOut): Members =>
  kept(schema, { known: schemaMembers, ignored: readBySchema }, '', leaveOut)

function kept(
  from: Members,
  { known, ignored }: Record<'known' | 'ignored', ReadonlySet<string>>,
  place: string,
  leaveOut: LeaveOut,
): Members {
  const result: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(from)) {
    if (value === null || ignored.has(name)) continue
    const max = lengths[name]
    if (!known.has(name) && !name.startsWith('x-')) leaveOut(place + name)
    else if (max !== undefined && typeof value !== 'string') leaveOut(place + name, 'it is not a text')
    else if (max !== undefined && String(value).length > max)
      leaveOut(place + name, `it has more than ${max} characters`)
    else result[name] = value
  }
  return result
}

/** Returns a field in the form of the service, under its new name. Throws a Refusal for an unknown type. */
export function fieldOf(field: Members, name: string, leaveOut: LeaveOut): Members {
  const label = String(field.name ?? name)
  const place = `field ${quoteValue(label)}: `
  const type = field.type ?? 'string'
  if (typeof type !== 'string' || !typeNames.includes(type))
    throw new Refusal(`${place}there is no type ${quoteValue(type)}. Types: ${typeNames.join(', ')}.`)
  const { format, constraints, name: _name, type: _type, ...others } = field
  const kind = { type, itemType: typeof field.itemType === 'string' ? field.itemType : undefined }
  const keptFormat = formatOf(type, format, place, leaveOut)
  return {
    name,
    type,
    ...(keptFormat === undefined ? {} : { format: keptFormat }),
    ...(name === label ? {} : { title: label }),
    ...kept(others, { known: fieldMembers, ignored: readByField }, place, leaveOut),
    ...constraintsOf(constraints, typeOf({ ...kind, format: keptFormat }).constraints, type, place, leaveOut),
  }
}

function formatOf(type: string, format: unknown, place: string, leaveOut: LeaveOut): string | undefined {
  if (typeof format !== 'string' || format === 'default') return undefined
  if (datedTypes.has(type)) {
    if (format !== 'any' && !isPattern(format.replace(/^fmt:/, '')))
      throw new Refusal(
        `${place}the format ${quoteValue(format)} is not a pattern. ` +
          'Write it with the directives of strptime, for example "%d.%m.%Y" or "%Y-%m-%dT%H:%M:%S".',
      )
    const parts = directivesOf(format)
    if (type === 'date' && format !== 'any' && !isFullDate(parts))
      throw new Refusal(
        `${place}the format ${quoteValue(format)} has no day, so it is not a date. ` +
          `Declare the type ${parts.has('m') ? '"yearmonth" (values such as 2026-01)' : '"year"'}.`,
      )
    return undefined
  }
  if (keptFormats[type]?.includes(format)) return format
  leaveOut(`${place}format ${quoteValue(format)}`, `${type} has no such format`)
  return undefined
}

function constraintsOf(
  constraints: unknown,
  allowed: ReadonlySet<Constraint>,
  type: string,
  place: string,
  leaveOut: LeaveOut,
): Members {
  if (!isMembers(constraints)) return {}
  const isAllowed = (name: string) =>
    [...allowed].some((constraint) => constraint === name) || name === 'jsonSchema' || name.startsWith('x-')
  const result: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(constraints)) {
    if (value === null) continue
    if (!constraintMembers.has(name) && !name.startsWith('x-')) leaveOut(`${place}constraints.${name}`)
    else if (!isAllowed(name))
      leaveOut(`${place}constraints.${name}`, `it does not apply to the type ${type}`)
    else result[name] = value
  }
  return Object.keys(result).length > 0 ? { constraints: result } : {}
}

/** Returns the texts that mean "no value". */
export function missingOf(members: Members, otherwise: readonly string[]): readonly string[] {
  const { missingValues } = members
  if (!Array.isArray(missingValues)) return otherwise
  return missingValues.map((value) => String(isMembers(value) ? value.value : value))
}
