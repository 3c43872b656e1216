/** Finds the table of a request in the catalog. */

import { found } from '../../kernel/errors.ts'
import type { Table } from '../model/table.ts'
import type { GuestAction } from '../model/written-fields.ts'
import { refuseInMongodb } from '../providers/mongodb/capabilities.ts'
import {
  datasourceNotFound,
  notMaterialized,
  referenceIsReadOnly,
  sourceIsAway,
  tableNotFound,
} from './errors.ts'
import type { GuestWrite } from './guest-writes.ts'
import type { Catalog, Datasource } from './load-catalog.ts'
import { requireScopes } from './scoped.ts'

/** The address of a datatable: below its datasource or directly below its app. D13. */
export interface TablePath {
  app: string
  datasource?: string
  table: string
}

/** The address of the records of a datatable. */
export interface RecordsPath {
  app: string
  table: string
}

/** The address of one record. */
export interface RecordPath extends RecordsPath {
  /** The primary key, as written in the path. R7. */
  record: string
}

/** Returns the active datasource with a slug. Throws 404 if there is none. */
export const datasourceOf = (catalog: Catalog, slug: string): Datasource =>
  found(
    catalog.datasources.find((candidate) => candidate.slug === slug),
    () => datasourceNotFound(slug, catalog.app.slug),
  )

/**
 * Returns the table of an address. Throws 404 if the app, or the datasource of the path, has no such table,
 * 422 for a reference whose source is in an inactive app or datasource, 403 if the request's API key lacks a
 * scope, and 401 or 403 for a guest if no rule allows anything on the table.
 */
export function tableOf(catalog: Catalog, path: TablePath): Table {
  const { app, datasource, table: name } = path
  requireScopes(catalog, name)
  const table = catalog.tables.get(name)
  if (table && (datasource === undefined || table.datasource.slug === datasource)) return table
  if (catalog.refusal) throw catalog.refusal()
  const away = catalog.away.get(name)
  if (away?.source && datasource === undefined) throw sourceIsAway(name, away.source)
  if (datasource !== undefined) datasourceOf(catalog, datasource)
  throw tableNotFound(name, app, datasource)
}

/** Returns what `tableOf` does, also a reference whose source is away. */
export const tableOrAway = (catalog: Catalog, path: TablePath): Table =>
  (path.datasource === undefined && !catalog.refusal && catalog.away.get(path.table)) ||
  tableOf(catalog, path)

/**
 * Returns a table that may be changed. Throws 403 for a reference, which is changed in the app of its source.
 */
export function ownTableOf(catalog: Catalog, path: TablePath): Table {
  const table = tableOf(catalog, path)
  if (table.source) throw referenceIsReadOnly(table.name, table.source)
  return table
}

/**
 * Returns a table whose records can be read in Postgres. Throws 404 for an unknown table, and 422 for one
 * without a physical table, and for one in MongoDB. D12.
 */
export const materializedTable = (catalog: Catalog, path: RecordsPath): Table =>
  inPostgres(materialized(tableOf(catalog, path), path.app))

/** Returns what `materializedTable` does, also a table whose records are in MongoDB. */
export function readableTable(catalog: Catalog, path: RecordsPath): Table {
  const table = materialized(tableOf(catalog, path), path.app)
  if (table.source) refuseInMongodb(table, 'reference')
  return table
}

/**
 * Returns what a guest may write to a table; undefined if the caller is not a guest. Throws 401 or 403 if no
 * rule allows a guest the action.
 */
export function guestWriteOf(
  { refusal, writes }: Catalog,
  { table }: RecordsPath,
  action: GuestAction | undefined,
): GuestWrite | undefined {
  if (!refusal) return undefined
  const allowed = action && writes?.get(table)?.[action]
  if (!allowed) throw refusal()
  return allowed
}

/** Throws 401 or 403 for a guest if no rule of any table allows writing. */
export function requireWrites({ refusal, writes }: Catalog): void {
  const isAllowed = [...(writes?.values() ?? [])].some((of) => Object.keys(of).length > 0)
  if (refusal && !isAllowed) throw refusal()
}

/**
 * Returns a table whose records can be written. Throws as `materializedTable` does, and 403 for a reference.
 */
export const writableTable = (catalog: Catalog, path: RecordsPath): Table =>
  inPostgres(targetTable(catalog, path))

/** Returns what `writableTable` does, also a table whose records are in MongoDB. */
export const targetTable = (catalog: Catalog, path: RecordsPath): Table =>
  materialized(ownTableOf(catalog, path), path.app)

/**
 * Returns a table. Throws 422 if its records are in MongoDB: most of the service needs them in Postgres.
 */
function inPostgres(table: Table): Table {
  refuseInMongodb(table, 'other')
  return table
}

function materialized(table: Table, app: string): Table {
  if (!table.isMaterialized) throw notMaterialized(table.name, app)
  return table
}
