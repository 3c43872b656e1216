/**
 * Deletes records, or marks them as deleted if their table has soft deletion. Spec: Records, DELETE; D5, R9,
 * R10, R12.
 */

import type { RequestContext } from '../../context.ts'
import type { RecordPath, RecordsPath } from '../catalog/find-table.ts'
import { changedMeanwhile, recordNotFound } from '../failures/errors.ts'
import { deleteError } from '../failures/write-errors.ts'
import { parseKey } from '../query/plan/keys.ts'
import { readFlags, readWhich } from './parameters.ts'
import { throwFilterConflicts, throwRuleConflicts } from './throw-conflicts.ts'
import { asDeleted, asDeletedRecord, type RecordBody } from './views.ts'
import { write, writePlan } from './write.ts'

/**
 * Deletes a record. `ifMatch` contains the ETags with which it may be deleted; null allows any state. Returns
 * the deleted record if the parameters or, without them, `isReturned` ask for it. Throws 404 for an unknown
 * record, 412 for another ETag, and 403 if other records reference it.
 */
export const deleteRecord = (
  ctx: RequestContext,
  path: RecordPath,
  parameters: URLSearchParams,
  ifMatch: readonly string[] | null,
  isReturned: boolean,
): Promise<RecordBody | undefined> =>
  write(ctx, path, {
    action: 'delete',
    plan({ table, writer }) {
      const { hardDelete, isDry, returnsRecords = isReturned } = readFlags(parameters)
      const key = parseKey(table, path.record)
      if (!key) throw recordNotFound(table.name, path.record)
      return writePlan({
        isDry,
        mode: 'single',
        statements: writer.deleteRecords(table, {
          which: { keys: [key] },
          hard: hardDelete,
          ifMatch,
          returnsRecords,
        }),
        check(one) {
          throwRuleConflicts(one.conflicts)
          if (one.conflicts?.stale) throw changedMeanwhile(table.name, path.record)
          if (one.written === 0) throw recordNotFound(table.name, path.record)
        },
      })
    },
    answer: (deleted) => asDeletedRecord(deleted, parameters.get('dry_run') === 'true'),
    errorOf: deleteError,
  })

/**
 * Deletes the records of `ids`, or those that `filter` matches, and returns the text of the answer. Unknown
 * ids are ignored. Throws 413 if more records match than one request may delete.
 */
export const deleteRecords = (
  ctx: RequestContext,
  path: RecordsPath,
  parameters: URLSearchParams,
): Promise<string> =>
  write(ctx, path, {
    action: 'delete',
    plan({ catalog, table, shown, writer }) {
      const { hardDelete, isDry, returnsRecords = false } = readFlags(parameters)
      const which = readWhich(parameters, shown, catalog.relationships)
      return writePlan({
        isDry,
        statements: writer.deleteRecords(table, {
          which,
          hard: hardDelete,
          ifMatch: null,
          returnsRecords,
        }),
        check({ conflicts }) {
          throwFilterConflicts(conflicts, parameters)
          throwRuleConflicts(conflicts)
        },
      })
    },
    answer: (written) => asDeleted(written, parameters.has('ids')),
    errorOf: deleteError,
  })
