/** The SQL of the versions of one record. */

import { aggregateWithin, madeMeasure, recordWithin } from '../../kernel/db/answer-size.ts'
import { isoTimestamp } from '../../kernel/db/iso-timestamp.ts'
import { join, type Sql, sql } from '../../kernel/db/sql.ts'
import { type List, matching, pageSql } from '../../kernel/http/lists/list.ts'
import { boundedRangeOf } from '../../kernel/http/lists/range.ts'
import type { Field } from '../model/field.ts'
import { type VersionedTable, versionsOf } from '../model/history.ts'
import type { Table } from '../model/table.ts'
import { isComputed } from '../query/plan/expression/row-expression.ts'
import { measureRecords } from '../query/render/answer-size.ts'
import { dataWithin } from '../query/render/render-list.ts'
import { recordColumns } from '../query/render/render-record.ts'
import { listForm, type VersionsQuery } from './schema.ts'

/** The list of versions. */
export const list: List<typeof listForm> = {
  ...listForm,
  columns: { number: sql`h.number` },
  last: sql`h.number desc`,
  texts: [sql`h.operation`, sql`h.changed_by_name`],
}

/** Returns the condition that a row has a primary key, whose values are bound. */
const hasKey = ({ storage, primaryKey }: Table, key: readonly string[], row: Sql): Sql =>
  join(
    primaryKey.map(
      (field: Field, position) =>
        sql`${storage.field(field, row)} = ${key[position] as string}::${field.type.column}`,
    ),
    sql` and `,
  )

/** A page of versions. */
export interface VersionsRow {
  /** The versions as the text of a JSON array. */
  data: string
  /** The number of versions that match the query. */
  total: number
  /** Whether the record has any version. */
  is_known: boolean
}

const row = sql`_row`

/** Selects a page of the versions of a record. */
export function selectVersions(table: VersionedTable, key: readonly string[], query: VersionsQuery) {
  const versions = versionsOf(table)
  const { history } = table
  const ofRecord = hasKey(versions, key, sql`h`)
  const where = matching(list, query, [
    ofRecord,
    ...(query.operation === undefined ? [] : [sql`h.operation = ${query.operation}`]),
  ])
  const names = [...table.fields.keys()]
  const shown = { fields: undefined, populate: [] }
  const measureOfRecord = measureRecords(versions, shown, {
    of: sql`_whole`,
    rows: 1,
  })
  const listed = aggregateWithin(sql`json_agg(_version)`, {
    measure: madeMeasure(sql`_version.record`),
    rows: boundedRangeOf(query, list).limit,
  })
  const member = (document: Sql) => sql`coalesce(${document} -> f.name, 'null')`
  return sql<VersionsRow>`
    select (select count(*) from ${history} h where ${where}) as total,
           exists (select from ${history} h where ${ofRecord}) as is_known,
           ${dataWithin(sql`_page.data`)}
      from (
        select coalesce(${listed}, '[]')::text as data
          from (
            select _row.number, ${isoTimestamp(sql`_row.valid_from`)} as valid_from,
                   case when isfinite(_row.valid_to) then ${isoTimestamp(sql`_row.valid_to`)} end as valid_to,
                   _row.operation,
                   case when _row.operation <> 'delete' and _row.before is not null then (
                     select coalesce(json_agg(f.name order by f.place), '[]')
                       from unnest(${names}::text[]) with ordinality f (name, place)
                      where ${member(sql`_row._data`)} <> ${member(sql`_row.before`)}) end as changed,
                   case when _row.changed_by is not null then json_build_object(
                     'id', _row.changed_by, 'username', _row.changed_by_name) end as changed_by,
                   case when _row.operation <> 'delete' then (
                     select ${recordWithin(sql`row_to_json(_whole)`, measureOfRecord)}
                       from (select ${recordColumns(versions)}${versions.storage.returnedFrom(row)}) _whole
                   ) end as record
              from (
                select h.number, h.valid_from, h.valid_to, h.operation, h.changed_by, h.changed_by_name,
                       h._data, h.xmin, (
                         select p._data from ${history} p
                          where ${hasKey(versions, key, sql`p`)} and p.number = h.number - 1
                            and p.operation <> 'delete') as before
                  from ${history} h where ${where} ${pageSql(list, query)}) _row
             offset 0) _version) _page`
}

/** A version to restore. */
export interface VersionRow {
  /** The fields that the version has, as the text of a JSON object. */
  data: string | null
  operation: string
  /** Whether the record exists now. */
  is_present: boolean
}

/** Selects a version of a record, without the fields that follow from the others. */
export function selectVersion(table: VersionedTable, key: readonly string[], number: number) {
  const names = [...table.fields.values()].flatMap((field) => (isComputed(field) ? [] : [field.name]))
  return sql<VersionRow>`
    select h.operation,
           exists (select from ${table.relation} _row where ${hasKey(table, key, row)}) as is_present,
           (select jsonb_object_agg(m.key, m.value)::text from jsonb_each(h._data) m
             where m.key = any (${names}::text[])) as data
      from ${table.history} h
     where ${hasKey(versionsOf(table), key, sql`h`)} and h.number = ${number}`
}

/** The result of an erasure. */
export interface ErasedRow {
  erased: number
  /** Whether the record had any version. */
  is_known: boolean
}

/**
 * Deletes the versions of a record except the last one (unless that is a deletion), and logs the erasure
 * under `name`.
 */
export function deleteVersions(table: VersionedTable, key: readonly string[], name: string) {
  const { history } = table
  const ofRecord = hasKey(versionsOf(table), key, sql`h`)
  return sql<ErasedRow>`
    with erased as (
      delete from ${history} h
       where ${ofRecord} and (h.valid_to < 'infinity' or h.operation = 'delete')
      returning 1
    ), logged as (
      insert into _erasures (record, versions, created_by)
      select ${name}, count(*), nullif(current_setting('tessera.caller', true), '')::bigint
        from erased having count(*) > 0
      returning 1
    )
    select (select count(*) from erased) as erased,
           exists (select from ${history} h where ${ofRecord}) as is_known,
           (select count(*) from logged) as logged`
}
