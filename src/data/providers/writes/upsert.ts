/** Creates records, or changes those that exist, by one statement. R8, R13. */
import { emptySql, identifier, join, type Sql, sql } from '../../../kernel/db/sql.ts'
import type { Table } from '../../model/table.ts'
import type { RecordUpsert, UpsertedRecords, WriteBatch } from '../provider.ts'
import { claimColumns, claimed, claimsOfCreated } from './claimed.ts'
import {
  conflictsAnswer,
  conflictsCte,
  hasSubscribers,
  ifNoConflicts,
  needsRecords,
  places,
  recordsAnswer,
  recordsStatement,
  repeated,
} from './ctes.ts'
import { heldByChange } from './held.ts'
import { inputColumn, inputCte } from './input.ts'
import { advanceIdentity, inInput, insertion } from './insert.ts'
import { plainUpsert } from './plain-upsert.ts'
import {
  changedValue,
  deletedTargetColumns,
  deletedTargets,
  deletedTargetsOfChanged,
  deletedTargetsOfCreated,
} from './references.ts'
import {
  allEqual,
  assignments,
  beforeCtes,
  matchesBefore,
  movesKey,
  rowAlias,
  rowColumns,
  writtenState,
} from './rows.ts'

/*
 * Example: one record of the table "tools", whose texts are short, found by its primary key "code". The
 * body of the request is $1. test/dev/statement-examples.test.ts compares it with what is rendered.
 *
 *   with _input as materialized (
 *     select _body._n - 1 as _n, _body._sent,
 *            case when _body._sent ? 'code' then _fields.code else gen_random_uuid()::text end as _f0,
 *            _fields.name as _f1
 *       from jsonb_array_elements($1::jsonb) with ordinality _body (_sent, _n),
 *            jsonb_to_record(_body._sent) _fields (code text, name text) limit '1'),
 *   _before as materialized (
 *     select _input.*, (_input._sent ? 'code' and _input._f0 <> _row.code) as _moved, false as _hidden,
 *            _row.code as _k0
 *       from site_7.shop_tools _row, _input where _row.code = _input._f0
 *      order by _row.code for no key update of _row),
 *   _conflicts as materialized (select
 *     (select json_agg(json_build_array(_n, _first) order by _n)
 *        from (select _n, min(_n) over (partition by _input._f0) as _first from _input) _keys
 *       where _n > _first) as repeated,
 *     (select json_agg(_n order by _n) from _input
 *       where not exists (select from _before where _before._n = _input._n)
 *         and not _sent ?& '{}'::text[]) as incomplete,
 *     (select json_agg(_n order by _n) from _before where _hidden) as hidden,
 *     (select json_agg(_n order by _n) from _before where _moved) as moved),
 *   _updated as materialized (
 *     update site_7.shop_tools _row set name = _before._f1 from _before
 *      where _row.code = _before._k0
 *        and (select num_nonnulls(repeated, incomplete, hidden, moved) = 0 from _conflicts)
 *     returning _before._n, (select row_to_json(_whole) from (select code, name) _whole) as _data,
 *               _row.xmin as _version),
 *   _inserted as materialized (
 *     insert into site_7.shop_tools as _row (code, name)
 *     select _f0, _f1 from _input
 *      where not exists (select from _before where _before._n = _input._n)
 *        and (select num_nonnulls(repeated, incomplete, hidden, moved) = 0 from _conflicts)
 *      order by _input._f0
 *     on conflict (code) do update set name = excluded.name
 *     returning _row.code as _u0, (select row_to_json(_whole) from (select code, name) _whole) as _data,
 *               _row.xmin as _version, _row.xmax = 0 as _created),
 *   _written as materialized (
 *     select _n, _data, _version, false as _created from _updated
 *     union all
 *     select _input._n, _data, _version, _created from _inserted join _input on _input._f0 = _u0),
 *   _records as materialized (
 *     select case when coalesce(tessera.bytes_within(coalesce(pg_column_size(_data), 0), 12582912)
 *                               filter (where pg_column_size(_data) > 2097), 0) >= 0
 *                 then json_agg(_data order by _n) end::text as records from _written)
 *   select coalesce((select case when octet_length(records) <= '12582912' then records
 *                                else tessera.refuse_answer(12582912) end
 *                      from _records where records is not null), '[]') as data,
 *          (select _version::text from _written limit 1) as etag,
 *          (select count(*) from _written) as written,
 *          (select count(*) from _written where _created) as created,
 *          (select row_to_json(_conflicts) from _conflicts) as conflicts
 */

/** The row to insert, where another request has just inserted one with the same key. */
const excluded = sql`excluded`

/**
 * See Provider. Existing records are locked and changed; the others are inserted. If another request inserts
 * one of them in between, `on conflict` changes that record.
 *
 * For a table `parts` with a unique `code` and a `price`, without soft deletion and subscribers, the
 * statement is:
 *
 *     with _input as materialized (
 *       select _body._n - 1 as _n, _body._sent, _fields.code as _f1, _fields.price as _f2
 *         from jsonb_array_elements($1::jsonb) with ordinality _body (_sent, _n),
 *              jsonb_to_record(_body._sent) _fields (code text, price numeric) limit $2),
 *     _before as materialized (
 *       select _input.*, false as _moved, false as _hidden, _row.id as _k0
 *         from site_7.shop_parts _row, _input where _row.code = _input._f1
 *        order by _row.id for no key update of _row),
 *     _conflicts as materialized (
 *       select (…) as repeated, (…) as incomplete, (…) as hidden, (…) as moved),
 *     _updated as materialized (
 *       update site_7.shop_parts _row set price = _before._f2 from _before
 *        where _row.id = _before._k0 and (select num_nonnulls(repeated, …) = 0 from _conflicts)
 *       returning _before._n, (…) as _data, _row.xmin as _version),
 *     _inserted as materialized (
 *       insert into site_7.shop_parts as _row (code, price) select _f1, _f2 from _input
 *        where not exists (select from _before where _before._n = _input._n)
 *          and (select num_nonnulls(repeated, …) = 0 from _conflicts) order by _input._f1
 *       on conflict (code) do update set price = excluded.price
 *       returning _row.code as _u0, (…) as _data, _row.xmin as _version, _row.xmax = 0 as _created),
 *     _written as materialized (
 *       select _n, _data, _version, false as _created from _updated
 *       union all
 *       select _input._n, _data, _version, _created from _inserted join _input on _input._f1 = _u0),
 *     _records as materialized (select json_agg(_data order by _n)::text as records from _written)
 *     select … as data, … as etag, … as written, … as created, … as conflicts
 */
export function upsertRecords(table: Table, upsert: RecordUpsert): WriteBatch<UpsertedRecords> {
  const { input, references, unique, needed, includeDeleted, returnsKeys } = upsert
  const plain = plainUpsert(table, upsert)
  if (plain) return { numbering: advanceIdentity(table, input), written: plain }
  const keys = unique.map((field) => sql`_input.${inputColumn(table, field)}`)
  const isNew = sql`not exists (select from _before where _before._n = _input._n)`
  const { softDelete } = table
  const isHidden = softDelete && !includeDeleted ? sql`_row.${softDelete.column} is true` : sql`false`
  const before = beforeCtes(table, {
    joined: sql`, _input`,
    where: [allEqual(rowColumns(unique), keys)],
    columns: [
      sql`_input.*`,
      sql`${movesKey(table, input)} as _moved`,
      sql`${isHidden} as _hidden`,
      ...deletedTargetColumns(table, input, references),
      ...claimColumns({
        table,
        input,
        valueFor: (field) => changedValue(table, input, field),
        presentOf: ({ column }) => sql`_row.${column}`,
      }),
    ],
    includeDeleted: true,
    withState: hasSubscribers(table, 'RECORD_UPDATE'),
    lock: 'no key update',
  })
  const conflicts = {
    repeated: repeated(keys),
    incomplete: places(sql`_input where ${isNew} and not _sent ?& ${needed.map(({ name }) => name)}::text[]`),
    hidden: places(sql`_before where _hidden`),
    moved: places(sql`_before where _moved`),
    ...(includeDeleted ? {} : heldByChange(table, input, upsert.inbound)),
    ...deletedTargets([
      ...deletedTargetsOfCreated(table, input, references, isNew),
      ...deletedTargetsOfChanged(input, references),
    ]),
    ...claimed(table, input, [sql`_before`, claimsOfCreated(table, input, isNew)]),
  }
  const noConflicts = ifNoConflicts(conflicts)
  const set = assignments(table, input, {
    kept: unique,
    sent: sql`_before._sent`,
    value: (field) => sql`_before.${inputColumn(table, field)}`,
  })
  const isNeeded = needsRecords(table, upsert, ['RECORD_CREATE', 'RECORD_UPDATE'])
  const state = writtenState(table, isNeeded, returnsKeys)
  const columns = sql`_data, _version${returnsKeys ? sql`, _id` : emptySql}`
  const updated = sql`
    update ${table.relation} _row set ${set} from _before where ${matchesBefore(table)} and ${noConflicts}
    returning _before._n, ${state}`

  const names = unique.map((_, position) => identifier(`_u${position}`))
  const { storage } = table
  const excludedKeys = unique.map((field) => storage.field(field, excluded))
  const setExcluded = assignments(table, input, {
    kept: unique,
    sent: sql`(select _sent from _input where ${allEqual(keys, excludedKeys)})`,
    value: (field) => storage.field(field, excluded),
  })
  const insertedKeys = unique.map(
    (field, position) => sql`${storage.field(field, rowAlias)} as ${names[position] as Sql}`,
  )
  const where = sql`where ${isNew} and ${noConflicts}`
  const inserted = sql`
    ${insertion(table, input, { given: inInput(table, unique), order: join(keys), where })}
    on conflict (${join(unique.map((field) => storage.field(field)))}) do update set ${setExcluded}
    returning ${join(insertedKeys)}, ${state}, _row.xmax = 0 as _created`

  const written = sql`
    select _n, ${columns}, false as _created from _updated
    union all
    select _input._n, ${columns}, _created from _inserted join _input on ${allEqual(keys, names)}`
  return {
    numbering: advanceIdentity(table, input),
    written: recordsStatement(
      table,
      [
        inputCte(table, input, unique),
        ...before,
        conflictsCte(conflicts),
        ['_updated', updated],
        ['_inserted', inserted],
        ['_written', written],
      ],
      [
        { event: 'RECORD_CREATE', where: sql`_created` },
        { event: 'RECORD_UPDATE', where: sql`not _created`, previous: true },
      ],
      sql`${recordsAnswer(upsert)}, (select count(*) from _written where _created) as created,
          ${conflictsAnswer}`,
    ),
  }
}
