/** The errors of versions. */
import { AppError } from '../../kernel/errors.ts'
import { HistoryMissing } from '../model/history-missing.ts'
import type { Table } from '../model/table.ts'

/** The 422 for a table without a history. */
export const noHistory = (table: Table) =>
  new HistoryMissing(table, 422, 'no_history', {
    error: 'No history',
    detail: `"${table.name}" keeps no versions of its records. Set "history": true in its schema.`,
  })

/** The 404 for an unknown version of a record. */
export const versionNotFound = (table: string, id: string, version: string) =>
  new AppError(404, 'version_not_found', {
    error: 'Version not found',
    detail: `The record ${JSON.stringify(id)} of "${table}" has no version ${JSON.stringify(version)}.`,
  })

/** The 422 for restoring a version that is a deletion. */
export const versionIsDeletion = (version: number) =>
  new AppError(422, 'cannot_be_restored', {
    error: 'Nothing to restore',
    detail: `Version ${version} is a deletion and has no record. Restore the version before it.`,
  })
