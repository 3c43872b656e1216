/** The errors of schema changes. */
import { AppError, type Json } from '../../kernel/errors.ts'
import type { Violation } from './schema.ts'

/** The 422 if the change would lose values. `changes` are the steps that lose them. D8. */
export const dataLoss = (changes: readonly Json[]) =>
  new AppError(422, 'data_loss', {
    error: 'Schema change can lose data',
    detail: 'These steps lose values of existing records. Send ?allow_data_loss=true to allow this.',
    changes,
  })

/**
 * The 422 if existing records do not fit the new schema. `violations` is empty if the records are not known.
 * D13.
 */
export const recordsBreakSchema = (violations: readonly Violation[]) =>
  new AppError(422, 'records_break_schema', {
    error: 'Existing records break the schema',
    detail:
      violations.length > 0
        ? violations.map(({ detail }) => detail).join(' ')
        : 'Postgres rejected the change: a record has changed in the meantime, or is too large for an index.',
    violations,
  })

/** The 409 if another change was committed after this one had been examined. */
export class SchemaChangedMeanwhile extends AppError {
  constructor(name: string) {
    super(409, 'changed_meanwhile', {
      error: 'Schema has changed',
      detail: `"${name}" has been changed by another request. Read its schema and send the change again.`,
    })
  }
}

/** The 409 if another change of the same table is in progress. */
export const changeInProgress = (name: string) =>
  new AppError(409, 'schema_change_in_progress', {
    error: 'Schema change in progress',
    detail: `Another change of "${name}" is in progress. Retry later.`,
  })

/** The 409 if somebody has cancelled the change. */
export class ChangeCancelled extends AppError {
  constructor(name: string) {
    super(409, 'changed_meanwhile', {
      error: 'Schema change cancelled',
      detail: `The change of "${name}" was cancelled. Nothing was changed.`,
    })
  }
}

/** The 409 if the table could not be locked, because other transactions held it. */
export const tableBusy = (name: string) =>
  new AppError(409, 'table_busy', {
    error: 'Datatable is busy',
    detail: `Could not lock "${name}": it is under constant load. Nothing was changed; retry later.`,
  })

/** The 503 if Postgres goes on with a step of the change while nobody waits for it. */
export const stepGoesOn = (name: string) =>
  new AppError(503, 'schema_change_in_progress', {
    error: 'Schema change in progress',
    detail: `Postgres works on a step of the change of "${name}".`,
  })

/** The 412 if the client has not seen the schema that it would replace. */
export const schemaNotSeen = (name: string) =>
  new AppError(412, 'changed_meanwhile', {
    error: 'Precondition failed',
    detail: `The schema of "${name}" is another than the one that If-Match names. Read it again.`,
  })

/** The 422 if the change would drop, rename or retype fields that foreign keys reference. */
export const fieldsReferenced = (name: string, references: readonly Json[]) =>
  new AppError(422, 'still_referenced', {
    error: 'Fields are referenced',
    detail:
      `Other datatables reference fields of "${name}" that this change would drop, rename or retype. ` +
      'Change their foreign keys first.',
    referenced_by: references,
  })

/** The 422 if a foreign key of the table references a table of an inactive datasource. */
export const referencesInactive = (name: string, resource: string) =>
  new AppError(422, 'source_inactive', {
    error: 'Referenced datatable is not active',
    detail:
      `"${name}" references "${resource}", which is not active. Restore "${resource}" before you change ` +
      `the schema of "${name}".`,
  })

/** The 409 if a rollback would drop a table that others reference. D10. */
export const stillReferenced = (name: string, references: readonly Json[]) =>
  new AppError(409, 'still_referenced', {
    error: 'Datatable is referenced',
    detail: `Other datatables reference "${name}".`,
    referenced_by: references,
  })

/**
 * The 409 if other objects of Postgres depend on an object to drop, and they do not belong to an active table
 * of the app.
 */
export const dependedUpon = (name: string) =>
  new AppError(409, 'still_referenced', {
    error: 'Datatable is referenced',
    detail: `An inactive datatable references a part of "${name}" that this change would drop.`,
  })

/** The 422 if the change ran into the time limit of Postgres. */
export const takesTooLong = (name: string) =>
  new AppError(422, 'time_limit_exceeded', {
    error: 'Schema change takes too long',
    detail: `"${name}" is too large for this change. The change was canceled, and nothing was changed.`,
  })

/** The 404 if the table has no operation with this id. */
export const operationNotFound = (id: number, name: string) =>
  new AppError(404, 'not_found', {
    error: 'Operation not found',
    detail: `The history of "${name}" has no operation ${id}.`,
  })

/** The 409 if the operation has the status `rolled_back`. */
export const alreadyRolledBack = (id: number) =>
  new AppError(409, 'already_rolled_back', {
    error: 'Operation already rolled back',
    detail: `Operation ${id} has already been rolled back.`,
  })

/** The 422 if the operation cannot be undone. `reason` is the rest of the sentence. */
export const cannotRollBack = (id: number, reason: string) =>
  new AppError(422, 'cannot_be_rolled_back', {
    error: 'Operation cannot be rolled back',
    detail: `Operation ${id} ${reason}`,
  })

/**
 * The 409 if later changes of the table depend on this one. `revisions` are operations of the later changes,
 * the latest first.
 */
export const laterChanges = (revisions: readonly number[]) =>
  new AppError(409, 'later_changes', {
    error: 'Later changes must be rolled back first',
    detail: `Roll back the later changes first, starting with the latest: ${revisions.join(', ')}.`,
    revisions,
  })
