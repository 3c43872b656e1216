/**
 * Deletes records, or marks them as deleted if their table has soft deletion. Spec: Records, DELETE; D5, R9,
 * R10, R12.
 */

import type { RequestContext } from '../../context.ts'
import { booleanOf } from '../../lib/boolean-text.ts'
import type { RecordPath, RecordsPath } from '../catalog/find-table.ts'
import { changedMeanwhile, recordNotFound } from '../failures/errors.ts'
import { deleteError } from '../failures/write-errors.ts'
import { parseKey } from '../query/plan/keys.ts'
import { readWhich } from './matching.ts'
import { readFlags } from './parameters.ts'
import { throwFilterConflicts, throwHeld, throwRuleConflicts } from './throw-conflicts.ts'
import { asDeleted, asDeletedRecord, type RecordBody } from './views.ts'
import { selectingFor, write, writePlan } from './write.ts'

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
    plan({ catalog, table, writer, inbound }) {
      const { hardDelete, isDry, returnsRecords = isReturned } = readFlags(parameters)
      const key = parseKey(table, path.record)
      if (!key) throw recordNotFound(table.name, path.record)
      const holding = inbound()
      return writePlan({
        isDry,
        mode: 'single',
        statements: writer.deleteRecords(table, {
          inbound: holding,
          which: { keys: [key] },
          hard: hardDelete,
          ifMatch,
          returnsRecords,
        }),
        check(one) {
          throwRuleConflicts(one.conflicts)
          throwHeld(one.conflicts, holding, catalog)
          if (one.conflicts?.stale) throw changedMeanwhile(table.name, path.record)
          if (one.written === 0) throw recordNotFound(table.name, path.record)
        },
      })
    },
    answer: (deleted) => asDeletedRecord(deleted, booleanOf(parameters.get('dry_run')) === true),
    errorOf: deleteError,
  })

/**
 * Deletes the records of `ids`, those that `filter` matches, or all, and returns the text of the answer.
 * Unknown ids are ignored. Throws 413 if more records match than one request may delete, and 422 if many
 * match and the request does not say that it means so.
 */
export const deleteRecords = (
  ctx: RequestContext,
  path: RecordsPath,
  parameters: URLSearchParams,
): Promise<string> =>
  write(ctx, path, {
    action: 'delete',
    plan(target) {
      const { catalog, table, writer } = target
      const { hardDelete, isDry, returnsRecords = false } = readFlags(parameters)
      const which = readWhich(parameters, selectingFor(ctx, target))
      const holding = target.inbound()
      return writePlan({
        isDry,
        statements: writer.deleteRecords(table, {
          inbound: holding,
          which,
          hard: hardDelete,
          ifMatch: null,
          returnsRecords,
        }),
        check({ conflicts }) {
          if ('filter' in which) throwFilterConflicts(conflicts, which)
          throwRuleConflicts(conflicts)
          throwHeld(conflicts, holding, catalog)
        },
      })
    },
    answer: (written) => asDeleted(written, parameters.has('ids')),
    errorOf: deleteError,
  })
