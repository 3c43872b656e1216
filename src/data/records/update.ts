/**
 * Changes one record, in part or as a whole, or all records of an array. Spec: Records, PATCH; R9, R12, R13.
 */

import type { RequestContext } from '../../context.ts'
import type { SentBody } from '../../http/body-formats.ts'
import type { RecordPath, RecordsPath } from '../catalog/find-table.ts'
import { withKeyOfId } from '../failures/body.ts'
import { recordNotFound } from '../failures/errors.ts'
import { parseKey } from '../query/plan/keys.ts'
import { all, type Predicate, visible } from '../query/predicate.ts'
import { renderPredicate } from '../query/render/render.ts'
import { row } from '../query/row.ts'
import { readMatching, rejectFilterOptions, selectsRecords } from './matching.ts'
import { readFlags } from './parameters.ts'
import { isRead } from './read-members.ts'
import { throwConflicts, throwFilterConflicts } from './throw-conflicts.ts'
import { checkRecords, type Demands, neededFields } from './validate.ts'
import { asUpdated, type WrittenBody } from './views.ts'
import { selectingFor, type Target, writeBody, writePlan } from './write.ts'
import { writeRecords } from './write-records.ts'

/** A way to change one record. */
interface Change {
  /** Returns the requirements for the body. */
  demands(target: Target): Demands
  /** Whether omitted fields get their defaults. */
  whole?: boolean
}

/** Changes one record in the given way. */
const changeRecord =
  ({ demands, whole }: Change) =>
  (
    ctx: RequestContext,
    path: RecordPath,
    text: string,
    parameters: URLSearchParams,
    ifMatch: readonly string[] | null,
  ): Promise<WrittenBody> =>
    writeBody(ctx, path, {
      action: 'update',
      sent: { text, format: 'json' },
      form: 'one',
      plan(target, body) {
        const { catalog, table, writer, references } = target
        const inbound = target.inbound()
        const { includeDeleted, isDry, returnsRecords = true } = readFlags(parameters)
        const key = parseKey(table, path.record)
        if (!key) throw recordNotFound(table.name, path.record)
        const input = checkRecords(table, body, demands(target))
        const change = {
          input,
          references,
          inbound,
          which: { key },
          includeDeleted,
          ifMatch,
          returnsRecords,
          whole,
        }
        const place = { catalog, table, body, references, inbound, key: table.primaryKey, id: path.record }
        return writePlan({
          isDry,
          statements: writer.updateRecords(table, change),
          check: ({ conflicts }) => throwConflicts(conflicts, place),
        })
      },
      answer: asUpdated,
    })

/**
 * Changes fields of a record. `ifMatch` contains the ETags with which it may be changed; null allows any
 * state. Throws 400, 404, 409, 412 or 422.
 */
export const updateRecord = changeRecord({
  demands: (target) => ({ required: [], canCompute: true, isIgnored: isRead(target) }),
})

/** Replaces a record except for its key. Omitted fields get their defaults. Throws as `updateRecord` does. */
export const replaceRecord = changeRecord({
  demands: (target) => ({
    required: neededFields(target.table).filter((field) => !target.table.primaryKey.includes(field)),
    isIgnored: isRead(target),
  }),
  whole: true,
})

/**
 * Changes all records of an array, or none. Each record has its primary key, or `id` instead. With a filter,
 * changes all records that it matches; the body then is one record. Throws as `updateRecord` does.
 */
export const updateRecords = (
  ctx: RequestContext,
  path: RecordsPath,
  sent: SentBody,
  parameters: URLSearchParams,
): Promise<WrittenBody> =>
  selectsRecords(parameters)
    ? updateMatching(ctx, path, sent, parameters)
    : updateEach(ctx, path, sent, parameters)

/** Changes all records that a filter matches, or all records. */
const updateMatching: typeof updateRecords = (ctx, path, sent, parameters) =>
  writeBody(ctx, path, {
    action: 'update',
    sent,
    form: 'one',
    plan(target, body) {
      const { catalog, table, writer, references, shifts } = target
      const inbound = target.inbound()
      const { includeDeleted, isDry, returnsRecords = true } = readFlags(parameters)
      const which = readMatching(parameters, selectingFor(ctx, target))
      const input = checkRecords(table, body, { required: [], canCompute: true })
      const changedBy = (filter: Predicate) => (includeDeleted ? filter : all([filter, visible(table)]))
      return writePlan({
        isDry,
        mode: 'write',
        // With a limit, which of the matching records change is known only to the statement.
        ...(which.limit === null && { changed: () => renderPredicate(changedBy(which.filter), row) }),
        statements: writer.updateRecords(table, {
          input,
          references,
          inbound,
          which,
          includeDeleted,
          ifMatch: null,
          returnsRecords,
          shifts,
        }),
        check({ conflicts }) {
          throwFilterConflicts(conflicts, which)
          throwConflicts(conflicts, { catalog, table, body, references, inbound, key: table.primaryKey })
        },
      })
    },
    answer: (written) => asUpdated(written, true),
  })

/** Changes the records whose keys the body has. */
const updateEach: typeof updateRecords = (ctx, path, sent, parameters) =>
  writeRecords(ctx, path, {
    action: 'update',
    sent,
    form: 'many',
    parameters,
    describe(target) {
      const { table, writer, references, shifts } = target
      const { includeDeleted, returnsRecords = true } = readFlags(parameters)
      rejectFilterOptions(parameters)
      return {
        changesMany: true,
        demands: { required: table.primaryKey, canCompute: true, isIgnored: isRead(target) },
        key: table.primaryKey,
        bodyOf: (body) => withKeyOfId(body, table),
        statements: (input) =>
          writer.updateRecords(table, {
            input,
            references,
            inbound: target.inbound(),
            which: 'keys of the body',
            includeDeleted,
            ifMatch: null,
            returnsRecords,
            shifts,
          }),
      }
    },
    answer: asUpdated,
  })
