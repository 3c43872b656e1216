/** Ranges: two fields of a record, of which one is the beginning and the other the end. D19. */
import { literal, type Sql, sql } from '../../kernel/db/sql.ts'
import type { Bounds, ExclusionSchema, RangePair } from './exclusion-form.ts'
import type { Field } from './field.ts'
import type { FieldType } from './field-types.ts'
import type { FieldSchema, TableSchema } from './schema-form.ts'
import { baseOf } from './types.ts'

/** The functions that make ranges in Postgres, by the types of their ends. */
const makers: ReadonlyMap<string, (from: Sql, to: Sql, bounds: Sql) => Sql> = new Map([
  ['datetime', (from, to, bounds) => sql`tstzrange(${from}, ${to}, ${bounds})`],
  ['date', (from, to, bounds) => sql`daterange(${from}, ${to}, ${bounds})`],
  ['number', (from, to, bounds) => sql`numrange(${from}, ${to}, ${bounds})`],
  // The range of bigint has no end after the largest number.
  ['integer', (from, to, bounds) => sql`numrange(${from}::numeric, ${to}::numeric, ${bounds})`],
])

/** The types of fields of which a range can be made. */
export const rangeTypes: readonly string[] = [...makers.keys()]

/** Tells whether a range can begin or end with a field. */
export const isRangeEnd = (field: FieldSchema): boolean => makers.has(baseOf(field))

/**
 * Returns a range as Postgres has it; null if it is out of order. An end without a value is open. Postgres
 * computes it also for records that were deleted, while an index is built, and for records yet to be checked.
 */
export function rangeSql({ schema }: Field, from: Sql, to: Sql, bounds: Bounds): Sql {
  const make = makers.get(baseOf(schema))
  if (!make) throw new TypeError(`there are no ranges of the type ${schema.type}`)
  return sql`(case when ${isInOrder(from, to)} is not false then ${make(from, to, literal(bounds))} end)`
}

type Ranged = Pick<TableSchema, 'ranges' | 'exclusions'>

/** Returns the fields that an element of an exclusion names: those of a range by its name, or as a pair. */
export const pairOf = (
  { ranges = {} }: { ranges?: Readonly<Record<string, RangePair>> | undefined },
  range: string | RangePair,
): RangePair | undefined => (typeof range === 'string' ? new Map(Object.entries(ranges)).get(range) : range)

/** Returns the pairs of fields of the ranges that an exclusion compares. */
export const pairsOf = (
  schema: Parameters<typeof pairOf>[0],
  { elements }: Pick<ExclusionSchema, 'elements'>,
): RangePair[] =>
  elements.flatMap((element) => {
    const pair = 'range' in element ? pairOf(schema, element.range) : undefined
    return pair ? [pair] : []
  })

/** Returns the pairs of fields of all ranges of a schema, each once. */
export function rangePairs(schema: Ranged): RangePair[] {
  const named = Object.values(schema.ranges ?? {})
  const used = (schema.exclusions ?? []).flatMap((exclusion) => pairsOf(schema, exclusion))
  return [...new Map([...named, ...used].map((pair): [string, RangePair] => [pair.join(), pair])).values()]
}

/** Returns the bounds of a range: those of the exclusions that use it, which are the same. */
export const boundsOf = (schema: Ranged, pair: RangePair): Bounds =>
  (schema.exclusions ?? []).find((exclusion) =>
    pairsOf(schema, exclusion).some((one) => one.join() === pair.join()),
  )?.bounds ?? '[)'

/** Returns the condition of the CHECK constraint of a range. */
export const isInOrder = (from: Sql, to: Sql): Sql => sql`${from} <= ${to}`

/** The message about the ends of a range whose beginning is after its end. */
export const outOfOrder = ([from, to]: RangePair): string => `"${from}" must not be after "${to}".`

/** Returns the messages for a range whose beginning is after its end, by its fields. `where` begins them. */
export const rangeProblems = (pair: RangePair, where: string): Record<string, string[]> =>
  Object.fromEntries(pair.map((name) => [name, [where + outOfOrder(pair)]]))

/** Returns the ranges of a record that begin after they end. Values of another type are no problem here. */
export function rangesOutOfOrder(
  table: { schema: Ranged; fields: ReadonlyMap<string, Field> },
  record: Readonly<Record<string, unknown>>,
): RangePair[] {
  return rangePairs(table.schema).filter(([from, to]) => {
    const { type } = table.fields.get(from) ?? {}
    return type !== undefined && isBefore(type, record[to], record[from])
  })
}

/** Tells whether a value of a type comes before another one. */
export function isBefore(type: FieldType, value: unknown, other: unknown): boolean {
  const isValue = (one: unknown) => one !== undefined && one !== null && type.problem(one) === undefined
  return isValue(value) && isValue(other) && type.key(value as never) < type.key(other as never)
}
