/**
 * Changes of unique values that records of the same write exchange. One statement cannot make them, because
 * Postgres checks each row as it is written. So the first statement makes all changes, but leaves unique
 * values that change empty, and the second one gives them. Functions, the history and `updated_at` see one
 * change. Fields that may not be null cannot be left empty: see `unique: "deferred"`.
 */
import { identifier, join, type Sql, sql } from '../../../kernel/db/sql.ts'
import type { Field } from '../../model/field.ts'
import { uniqueKeysOf } from '../../model/keys.ts'
import type { Table } from '../../model/table.ts'
import type { WriteBatch, WrittenRecords } from '../provider.ts'
import { type Cte, recordsStatement, type WriteEvent, writeStatement } from './ctes.ts'
import type { InputRows } from './input.ts'
import { keyName, matchesBefore, touch, writtenState } from './rows.ts'

/** The fields of the unique keys that a body changes. */
export interface ShiftedFields {
  /** Those that may be null, and are left empty at first. Their new values are in `finalColumn`. */
  emptied: readonly Field[]
  /** All fields of the keys of an emptied field. */
  keysOf(field: Field): readonly Field[]
}

/**
 * Returns the fields that a change leaves empty at first: those that may be null, of keys that it changes.
 */
export function shiftedFields(table: Table, { counts }: Pick<InputRows, 'counts'>): ShiftedFields {
  const keys = uniqueKeysOf(table).filter(({ fields }) => fields.some((name) => counts.has(name)))
  const keysOf = ({ name }: Field) =>
    [...new Set(keys.filter(({ fields }) => fields.includes(name)).flatMap(({ fields }) => fields))].flatMap(
      (other) => table.fields.get(other) ?? [],
    )
  const emptied = [...table.fields.values()].filter(
    (field) => !field.required && field.formula === undefined && keysOf(field).length > 0,
  )
  return { emptied, keysOf }
}

/** Returns the column of `_before` with the new value of a field. */
export const finalColumn = (position: number): Sql => identifier(`_s${position}`)

/** The first of the two statements. */
interface Emptying {
  table: Table
  /** See ShiftedFields. */
  emptied: readonly Field[]
  ctes: readonly Cte[]
  /** Whether `_before` has the records, as `_data`. */
  hasState: boolean
}

/**
 * Returns the first statement. `ctes` end with `_written`, the change without the values of `emptied`. While
 * the setting has a value, tessera.keep_versions keeps no version.
 */
export function emptyingStatement({ table, emptied, ctes, hasState }: Emptying): Sql {
  const texts = (columns: readonly Sql[]) =>
    sql`json_build_array(${join(columns.map((column) => sql`_before.${column}::text`))})`
  const keys = texts(table.primaryKey.map((_, position) => keyName(position)))
  const values = texts(emptied.map((_, position) => finalColumn(position)))
  const state = hasState ? sql`_before._data` : sql`null`
  const rows = sql`
    select json_agg(json_build_array(_before._n, ${keys}, ${values}, ${state}))
      from _before join _written on _written._n = _before._n`
  const noted = sql`
    json_build_object('rows', (${rows}), 'conflicts', (select row_to_json(_conflicts) from _conflicts))`
  return writeStatement(ctes, sql`length(set_config('tessera.unfinished', ${noted}::text, true)) as noted`)
}

/** The second statement, and what its row contains. */
interface Filling {
  table: Table
  emptied: readonly Field[]
  isNeeded: boolean
  returnsKeys: boolean
  events: readonly WriteEvent[]
  answer: Sql
}

/** Returns the second statement. Its `_before` and `_written` are like those of a change. */
export function fillingStatement({
  table,
  emptied,
  isNeeded,
  returnsKeys,
  events,
  answer,
}: Filling): WriteBatch<WrittenRecords>['written'] {
  const given = (fields: readonly Field[], member: Sql, nameOf: (position: number) => Sql) =>
    fields.map(
      ({ type }, position) =>
        sql`(_one.row -> ${member} ->> ${position}::integer)::${type.column} as ${nameOf(position)}`,
    )
  const before = sql`
    select (_one.row ->> 0)::integer as _n, _one.row -> 3 as _data,
           ${join([...given(table.primaryKey, sql`1`, keyName), ...given(emptied, sql`2`, finalColumn)])}
      from _noted, json_array_elements(
             case json_typeof(_noted.noted -> 'rows')
               when 'array' then _noted.noted -> 'rows' else '[]' end) _one (row)`
  const set = emptied.map((field, position) => [field, sql`_before.${finalColumn(position)}`] as const)
  const written = sql`
    update ${table.relation} _row set ${table.storage.assignment([...set, ...touch(table)])}
      from _before where ${matchesBefore(table)}
    returning _before._n, ${writtenState(table, isNeeded, returnsKeys)}`
  const ctes: Cte[] = [
    ['_noted', sql`select current_setting('tessera.unfinished')::json as noted`],
    ['_before', before],
    ['_written', written],
    [
      '_ended',
      sql`select set_config('tessera.unfinished', '', true) from (select count(*) from _written) _all`,
    ],
  ]
  return recordsStatement(
    table,
    ctes,
    events,
    sql`${answer}, (select noted -> 'conflicts' from _noted) as conflicts,
        (select length(set_config) from _ended) as ended`,
  )
}
