/**
 * Upserts of guests. The function for changes writes the records that the guest may read; the function for
 * creations writes the others. So a hidden record causes the same conflict as in a creation.
 */

import { aggregateWithin, madeMeasure } from '../../kernel/db/answer-size.ts'
import { join, type Sql, sql } from '../../kernel/db/sql.ts'
import type { Table } from '../model/table.ts'
import type { RecordUpsert, UpsertedRecords } from '../providers/provider.ts'
import {
  type Cte,
  conflictsCte,
  ifNoConflicts,
  places,
  recordsWithinLimit,
  repeated,
  writeStatement,
} from '../providers/writes/ctes.ts'
import { inputColumn, inputCte } from '../providers/writes/input.ts'
import { allEqual, rowColumns } from '../providers/writes/rows.ts'

/** The calls of the functions of a table. */
interface Calls {
  create(documents: Sql): Sql
  /** `keys` are the keys of the records with the versions in which they were found. */
  update(documents: Sql, keys: Sql): Sql
}

/**
 * Returns the statement that upserts records. `shown` is the table as the guest reads it, and has the fields
 * by which records are found. If one function has written before the other finds conflicts, the statement
 * fails with them (tessera.refuse_conflicts).
 */
export function guestUpsert(
  table: Table,
  shown: Table,
  { input, unique, needed, returnsRecords }: RecordUpsert,
  calls: Calls,
): Sql<UpsertedRecords> {
  const values = unique.map((field) => sql`_input.${inputColumn(table, field)}`)
  const names = unique.map(({ name }) => name)
  const counts = new Map([...input.counts].filter(([name]) => names.includes(name)))
  const key = join(rowColumns(shown.primaryKey).map((column) => sql`${column}::text`))
  // Each record has a separate select, because Postgres does not join views of guests by an index.
  const found = sql`
    select jsonb_build_array(${key}, _row.xmin::text)
      from ${shown.rows} _row where ${allEqual(rowColumns(unique), values)}`
  const conflicts = {
    repeated: repeated(values),
    incomplete: places(
      sql`_found where _key is null and not _sent ?& ${needed.map(({ name }) => name)}::text[]`,
    ),
  }
  const isFound = sql`filter (where _key is not null)`
  const isNew = sql`filter (where _key is null)`
  const ctes: Cte[] = [
    inputCte(table, { ...input, counts, computed: new Set() }),
    ['_found', sql`select _n, _sent, (${found}) as _key from _input`],
    conflictsCte(conflicts),
    [
      '_parts',
      sql`select coalesce(jsonb_agg(_sent - ${names}::text[] order by _n) ${isFound}, '[]') as _changes,
                 coalesce(jsonb_agg(_key order by _n) ${isFound}, '[]') as _keys,
                 array_agg(_n order by _n) ${isFound} as _changed_places,
                 coalesce(jsonb_agg(_sent order by _n) ${isNew}, '[]') as _creations,
                 array_agg(_n order by _n) ${isNew} as _created_places
            from _found`,
    ],
    [
      '_updated',
      sql`select _changed_places as _places, _one.*
            from _parts, lateral ${calls.update(sql`_changes`, sql`_keys`)} _one
           where ${ifNoConflicts(conflicts)}`,
    ],
    [
      '_created',
      sql`select _created_places as _places, _one.*
            from _parts, _updated, lateral ${calls.create(sql`_creations`)} _one
           where not ${hasConflicts(sql`_updated.conflicts`)}`,
    ],
    ['_written', join([writtenBy(sql`_updated`), writtenBy(sql`_created`)], sql` union all `)],
  ]
  return writeStatement(ctes, answerOf(returnsRecords))
}

/** Selects the records that a function has written, with their positions in the body. */
const writtenBy = (part: Sql): Sql => sql`
  select _places[_place] as _n, _id, _record
    from ${part}, rows from (json_array_elements(ids::json), json_array_elements(data::json))
         with ordinality _all (_id, _record, _place)`

const answerOf = (returnsRecords: boolean): Sql => sql`
  ${returnsRecords ? returnedRecords : sql`null`} as data,
  (select min(etag) from (select etag from _updated union all select etag from _created) _tags) as etag,
  (select count(*) from _written) as written,
  coalesce((select written from _created), 0) as created,
  (select json_agg(_id order by _n) from _written)::text as ids,
  case when (select ${hasConflicts(sql`conflicts`)} from _updated) then (${placedConflicts(sql`_updated`)})
       when (select ${hasConflicts(sql`conflicts`)} from _created)
       then case when (select written from _updated) > 0
                 then tessera.refuse_conflicts((${placedConflicts(sql`_created`)}))
                 else (${placedConflicts(sql`_created`)}) end
       else (select row_to_json(_conflicts) from _conflicts) end as conflicts`

const joined = aggregateWithin(sql`string_agg(_record::text, ',' order by _n)`, {
  measure: madeMeasure(sql`_record`),
  rows: 1_000,
})

const returnedRecords = sql`
  (select ${recordsWithinLimit}
     from (select '[' || coalesce(${joined}, '') || ']' as records
             from _written) _answer)`

/** Returns the condition that any member of conflicts is not null. */
export const hasConflicts = (conflicts: Sql): Sql =>
  sql`exists (select from json_each(${conflicts}) _one where json_typeof(_one.value) <> 'null')`

/**
 * Selects the conflicts that a function has found, with positions in the body. A conflict is a position, or
 * an array that begins with one.
 */
function placedConflicts(part: Sql): Sql {
  const placeAt = (place: Sql) => sql`_places[(${place})::integer + 1]`
  return sql`
    select json_object_agg(_each.key, case when json_typeof(_each.value) = 'null' then null else (
             select json_agg(case json_typeof(_one)
                               when 'array'
                               then jsonb_set(_one::jsonb, '{0}', to_jsonb(${placeAt(sql`_one ->> 0`)}))
                               else to_jsonb(${placeAt(sql`_one #>> '{}'`)}) end order by _place)
               from json_array_elements(_each.value) with ordinality _all (_one, _place)) end)
      from ${part}, json_each(conflicts) _each`
}
