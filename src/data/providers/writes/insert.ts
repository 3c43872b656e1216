/** Creates any number of records by one statement. */

import { emptySql, identifier, join, type Sql, sql } from '../../../kernel/db/sql.ts'
import type { Field } from '../../model/field.ts'
import { uniqueKeysOf } from '../../model/keys.ts'
import type { Table } from '../../model/table.ts'
import type { CreatedRecords, RecordCreation, WriteBatch } from '../provider.ts'
import { claimed, claimsOfCreated } from './claimed.ts'
import {
  type Cte,
  conflictsAnswer,
  conflictsCte,
  hasSubscribers,
  ifNoConflicts,
  needsRecords,
  places,
  recordsAnswer,
  recordsStatement,
} from './ctes.ts'
import { defaultOf, type InputRows, ifSent, inputColumn, inputCte, isUniform, uniformInput } from './input.ts'
import { type OneRecord, oneRecord } from './one-record.ts'
import { plainRecords } from './plain-records.ts'
import { deletedTargets, deletedTargetsOfCreated } from './references.ts'
import { rowAlias, writtenState } from './rows.ts'

/** See Provider. */
export function insertRecords(table: Table, creation: RecordCreation): WriteBatch<CreatedRecords> {
  const { input, references, returnsKeys, ignoresTaken } = creation
  const conflicts = {
    ...deletedTargets(deletedTargetsOfCreated(table, input, references)),
    ...claimed(table, input, [claimsOfCreated(table, input)]),
  }
  const canConflict = Object.keys(conflicts).length > 0
  const numbering = advanceIdentity(table, input)
  if (isPlain(table, creation) && !canConflict)
    return { numbering, written: insertOne(table, creation) ?? plainInsert(table, creation) }
  const where = canConflict ? sql`where ${ifNoConflicts(conflicts)}` : emptySql
  // The primary key tells which record of the body was inserted, so its defaults must be in `_input` already.
  const filled = ignoresTaken ? table.primaryKey : []
  const state = writtenState(table, needsRecords(table, creation, ['RECORD_CREATE']), returnsKeys)
  const inserted = sql`
    ${insertion(table, input, { given: inInput(table, filled), order: sql`_n`, where })}
    ${ignoresTaken ? sql`on conflict do nothing` : emptySql}
    returning ${ignoresTaken ? sql`${uniqueColumns(table)}, ` : emptySql}${state}`
  const written = ignoresTaken
    ? sql`select (${sentPlace(table, input)}) as _n, _inserted.* from _inserted`
    : sql`select row_number() over () as _n, _inserted.* from _inserted`
  const ctes: Cte[] = [
    inputCte(table, input, filled),
    ...(canConflict ? [conflictsCte(conflicts)] : []),
    ['_inserted', inserted],
    ['_written', written],
  ]
  const answer = [
    recordsAnswer(creation),
    ...(ignoresTaken ? [ignored] : []),
    ...(canConflict ? [conflictsAnswer] : []),
  ]
  return {
    numbering,
    written: recordsStatement(table, ctes, [{ event: 'RECORD_CREATE' }], join(answer)),
  }
}

/** Tells whether the statement only inserts rows, which takes Postgres half the time. */
const isPlain = (table: Table, { input, ignoresTaken, returnsKeys = false }: RecordCreation): boolean =>
  isUniform(input) &&
  !ignoresTaken &&
  !returnsKeys &&
  table.storage.hasColumns &&
  !hasSubscribers(table, 'RECORD_CREATE')

/** Returns the statement of a plain insertion. Rows are returned in the order in which they are inserted. */
function plainInsert(table: Table, creation: RecordCreation): Sql<CreatedRecords> {
  const { input } = creation
  const from = sql`(${uniformInput(table, input)}) _input`
  const write = insertion(table, input, { from, order: sql`_n` })
  return plainRecords(table, creation, { write })
}

/** Returns the statement that inserts one record; undefined if it must be inserted like many. */
function insertOne(table: Table, creation: RecordCreation): Sql<CreatedRecords> | undefined {
  const one = oneRecord(table, creation)
  return one?.returning(insertValues(table, creation.input, one))
}

/** Returns the insert of one record. `given`: see InsertOptions. */
export function insertValues(
  table: Table,
  input: InputRows,
  one: OneRecord,
  given: ReadonlyMap<Field, Sql> = new Map(),
): Sql {
  const fields = insertedFields(table, input, given)
  const { columns, values } = table.storage.insertion(
    fields.map((field) => {
      const sent = input.counts.has(field.name) ? one.value(field) : defaultOf(table, field)
      return [field, given.get(field) ?? sent ?? sql`null`]
    }),
  )
  return sql`insert into ${table.relation} as _row (${columns}) values (${values})`
}

const ignored = sql`(${places(sql`_input where _n not in (select _n from _written)`)}) as ignored`

/** Returns the fields of all unique keys, including the primary key. */
const uniqueFields = (table: Table): Field[] =>
  [...new Set(uniqueKeysOf(table).flatMap(({ fields }) => fields))].flatMap(
    (name) => table.fields.get(name) ?? [],
  )

const uniqueColumn = (position: number): Sql => identifier(`_u${position}`)

/** Returns the fields of unique keys as columns of `_inserted`. */
const uniqueColumns = (table: Table): Sql =>
  join(
    uniqueFields(table).map(
      (field, position) => sql`${table.storage.field(field, rowAlias)} as ${uniqueColumn(position)}`,
    ),
  )

/**
 * Returns a query for the position in the body of a record in `_inserted`. Of several records with the same
 * unique keys, the first one was inserted.
 */
function sentPlace(table: Table, { counts }: InputRows): Sql {
  const same = uniqueFields(table).flatMap((field, position) => {
    const value = sql`_input.${inputColumn(table, field)}`
    const stored = sql`_inserted.${uniqueColumn(position)}`
    if (table.primaryKey.includes(field)) return [sql`${value} = ${stored}`]
    if (!counts.has(field.name)) return []
    return [sql`(not _input._sent ? ${field.name} or ${value} is not distinct from ${stored})`]
  })
  return sql`select min(_input._n) from _input where ${join(same, sql` and `)}`
}

interface InsertOptions {
  /** The rows, named `_input`. Omitted: the CTE of this name. */
  from?: Sql
  /** The values of fields that are not as in `insertedValue`. */
  given?: ReadonlyMap<Field, Sql>
  order: Sql
  /** A `where` clause, or nothing. */
  where?: Sql
}

/** Returns the values of fields that have their default in `_input` already. */
export const inInput = (table: Table, fields: readonly Field[]): ReadonlyMap<Field, Sql> =>
  new Map(fields.map((field) => [field, inputColumn(table, field)]))

/** Returns the insert of the rows of `_input`. */
export function insertion(
  table: Table,
  input: InputRows,
  { from = sql`_input`, given = new Map(), order, where = emptySql }: InsertOptions,
): Sql {
  const { columns, values } = table.storage.insertion(
    insertedFields(table, input, given).map((field) => [
      field,
      given.get(field) ?? insertedValue(table, input, field),
    ]),
  )
  return sql`
    insert into ${table.relation} as _row (${columns})
    select ${values} from ${from} ${where} order by ${order}`
}

/** Returns the fields that an insert names. */
function insertedFields(
  table: Table,
  { counts }: InputRows,
  given: ReadonlyMap<Field, Sql>,
): readonly Field[] {
  const named = [...table.fields.values()].filter(
    (field) =>
      field.formula === undefined &&
      (counts.has(field.name) ||
        given.has(field) ||
        (table.triesNumbers && field === table.identity) ||
        (!table.storage.hasColumns && defaultOf(table, field) !== undefined)),
  )
  // Records without any field are inserted with the primary key only. Every table has one.
  return named.length > 0 ? named : table.primaryKey
}

/** Returns the value of a field in the record. Without a value, returns the default. */
function insertedValue(table: Table, { counts, count }: InputRows, field: Field): Sql {
  const sentCount = counts.get(field.name) ?? 0
  const otherwise = defaultOf(table, field) ?? sql`null`
  if (sentCount === 0) return otherwise
  return sentCount === count
    ? inputColumn(table, field)
    : ifSent(sql`_sent`, field, inputColumn(table, field), otherwise)
}

/** Higher numbers do not move the sequence, which would soon be exhausted. */
const identityMax = String(2 ** 53 - 1)

/**
 * Moves the sequence past the highest number that a client has sent, so that a record without a number does
 * not get one that is taken.
 */
export function advanceIdentity(table: Table, { highestIdentity }: InputRows): Sql | undefined {
  if (!table.identity || highestIdentity === undefined) return undefined
  const [sequence, highest] = [
    table.storage.sequence(table.identity),
    sql`${String(highestIdentity)}::bigint`,
  ]
  const isLow = sql`${highest} < ${identityMax}::bigint`
  if (table.triesNumbers) return sql`select tessera.pass_number(${sequence}, ${highest}) where ${isLow}`
  return sql`
    select setval(${sequence}, ${highest})
     where ${highest} > (select coalesce(pg_sequence_last_value(${sequence}::regclass), 0)) and ${isLow}`
}
