/** Creates any number of records by one statement. */

import { aggregateWithin } from '../../../kernel/db/answer-size.ts'
import { emptySql, identifier, join, OneSql, type Sql, sql } from '../../../kernel/db/sql.ts'
import { uniqueKeysOf } from '../../model/keys.ts'
import type { Field, Table } from '../../model/table.ts'
import { measureRecords } from '../../query/render/answer-size.ts'
import { plainRecord } from '../../query/render/plain-record.ts'
import { entityTag } from '../../query/render/render.ts'
import { readVersioned, versionColumn } from '../../query/render/render-one.ts'
import { recordColumns } from '../../query/render/render-record.ts'
import type { CreatedRecords, RecordCreation, WriteBatch } from '../provider.ts'
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
  recordsWithinLimit,
} from './ctes.ts'
import {
  defaultOf,
  type InputRows,
  ifSent,
  inputColumn,
  inputCte,
  isUniform,
  oneInput,
  uniformInput,
} from './input.ts'
import { deletedTargets, deletedTargetsOfCreated } from './references.ts'
import { rowAlias, writtenState } from './rows.ts'

/** See Provider. */
export function insertRecords(table: Table, creation: RecordCreation): WriteBatch<CreatedRecords> {
  const { input, references, returnsKeys, ignoresTaken } = creation
  const conflicts = deletedTargets(deletedTargetsOfCreated(table, input, references))
  const canConflict = Object.keys(conflicts).length > 0
  const numbering = advanceIdentity(table, input)
  if (isPlain(table, creation) && !canConflict)
    return { numbering, written: insertOne(table, creation) ?? plainInsert(table, creation) }
  const where = canConflict ? sql`where ${ifNoConflicts(conflicts)}` : emptySql
  // The primary key tells which record of the body was inserted, so its defaults must be in `_input` already.
  const filled = ignoresTaken ? table.primaryKey : []
  const state = writtenState(table, needsRecords(table, creation, ['RECORD_CREATE']), returnsKeys)
  const inserted = sql`
    ${insertion(table, input, { filled, order: sql`_n`, where })}
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
function plainInsert(table: Table, { input, returnsRecords }: RecordCreation): Sql<CreatedRecords> {
  const from = sql`(${uniformInput(table, input)}) _input`
  const inserted = insertion(table, input, { from, filled: [], order: sql`_n`, where: emptySql })
  if (!returnsRecords)
    return sql`with _inserted as (${inserted} returning 1)
      select null as data, null as etag, count(*) as written from _inserted`
  const record = join([...table.fields.values()].map(({ column }) => column))
  const [item, rows] = [sql`_record`, input.count]
  const measure = measureRecords(table, { fields: undefined, populate: [] }, { of: item, rows })
  const records = aggregateWithin(sql`json_agg(_record)`, {
    measure,
    item,
    rows,
  })
  return sql`
    with _inserted as (${inserted} returning ${recordColumns(table)}, _row.xmin as _version)
    select ${recordsWithinLimit} as data, etag, written
      from (select ${records}::text as records, min(${entityTag}) as etag, count(*) as written
              from _inserted, lateral (select ${record}) _record offset 0) _answer`
}

/**
 * Returns the statement that inserts one record and returns its columns. Undefined if that is not possible.
 * Postgres plans it in half the time of `plainInsert`.
 */
function insertOne(
  table: Table,
  { input, returnsRecords, isAlone = false }: RecordCreation,
): Sql<CreatedRecords> | undefined {
  const plain = isAlone && returnsRecords && input.count === 1 ? plainRecord(table) : undefined
  if (!plain) return undefined
  const from = sql`(${oneInput(table, input)}) _input`
  const inserted = insertion(table, input, { from, filled: [], where: emptySql })
  return new OneSql(sql`${inserted} returning ${plain.columns}, ${versionColumn}`, (text) => {
    const { data, etag } = readVersioned(plain.reform(text))
    return { data: `[${data}]`, etag, written: 1 }
  })
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
  /** The fields that have their default in `_input` already. */
  filled: readonly Field[]
  /** Omitted: there is one row. */
  order?: Sql
  /** A `where` clause, or nothing. */
  where: Sql
}

/** Returns the insert of the rows of `_input`. */
export function insertion(
  table: Table,
  input: InputRows,
  { from = sql`_input`, filled, order, where }: InsertOptions,
): Sql {
  const { storage } = table
  const named = [...table.fields.values()].filter(
    (field) =>
      input.counts.has(field.name) ||
      filled.includes(field) ||
      (table.triesNumbers && field === table.identity) ||
      (!storage.hasColumns && defaultOf(table, field) !== undefined),
  )
  // Records without any field are inserted with the primary key only. Every table has one.
  const fields = named.length > 0 ? named : table.primaryKey
  const { columns, values } = storage.insertion(
    fields.map((field) => [
      field,
      filled.includes(field) ? inputColumn(table, field) : insertedValue(table, input, field),
    ]),
  )
  return sql`
    insert into ${table.relation} as _row (${columns})
    select ${values} from ${from} ${where}${order ? sql` order by ${order}` : emptySql}`
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
