/**
 * Changes one record, in part or as a whole, or all records of an array. Spec: Records, PATCH; R9, R12, R13.
 */

import type { RequestContext } from '../../context.ts'
import type { SentBody } from '../../http/body-formats.ts'
import type { RecordPath, RecordsPath } from '../catalog/find-table.ts'
import type { Catalog } from '../catalog/load-catalog.ts'
import { withKeyOfId } from '../failures/body.ts'
import { recordNotFound } from '../failures/errors.ts'
import { relationshipsOf } from '../model/relationships.ts'
import type { Table } from '../model/table.ts'
import { parseKey } from '../query/plan/keys.ts'
import { readFlags, readMatchingRecords, rejectFilterOptions } from './parameters.ts'
import { throwConflicts, throwFilterConflicts } from './throw-conflicts.ts'
import { checkRecords, type Demands, neededFields } from './validate.ts'
import { asUpdated, type WrittenBody } from './views.ts'
import { type Target, writeBody, writePlan } from './write.ts'
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
        const { table, writer, references } = target
        const { includeDeleted, isDry, returnsRecords = true } = readFlags(parameters)
        const key = parseKey(table, path.record)
        if (!key) throw recordNotFound(table.name, path.record)
        const input = checkRecords(table, body, demands(target))
        const change = { input, references, which: { key }, includeDeleted, ifMatch, returnsRecords, whole }
        const place = { table, body, references, key: table.primaryKey, id: path.record }
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
export const updateRecord = changeRecord({ demands: () => ({ required: [], canCompute: true }) })

/** Replaces a record except for its key. Omitted fields get their defaults. Throws as `updateRecord` does. */
export const replaceRecord = changeRecord({
  demands: ({ catalog, table, shown }) => ({
    required: neededFields(table).filter((field) => !table.primaryKey.includes(field)),
    isIgnored: isShown(catalog, shown),
  }),
  whole: true,
})

/**
 * Recognizes members of an answer that cannot be written. They are ignored, so that a client can send a
 * record as it was read.
 */
function isShown({ relationships }: Catalog, table: Table): (name: string, value: unknown) => boolean {
  const { byName } = relationshipsOf(relationships, table)
  return (name, value) => (byName.has(name) && typeof value === 'object') || ofAnswers.has(name)
}

/** Members that a walk adds to a record. */
const ofAnswers: ReadonlySet<string> = new Set(['_count', '_depth', '_more', '_relationship_type'])

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
  parameters.has('filter')
    ? updateMatching(ctx, path, sent, parameters)
    : updateEach(ctx, path, sent, parameters)

/** Changes all records that a filter matches. */
const updateMatching: typeof updateRecords = (ctx, path, sent, parameters) =>
  writeBody(ctx, path, {
    action: 'update',
    sent,
    form: 'one',
    plan({ catalog, table, shown, writer, references }, body) {
      const { includeDeleted, isDry, returnsRecords = true } = readFlags(parameters)
      const filter = parameters.get('filter') ?? ''
      const which = readMatchingRecords(filter, parameters, shown, catalog.relationships)
      const input = checkRecords(table, body, { required: [], canCompute: true })
      return writePlan({
        isDry,
        mode: 'write',
        statements: writer.updateRecords(table, {
          input,
          references,
          which,
          includeDeleted,
          ifMatch: null,
          returnsRecords,
        }),
        check({ conflicts }) {
          throwFilterConflicts(conflicts, parameters)
          throwConflicts(conflicts, { table, body, references, key: table.primaryKey })
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
    describe({ table, writer, references }) {
      const { includeDeleted, returnsRecords = true } = readFlags(parameters)
      rejectFilterOptions(parameters)
      return {
        demands: { required: table.primaryKey, canCompute: true },
        key: table.primaryKey,
        bodyOf: (body) => withKeyOfId(body, table),
        statements: (input) =>
          writer.updateRecords(table, {
            input,
            references,
            which: 'keys of the body',
            includeDeleted,
            ifMatch: null,
            returnsRecords,
          }),
      }
    },
    answer: asUpdated,
  })
