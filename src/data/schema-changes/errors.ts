/** The errors of schema changes. */
import { AppError, type Json } from '../../errors.ts'
import type { Violation } from './schema.ts'

/** The change would lose values. 422. `changes` are the steps that lose them. D8. */
export const dataLoss = (changes: readonly Json[]) =>
  new AppError(422, {
    error: 'Schema change can lose data',
    detail: 'These steps lose values of existing records. Send ?allow_data_loss=true to allow this.',
    changes,
  })

/**
 * Existing records do not fit the new schema. 422. `violations` is empty if the records are not known. D13.
 */
export const recordsBreakSchema = (violations: readonly Violation[]) =>
  new AppError(422, {
    error: 'Existing records break the schema',
    detail:
      violations.length > 0
        ? violations.map(({ detail }) => detail).join(' ')
        : 'Postgres rejected the change: a record has changed in the meantime, or is too large for an index.',
    violations,
  })

/** Another change was committed after this one had been examined. 409. */
export const schemaChangedMeanwhile = (name: string) =>
  new AppError(409, {
    error: 'Schema has changed',
    detail: `"${name}" has been changed by another request. Read its schema and send the change again.`,
  })

/** Another change of the same table is in progress. 409. */
export const changeInProgress = (name: string) =>
  new AppError(409, {
    error: 'Schema change in progress',
    detail: `Another change of "${name}" is in progress. Retry later.`,
  })

/** The table could not be locked, because other transactions held it. 409. */
export const tableBusy = (name: string) =>
  new AppError(409, {
    error: 'Datatable is busy',
    detail: `Could not lock "${name}": it is under constant load. Nothing was changed; retry later.`,
  })

/** The client has not seen the schema that it would replace. 412. */
export const schemaNotSeen = (name: string) =>
  new AppError(412, {
    error: 'Precondition failed',
    detail: `The schema of "${name}" is another than the one that If-Match names. Read it again.`,
  })

/** The change would drop, rename or retype fields that foreign keys reference. 422. */
export const fieldsReferenced = (name: string, references: readonly Json[]) =>
  new AppError(422, {
    error: 'Fields are referenced',
    detail:
      `Other datatables reference fields of "${name}" that this change would drop, rename or retype. ` +
      'Change their foreign keys first.',
    referenced_by: references,
  })

/** A foreign key of the table references a table of an inactive datasource. 422. */
export const referencesInactive = (name: string, resource: string) =>
  new AppError(422, {
    error: 'Referenced datatable is not active',
    detail:
      `"${name}" references "${resource}", which is not active. Restore "${resource}" before you change ` +
      `the schema of "${name}".`,
  })

/** A rollback would drop a table that others reference. 409. D10. */
export const stillReferenced = (name: string, references: readonly Json[]) =>
  new AppError(409, {
    error: 'Datatable is referenced',
    detail: `Other datatables reference "${name}".`,
    referenced_by: references,
  })

/**
 * Other objects of Postgres depend on an object to drop, and they do not belong to an active table of the
 * app. 409.
 */
export const dependedUpon = (name: string) =>
  new AppError(409, {
    error: 'Datatable is referenced',
    detail: `An inactive datatable references a part of "${name}" that this change would drop.`,
  })

/** The change ran into the time limit of Postgres. 422. */
export const takesTooLong = (name: string) =>
  new AppError(422, {
    error: 'Schema change takes too long',
    detail: `"${name}" is too large for this change. The change was canceled, and nothing was changed.`,
  })

/** The table has no operation with this id. 404. */
export const operationNotFound = (id: number, name: string) =>
  new AppError(404, {
    error: 'Operation not found',
    detail: `The history of "${name}" has no operation ${id}.`,
  })

/** The operation has the status `rolled_back`. 409. */
export const alreadyRolledBack = (id: number) =>
  new AppError(409, {
    error: 'Operation already rolled back',
    detail: `Operation ${id} has already been rolled back.`,
  })

/** The operation cannot be undone. 422. `reason` is the rest of the sentence. */
export const cannotRollBack = (id: number, reason: string) =>
  new AppError(422, { error: 'Operation cannot be rolled back', detail: `Operation ${id} ${reason}` })

/**
 * Later changes of the table depend on this one. 409. `revisions` are operations of the later changes, the
 * latest first.
 */
export const laterChanges = (revisions: readonly number[]) =>
  new AppError(409, {
    error: 'Later changes must be rolled back first',
    detail: `Roll back the later changes first, starting with the latest: ${revisions.join(', ')}.`,
    revisions,
  })
