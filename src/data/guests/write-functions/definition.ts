/**
 * The definition of a function through which guests write. It runs with the rights of the site's role, so
 * that it may write, and only guests may call it. Its conditions decide what it
 * writes.
 */

import { aggregateWithin, madeMeasure } from '../../../kernel/db/answer-size.ts'
import {
  identifier,
  join,
  literal,
  renderText,
  type Sql,
  sql,
  withInlineValues,
} from '../../../kernel/db/sql.ts'
import { guestFunction, guestRole, requireHere } from '../../model/guest-table.ts'
import type { Table } from '../../model/table.ts'
import type { RecordAction } from '../../model/written-fields.ts'
import { recordsWithinLimit } from '../../providers/writes/ctes.ts'
import { allEqual, rowColumns } from '../../providers/writes/rows.ts'
import { recordColumns } from '../../query/render/render-record.ts'
import type { WriteTarget } from './target.ts'

/** The types of the parameters of each function. The last one has the names of the fields to return. */
const parameters: Readonly<Record<RecordAction, Sql>> = {
  create: sql`jsonb, text[]`,
  update: sql`jsonb, jsonb, boolean, text[], text[]`,
  delete: sql`jsonb, boolean, text[], text[]`,
}

/**
 * Returns the statement that drops the function of a table for an action, if it exists. An earlier release
 * may have given it other parameters.
 */
export const dropFunction = (siteId: number, { physicalName }: Table, action: RecordAction): Sql =>
  sql`drop function if exists ${guestFunction(siteId, physicalName, action)}`

/**
 * The attributes of the functions: they run as the site's role, with its search path and the time zone of
 * every statement.
 */
export function asSite(siteId: number): Sql {
  const schema = identifier(`site_${siteId}`)
  return sql`security definer set search_path = tenant, ${schema}, pg_temp set timezone = 'UTC'`
}

/** Returns the statements that allow only guests to execute a function. */
export const forGuestsOnly = (signature: Sql): Sql[] => [
  sql`revoke execute on function ${signature} from public`,
  sql`grant execute on function ${signature} to ${guestRole}`,
]

/**
 * Returns the statements that create a function. `body` contains its statements. They use the variables
 * `conflicts` (the conflicts as JSON), `written` (the records, as `writtenRows` makes them) and `answer` (the
 * text of the records).
 */
export function createFunction(
  { siteId, table }: WriteTarget,
  action: RecordAction,
  body: readonly Sql[],
): Sql[] {
  const name = guestFunction(siteId, table.physicalName, action)
  const signature = sql`${name}(${parameters[action]})`
  const statements = renderText(withInlineValues(join([requireHere(siteId), ...body], sql`;\n`)))
  const text = `#variable_conflict use_column
<<guest>>
declare
  conflicts json;
  written jsonb;
  answer text;
  version text;
  -- How many records were deleted.
  deleted bigint;
begin
${statements};
  set constraints all immediate;
  return query select guest.answer, guest.version, coalesce(jsonb_array_length(guest.written), 0)::bigint,
    (select json_agg(w -> 'id')::text from jsonb_array_elements(guest.written) w), guest.conflicts;
end guest`
  return [
    sql`create function ${signature}
      returns table (data text, etag text, written bigint, ids text, conflicts json)
      language plpgsql ${asSite(siteId)} as ${literal(text)}`,
    ...forGuestsOnly(signature),
  ]
}

/** Raises an error of the transaction if the records were changed since the client's filter chose them. */
export const repeatIfRaced = sql`
  if guest.conflicts ->> 'raced' is not null then
    raise sqlstate '40001' using message = 'a record has changed since it was found';
  end if`

/**
 * Returns the array `written` of the rows of `from`. Each element has the position, the id and the key of a
 * record, and as `sent` the values that were sent, with the key as a record shows it.
 */
export function writtenRows({ primaryKey }: Table, key: readonly Sql[], sentRecord: Sql, from: Sql): Sql {
  const texts = join(key.map((one) => sql`${one}::text`))
  const shown = join(primaryKey.map(({ name }) => sql`${literal(name)}, _data -> ${literal(name)}`))
  return sql`
    (select jsonb_agg(jsonb_build_object('n', _n, 'id', _id, 'key', jsonb_build_array(${texts}),
                                         'sent', ${sentRecord} || jsonb_build_object(${shown})) order by _n)
       from ${from})`
}

/**
 * Returns the statement that sets `answer` to the text of the written records as the caller sees them, and
 * `version` to that of a single record. For a record that the caller may not read, the text has the sent
 * values and the key. `names` are the fields to show; null: no answer is needed.
 */
export function showWritten({ shown }: WriteTarget, names: Sql): Sql {
  const { record, version } = shown ? shownRow(shown) : unseenRow
  return sql`
    select _version, case when ${names} is not null then ${recordsWithinLimit} end
      into guest.version, guest.answer
      from (select min(_version) as _version, '[' || coalesce(${joined}, '') || ']' as records
              from (select _n, _version, coalesce(tessera.record_text(_record, ${names}),
                                                  tessera.record_text(_sent, null)) as _text
                      from (select (_w.w -> 'n')::integer as _n, (_w.w -> 'sent')::json as _sent,
                                   ${record} as _record, ${version} as _version
                              from jsonb_array_elements(guest.written) _w (w)) _found
                    offset 0) _shown) _answer`
}

const joined = aggregateWithin(sql`string_agg(_text, ',' order by _n)`, {
  measure: madeMeasure(sql`_text`),
  rows: 1_000,
})

const unseenRow = { record: sql`null::json`, version: sql`null::text` }

/** Returns the record with the key of the element `_w` as the caller sees it, and its version. */
function shownRow(shown: Table): { record: Sql; version: Sql } {
  const key = shown.primaryKey.map(
    (field, index) => sql`(_w.w -> 'key' ->> ${literal(index)})::${field.type.column}`,
  )
  const found = sql`from ${shown.rows} _row where ${allEqual(rowColumns(shown.primaryKey), key)}`
  return {
    record: sql`(select row_to_json(_whole) from (select ${recordColumns(shown)} ${found}) _whole)`,
    version: sql`(select _row.xmin::text ${found})`,
  }
}
