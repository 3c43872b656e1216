/** The constraints of exclusions and of ranges, and the records that break them. D19. */
import { emptySql, identifier, join, type Sql, sql } from '../../../kernel/db/sql.ts'
import type { ExclusionSchema, RangePair } from '../../model/exclusion-form.ts'
import { comparedBy, fieldsOfExclusion } from '../../model/exclusions.ts'
import type { Field } from '../../model/field.ts'
import { constraintNames } from '../../model/names.ts'
import { isInOrder, rangePairs, rangeSql } from '../../model/ranges.ts'
import type { Table } from '../../model/table.ts'
import { fieldsOf } from '../../query/predicate.ts'
import { columnOf } from './fields.ts'
import { conditionOf, planned } from './filter.ts'
import type { TableObject } from './objects.ts'

/** Returns the checks of ranges, and the exclusions. They may contain columns or expressions. */
export function exclusionsOf(table: Table): TableObject[] {
  const { schema } = table
  const names = constraintNames(table.physicalName)
  const checks = rangePairs(schema).map((pair): TableObject => {
    const [from, to] = pair.map((name) => columnOf(table, name)) as [Sql, Sql]
    return {
      kind: 'check',
      name: names.range(pair),
      title: `the order of ${pair.join(' and ')}`,
      fields: pair,
      definition: sql`check (${isInOrder(from, to)})`,
      rule: 'range',
    }
  })
  const exclusions = (schema.exclusions ?? []).map((exclusion): TableObject => {
    const { equal, ranges } = comparedBy(schema, exclusion)
    const values = [
      ...equal.map((name) => sql`${columnOf(table, name)} with =`),
      ...ranges.map((pair) => sql`${rangeOf(table, pair, exclusion)} with &&`),
    ]
    const counts = countsFor(table, exclusion)
    return {
      kind: 'exclusion',
      name: names.exclusion(exclusion.name),
      title: `the exclusion ${exclusion.name}`,
      fields: fieldsOfExclusion(schema, exclusion),
      definition: sql`exclude using gist (${join(values)})${counts ? sql` where (${counts})` : emptySql}`,
      whereFields: whereFields(table, exclusion).map(({ name }) => name),
      exclusion,
    }
  })
  return [...checks, ...exclusions]
}

/** The values by which records exclude each other: those that are equal, and ranges that overlap. */
interface ExcludedValues {
  equal: readonly Sql[]
  ranges: readonly Sql[]
}

const rangeOf = (table: Table, [from, to]: RangePair, { bounds }: ExclusionSchema): Sql =>
  rangeSql(table.fields.get(from) as Field, columnOf(table, from), columnOf(table, to), bounds)

/** Returns the values of a record whose fields are the columns of `table`. */
export function excludedValues(table: Table, exclusion: ExclusionSchema): ExcludedValues {
  const { equal, ranges } = comparedBy(table.schema, exclusion)
  return {
    equal: equal.map((name) => columnOf(table, name)),
    ranges: ranges.map((pair) => rangeOf(table, pair, exclusion)),
  }
}

/**
 * Returns the condition of the records that an exclusion is about: they are not soft-deleted, and match its
 * filter. Undefined: all.
 */
export function countsFor(table: Table, { where }: ExclusionSchema): Sql | undefined {
  const { softDelete } = table
  const conditions = [
    ...(softDelete ? [sql`${columnOf(table, softDelete.name)} is not true`] : []),
    ...(where ? [conditionOf(table, where)] : []),
  ]
  return conditions.length === 0 ? undefined : join(conditions, sql` and `)
}

const whereFields = (table: Table, { where }: ExclusionSchema): Field[] => [
  ...(table.softDelete ? [table.softDelete] : []),
  ...(where ? fieldsOf(planned(table, where)) : []),
]

/** Returns the condition that the values of two records exclude each other. */
export const excludeEachOther = (one: ExcludedValues, other: ExcludedValues): Sql =>
  join(
    [
      ...one.equal.map((value, place) => sql`${value} = ${other.equal[place] as Sql}`),
      ...one.ranges.map((range, place) => sql`${range} && ${other.ranges[place] as Sql}`),
    ],
    sql` and `,
  )

/**
 * Returns a query for records that exclude others. `values` is the table whose columns are the values of a
 * record of `records`. Of records in the order of a range, the neighbors of those that overlap overlap, too;
 * only with several ranges, each record is compared with all others.
 */
export function excludingRecords(
  values: Table,
  exclusion: ExclusionSchema,
  { records, key, limit }: { records: Sql; key: Sql; limit: Sql },
): Sql {
  const { equal, ranges } = excludedValues(values, exclusion)
  const counts = countsFor(values, exclusion) ?? sql`true`
  const selected = [
    ...equal.map((value, place) => sql`${value} as ${equalName(place)}`),
    ...ranges.map((range, place) => sql`${range} as ${rangeName(place)}`),
  ]
  const found = sql`
    select ${key} as key, row_number() over () as _place, ${join(selected)} from ${records} where ${counts}`
  const [first, ...others] = ranges.map((_, place) => rangeName(place))
  const parts = equal.map((_, place) => equalName(place))
  const partition = parts.length > 0 ? sql`partition by ${join(parts)} ` : emptySql
  const areThere = [...parts.map((part) => sql`${part} is not null`), sql`not isempty(${first as Sql})`]
  if (others.length === 0)
    return sql`
      select key from (
        select key, ${first as Sql} as _own, lag(${first as Sql}) over _same as _before,
               lead(${first as Sql}) over _same as _after
          from (${found}) _found where ${join(areThere, sql` and `)}
        window _same as (${partition}order by ${first as Sql})) _sorted
       where _own && _before or _own && _after limit ${limit}`
  const of = (row: Sql): ExcludedValues => ({
    equal: equal.map((_, place) => sql`${row}.${equalName(place)}`),
    ranges: ranges.map((_, place) => sql`${row}.${rangeName(place)}`),
  })
  return sql`
    with _found as materialized (${found})
    select _one.key from _found _one where exists (
      select from _found _other where _other._place <> _one._place
         and ${excludeEachOther(of(sql`_one`), of(sql`_other`))}) limit ${limit}`
}

const equalName = (place: number): Sql => identifier(`_e${place}`)
const rangeName = (place: number): Sql => identifier(`_r${place}`)
