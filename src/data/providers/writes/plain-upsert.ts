/**
 * Upserts by one `insert … on conflict`, where only a failure can be a conflict. It writes all records or
 * none; then the statement of upsert.ts finds out why.
 */

import { DataSql } from '../../../kernel/db/data-sql.ts'
import {
  type DatabaseFailure,
  isConstraintViolation,
  isInvalidValue,
  sqlstates,
} from '../../../kernel/db/failures.ts'
import { emptySql, identifier, join, OneSql, type Sql, sql } from '../../../kernel/db/sql.ts'
import type { Field } from '../../model/field.ts'
import { uniqueKeysOf } from '../../model/keys.ts'
import type { Table } from '../../model/table.ts'
import type { RecordUpsert, UpsertedRecords, WriteBatch } from '../provider.ts'
import { hasSubscribers } from './ctes.ts'
import { defaultOf, inputColumn, isUniform, uniformInput } from './input.ts'
import { insertion, insertValues } from './insert.ts'
import { oneRecord } from './one-record.ts'
import { plainRecords } from './plain-records.ts'
import { allEqual, assignments, rowColumns } from './rows.ts'

/** Returns the statement; undefined if the upsert could have conflicts that are no failures. */
export function plainUpsert(table: Table, upsert: RecordUpsert): Sql<UpsertedRecords> | undefined {
  if (!isPlain(table, upsert)) return undefined
  return upsert.input.count === 1 ? upsertOne(table, upsert) : upsertMany(table, upsert)
}

/** Tells whether a statement of this file failed, for a reason that the statement of upsert.ts explains. */
export const isUnexplained = ({ written }: WriteBatch<object>, failure: DatabaseFailure): boolean =>
  (written instanceof OneSql || written instanceof DataSql) &&
  (failure.sqlstate === sqlstates.repeatedRow ||
    isConstraintViolation(failure.sqlstate) ||
    isInvalidValue(failure.sqlstate))

/**
 * Tells whether all records can be inserted, are as easily changed, and have no other unique values: those
 * can pass from one record to another, so that the order of the changes matters.
 */
function isPlain(table: Table, upsert: RecordUpsert): boolean {
  const { input, unique, needed, references, isAlone, returnsKeys } = upsert
  const { primaryKey, softDelete, history, storage } = table
  const isSent = ({ name }: Field) => input.counts.has(name)
  const isKnown = (fields: readonly string[]) =>
    [unique, primaryKey].some(
      (key) => key.length === fields.length && key.every(({ name }) => fields.includes(name)),
    )
  return (
    isAlone === true &&
    !returnsKeys &&
    storage.hasColumns &&
    isUniform(input) &&
    !softDelete &&
    !history &&
    references.length === 0 &&
    !hasSubscribers(table, 'RECORD_CREATE') &&
    !hasSubscribers(table, 'RECORD_UPDATE') &&
    [...unique, ...needed].every(isSent) &&
    primaryKey.every((field) => unique.includes(field) || !isSent(field)) &&
    uniqueKeysOf(table).every(({ fields, where }) => !where && isKnown(fields))
  )
}

/** Returns the end of the insert, which changes the record that has the key. */
function onConflict(table: Table, { input, unique }: RecordUpsert): Sql {
  const value = ({ column }: Field) => sql`excluded.${column}`
  const set = assignments(table, input, { kept: unique, sent: emptySql, value })
  return sql`on conflict (${join(unique.map(({ column }) => column))}) do update set ${set}`
}

/**
 * Returns the numbers of the records, unless they have some already. A record that is there has its number
 * from `present`, and takes none from the sequence.
 */
function numbersOf(
  table: Table,
  { input }: RecordUpsert,
  present: (identity: Field) => Sql,
): ReadonlyMap<Field, Sql> {
  const { identity, triesNumbers, storage } = table
  if (!identity || input.counts.has(identity.name)) return new Map()
  const next = triesNumbers
    ? defaultOf(table, identity)
    : // Finds the sequence once for all records.
      sql`nextval((select ${storage.sequence(identity)}::regclass))`
  return new Map([[identity, sql`coalesce(${present(identity)}, ${next ?? sql`null`})`]])
}

function upsertOne(table: Table, upsert: RecordUpsert): Sql<UpsertedRecords> | undefined {
  const { input, unique } = upsert
  const one = oneRecord(table, upsert)
  if (!one) return undefined
  const same = allEqual(rowColumns(unique), unique.map(one.value))
  const given = numbersOf(
    table,
    upsert,
    // A record that another transaction deletes at this moment is waited for, and does not keep its number.
    ({ column }) => sql`(select _row.${column} from ${table.relation} _row where ${same} for no key update)`,
  )
  const insert = insertValues(table, input, one, given)
  return one.returning(sql`${insert} ${onConflict(table, upsert)}`, { isUpsert: true })
}

/**
 * Returns the statement for several records. Those that are there are locked in the order of their primary
 * keys, and the others inserted in the order of their keys, as by upsert.ts, so that writes do not wait for
 * each other.
 */
function upsertMany(table: Table, upsert: RecordUpsert): Sql<UpsertedRecords> {
  const { input, unique } = upsert
  const columnOf = (of: Sql) => (field: Field) => sql`${of}.${field.column}`
  const keys = unique.map((field) => sql`_input.${inputColumn(table, field)}`)
  const isSame = allEqual(unique.map(columnOf(sql`_known`)), keys)
  const order = [...table.primaryKey.map(columnOf(sql`_known`)), ...keys]
  const from = sql`_input left join ${table.relation} _known on ${isSame}`
  const given = numbersOf(table, upsert, columnOf(sql`_known`))
  const insert = insertion(table, input, { from, given, order: join(order) })
  const written = unique.map((_, position) => identifier(`_u${position}`))
  return plainRecords(table, upsert, {
    before: sql`_input as materialized (${uniformInput(table, input)}), `,
    write: sql`${insert} ${onConflict(table, upsert)}`,
    more: join(
      unique.map(({ column }, position) => sql`, _row.${column} as ${written[position] as Sql}`),
      emptySql,
    ),
    ordered: {
      from: sql`(select _written.*, _input._n from _written join _input on ${allEqual(keys, written)}) _all`,
      order: sql`_n`,
    },
    isUpsert: true,
  })
}
