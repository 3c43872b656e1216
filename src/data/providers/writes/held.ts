/**
 * Records that may not be soft-deleted, because records that are not soft-deleted reference them by a foreign
 * key with RESTRICT or NO ACTION. R18.
 */
import { emptySql, join, literal, type Sql, sql } from '../../../kernel/db/sql.ts'
import type { Table } from '../../model/table.ts'
import type { InboundKey } from '../inbound-key.ts'
import type { ConflictQueries } from './ctes.ts'
import { type InputRows, inputColumn } from './input.ts'
import { allEqual, keyName, rowColumns } from './rows.ts'

/**
 * Returns the conflict query `held` for changed records: those whose body marks them as deleted. `_before`
 * has the columns of `_input`.
 */
export function heldByChange(
  table: Table,
  { counts }: Pick<InputRows, 'counts'>,
  inbound: readonly InboundKey[] = [],
): ConflictQueries {
  const { softDelete } = table
  if (!softDelete || !counts.has(softDelete.name)) return {}
  return heldConflicts(table, inbound, sql`_before.${inputColumn(table, softDelete)} is true`)
}

/** Tells whether a key prevents the soft deletion of records that it references. */
export const isHolding = ({ key }: InboundKey): boolean =>
  ['RESTRICT', 'NO ACTION'].includes(key['x-actions'].onDelete)

/**
 * Returns the conflict query `held` for the records of `_before` that would be soft-deleted. `isMarked`
 * selects them; omitted: all. Returns nothing if no key can hold them.
 */
export function heldConflicts(
  table: Table,
  inbound: readonly InboundKey[],
  isMarked: Sql = sql`true`,
): ConflictQueries {
  const queries = inbound.map((one, position) => heldBy(table, one, position, isMarked))
  if (queries.length === 0) return {}
  return {
    held: sql`
      select json_agg(json_build_array(_n, _key, _values) order by _n, _key)
        from (${join(queries, sql` union all `)}) _held`,
  }
}

function heldBy(table: Table, { table: other, key }: InboundKey, position: number, isMarked: Sql): Sql {
  const referenced = fieldsOf(table, key.reference.fields).map(({ column }) => sql`_row.${column}`)
  const referring = fieldsOf(other, key.fields).map(({ column }) => sql`_other.${column}`)
  const keys = table.primaryKey.map((_, place) => sql`_before.${keyName(place)}`)
  const isThere = other.softDelete ? sql` and _other.${other.softDelete.column} is not true` : emptySql
  // Records of one deletion do not hold each other.
  const same = other.primaryKey.map(({ column }, place) => sql`_own.${keyName(place)} = _other.${column}`)
  const isOther =
    other.id === table.id
      ? sql` and not exists (select from _before _own where ${join(same, sql` and `)})`
      : emptySql
  const wasThere = table.softDelete ? sql` and _row.${table.softDelete.column} is not true` : emptySql
  const refers = sql`${allEqual(referring, referenced)}${isThere}${isOther}`
  return sql`
    select _before._n, ${literal(position)} as _key, concat_ws(', ', ${join(referenced)}) as _values
      from _before join ${table.rows} _row on ${allEqual(rowColumns(table.primaryKey), keys)}
     where ${isMarked}${wasThere}
       and exists (select from ${other.rows} _other where ${refers})`
}

const fieldsOf = (table: Table, names: readonly string[]) =>
  names.flatMap((name) => table.fields.get(name) ?? [])
