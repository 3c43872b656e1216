/**
 * The versions of the records of a table, if the table keeps them. They are stored as documents, also if the
 * table itself has columns.
 */
import { join, literal, type Sql, sql } from '../../kernel/db/sql.ts'
import { historyNames } from './names.ts'
import { documentColumn, documentOf } from './storage.ts'
import { storedAs, type Table } from './table.ts'

/** A table that keeps versions. */
export type VersionedTable = Table & { history: Sql }

/** Tells whether a table keeps versions. */
export const isVersioned = (table: Table): table is VersionedTable => table.history !== undefined

/**
 * Returns how many days a version is kept after the next one; undefined if versions are kept without a limit.
 */
export const daysKept = ({ schema: { history } }: Table): number | undefined =>
  typeof history === 'object' ? history.days : undefined

/** Returns the table of the versions, with the fields of the records. */
export function versionsOf(table: VersionedTable): Table {
  if (table.isView) return table
  const { namespace, history: relation, schema, fields } = table
  const physicalName = historyNames(table.physicalName).table
  const storage = storedAs('jsonb', { namespace, relation, schema, fields }, physicalName)
  return { ...table, physicalName, relation, storage, rows: storage.rows(relation), identity: undefined }
}

/**
 * Returns the table as it was at a time, for reading. The version of a record is the number of its version at
 * that time, which no current ETag contains.
 */
export function tableAsOf(table: VersionedTable, time: string): Table {
  const versions = versionsOf(table)
  const at = sql`${time}::timestamptz`
  const then = sql`(
    select _version.${documentColumn}, 'v' || _version.number as xmin from ${table.history} _version
    where _version.valid_from <= ${at} and _version.valid_to > ${at} and _version.operation <> 'delete')`
  return { ...versions, rows: versions.storage.rows(then) }
}

/** Returns the document of a row of the table: all of its fields, also those without a value. */
export const versionDocument = (table: Table, row: Sql): Sql =>
  table.storage.hasColumns
    ? documentOf([...table.fields.values()].map((field) => [field, table.storage.field(field, row)]))
    : whole(table, sql`${row}.${documentColumn}`)

/** Returns a document with all fields of the table. Fields that are missing in the document are null. */
export function whole(table: Table, document: Sql): Sql {
  const nulls = Object.fromEntries([...table.fields.keys()].map((name) => [name, null]))
  return sql`${literal(JSON.stringify(nulls))}::jsonb || ${document}`
}

/** Returns the condition that two rows with documents belong to the same record. */
export function isSameRecord(table: VersionedTable, one: Sql, other: Sql): Sql {
  const { storage, primaryKey } = versionsOf(table)
  return join(
    primaryKey.map((field) => sql`${storage.field(field, one)} = ${storage.field(field, other)}`),
    sql` and `,
  )
}
