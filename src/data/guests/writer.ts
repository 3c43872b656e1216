/**
 * Writes of guests: calls of the functions that the access rules of a table were made into. The statements
 * run as the role of guests, which has no other way to write.
 */
import { join, type Sql, sql } from '../../kernel/db/sql.ts'
import { guestFunction } from '../model/guest-table.ts'
import type { Table } from '../model/table.ts'
import type { FilteredRecords, RecordWriter, WrittenRecords } from '../providers/provider.ts'
import { documentOf, type InputRows, inputColumn, inputCte } from '../providers/writes/input.ts'
import { countMatching, rowColumns, sortedBy } from '../providers/writes/rows.ts'
import { renderPredicate } from '../query/render/render.ts'
import { row } from '../query/row.ts'
import { guestUpsert, hasConflicts } from './upsert.ts'

/** Returns how a guest writes to a table of a site. `shown` is the table as the guest reads it. */
export function guestWriter(siteId: number, shown: Table): RecordWriter {
  const shownFields = ({ returnsRecords }: { returnsRecords: boolean }): Sql =>
    sql`${returnsRecords ? [...shown.fields.keys()] : null}::text[]`
  const call = (action: string, { physicalName }: Table, values: readonly Sql[]): Sql =>
    sql`${guestFunction(siteId, physicalName, action)}(${join(values)})`
  return {
    insertRecords: (table, creation) => ({
      written: sql<WrittenRecords>`
        select data, etag, written, ids, conflicts
          from ${call('create', table, [documentOf(creation.input), shownFields(creation)])}`,
    }),
    updateRecords(table, update) {
      const { input, which, ifMatch, whole = false } = update
      const change = (keys: Sql): Sql =>
        call('update', table, [
          documentOf(input),
          keys,
          sql`${whole}`,
          sql`${ifMatch}::text[]`,
          shownFields(update),
        ])
      if (which === 'keys of the body') return { written: writtenBy(change(sql`null`)) }
      if ('key' in which) return { written: writtenBy(change(keysOf([which.key]))) }
      return { written: writtenByFilter(shown, which, change) }
    },
    upsertRecords(table, upsert) {
      const fields = shownFields(upsert)
      return {
        written: guestUpsert(table, shown, upsert, {
          create: (documents) => call('create', table, [documents, fields]),
          update: (documents, keys) =>
            call('update', table, [documents, keys, sql`false`, sql`null::text[]`, fields]),
        }),
      }
    },
    deleteRecords(table, deletion) {
      const { which, hard, ifMatch } = deletion
      const remove = (keys: Sql): Sql =>
        call('delete', table, [keys, sql`${hard}`, sql`${ifMatch}::text[]`, shownFields(deletion)])
      if ('keys' in which) return { written: writtenBy(remove(keysOf(which.keys))) }
      if ('input' in which) return { written: writtenEach(table, which.input, remove) }
      return { written: writtenByFilter(shown, which, remove) }
    },
  }
}

const keysOf = (keys: readonly (readonly string[])[]): Sql => sql`${JSON.stringify(keys)}::jsonb`

const writtenBy = (call: Sql): Sql<WrittenRecords> =>
  sql<WrittenRecords>`select data, etag, written, ids, conflicts from ${call}`

/**
 * Returns the statement that writes the records whose keys a body has. A key without a record, or a repeated
 * key, is a conflict. With several keys, the conflict does not say which one.
 */
function writtenEach(table: Table, input: InputRows, call: (keys: Sql) => Sql): Sql<WrittenRecords> {
  const key = join(table.primaryKey.map((field) => sql`${inputColumn(table, field)}::text`))
  const [, body] = inputCte(table, input)
  const isEach = sql`_wanted.different = ${input.count} and _written.written = ${input.count}`
  return sql<WrittenRecords>`
    with _wanted as materialized (
      select jsonb_agg(_key order by _n) as keys, count(distinct _key) as different
        from (select _n, jsonb_build_array(${key}) as _key from (${body}) _input) _keys
    )
    select _written.data, _written.etag, _written.written, _written.ids,
           case when ${isEach} or ${hasConflicts(sql`_written.conflicts`)} then _written.conflicts
                else json_build_object('missing', json_build_array(0)) end as conflicts
      from _wanted, lateral ${call(sql`_wanted.keys`)} _written`
}

/**
 * Returns the statement that writes the records that a filter matches among those that the guest may read.
 * Each key has the version in which the record was found, and the function repeats the transaction if the
 * record has changed since.
 */
function writtenByFilter(
  shown: Table,
  { filter, limit, order, expected, isMeant, rowsMax }: FilteredRecords,
  call: (keys: Sql) => Sql,
): Sql<WrittenRecords> {
  const key = rowColumns(shown.primaryKey)
  const texts = join(key.map((column) => sql`${column}::text`))
  const sorted = sortedBy(order, key)
  const isMany = sql`_counted.count > ${rowsMax}`
  const where = renderPredicate(filter, row)
  const many = isMeant ? sql`count` : countMatching(shown.rows, where)
  const isUnexpected = expected === null ? sql`false` : sql`_counted.count <> ${expected}`
  return sql<WrittenRecords>`
    with _counted as materialized (
      select count(*) as count, coalesce(jsonb_agg(_key order by _place), '[]') as keys
        from (select jsonb_build_array(${texts}, _row.xmin::text) as _key, row_number() over () as _place
                from (select _row.* from ${shown.rows} _row${sorted.joined}
                       where ${where}
                       order by ${sorted.terms} limit ${limit ?? rowsMax + 1}) _row) _found
    )
    select _written.data, _written.etag, _written.written, _written.ids, _written.conflicts
      from _counted, lateral ${call(sql`_counted.keys`)} _written where not (${isMany} or ${isUnexpected})
    union all
    select null, null, 0, null, json_build_object(
             'many', case when ${isMany} then json_build_array(${many}) end,
             'unexpected', case when ${isUnexpected} then json_build_array(count) end)
      from _counted where ${isMany} or ${isUnexpected}`
}
