/** Finds which records have the values of unique keys that records of a write wanted. */
import type { RequestContext } from '../../kernel/context.ts'
import { DatabaseFailure, isInvalidValue } from '../../kernel/db/failures.ts'
import { emptySql, join, type Sql, sql } from '../../kernel/db/sql.ts'
import { inTenant } from '../../kernel/db/tenant.ts'
import { uniqueKeysOf } from '../model/keys.ts'
import { type Table, withColumns } from '../model/table.ts'
import { conditionOf } from '../providers/ddl/filter.ts'
import { fieldSql, row } from '../query/row.ts'

/** Who holds a value: a soft-deleted record, a record that the same request changes, or another record. */
export type Holder = 'deleted' | 'request' | 'other'

/** The values that a record wanted, as texts that Postgres reads. */
export interface WantedValues {
  fields: readonly string[]
  values: readonly string[]
}

interface HolderRow {
  place: number
  is_deleted: boolean
  is_own: boolean
}

/**
 * Returns the holder of each of the wanted values; undefined if there is none now. `changed` is the condition
 * that the request changes `_row`.
 */
export async function findHolders(
  ctx: RequestContext,
  table: Table,
  wanted: readonly (WantedValues | undefined)[],
  changed: Sql = sql`false`,
): Promise<(Holder | undefined)[]> {
  const places = [...wanted.keys()].filter((place) => fieldsOf(table, wanted[place]) !== undefined)
  const byFields = Map.groupBy(places, (place) => (wanted[place] as WantedValues).fields.join())
  const queries = [...byFields.values()].map((same) =>
    holdersQuery(
      table,
      same.map((place) => [place, wanted[place] as WantedValues]),
      changed,
    ),
  )
  if (queries.length === 0) return wanted.map(() => undefined)
  const holders = sql<HolderRow>`${join(queries, sql` union all `)}`
  const found = await inTenant(ctx, 'read', { holders }).catch((failure: unknown) => {
    // A value that Postgres cannot read back has no holder that could be named.
    if (failure instanceof DatabaseFailure && isInvalidValue(failure.sqlstate)) return undefined
    throw failure
  })
  const byPlace = new Map(found?.holders.all.map((one) => [one.place, one]))
  return wanted.map((_, place) => {
    const holder = byPlace.get(place)
    if (!holder) return undefined
    if (holder.is_own) return 'request'
    return holder.is_deleted ? 'deleted' : 'other'
  })
}

/** Returns the wanted fields; undefined if there are no values for all of them. */
function fieldsOf({ fields }: Table, wanted: WantedValues | undefined) {
  const known = wanted?.fields.flatMap((name) => fields.get(name) ?? [])
  return known && known.length === wanted?.values.length ? known : undefined
}

/** Selects the holders of values of the same fields. */
function holdersQuery(
  table: Table,
  wanted: readonly (readonly [place: number, WantedValues])[],
  changed: Sql,
): Sql {
  const [[, first]] = wanted as [readonly [number, WantedValues]]
  const fields = fieldsOf(table, first) ?? []
  const stored = withColumns(table, (field) => fieldSql(field, row))
  const same = fields.map((field, position) => {
    const value = sql`(_wanted.texts ->> ${position}::integer)::${field.type.column}`
    return sql`${fieldSql(field, row)} = ${value}`
  })
  const { where } = uniqueKeysOf(table).find((key) => key.fields.join() === first.fields.join()) ?? {}
  const condition = where ? sql` and ${conditionOf(stored, where)}` : emptySql
  const isDeleted = table.softDelete ? sql`_row.${table.softDelete.column} is true` : sql`false`
  return sql`
    select _wanted.place, ${isDeleted} as is_deleted, (${changed}) as is_own
      from unnest(${wanted.map(([place]) => place)}::integer[],
                  ${wanted.map(([, { values }]) => JSON.stringify(values))}::json[]) _wanted (place, texts)
      join ${table.rows} ${row.alias} on ${join(same, sql` and `)}${condition}`
}
