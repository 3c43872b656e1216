/** Finds the record for a request about its versions. */
import type { RecordPath } from '../catalog/find-table.ts'
import { recordNotFound } from '../failures/errors.ts'
import { isVersioned, type VersionedTable } from '../model/history.ts'
import type { Table } from '../model/table.ts'
import { parseKey } from '../query/plan/keys.ts'
import { noHistory } from './errors.ts'

/**
 * Returns the table and the key of a path. Throws 422 if the table has no history, and 404 for an invalid
 * key.
 */
export function versionedRecord(
  table: Table,
  { record }: RecordPath,
): { table: VersionedTable; key: string[] } {
  if (!isVersioned(table)) throw noHistory(table)
  const key = parseKey(table, record)
  if (!key) throw recordNotFound(table.name, record)
  return { table, key }
}
