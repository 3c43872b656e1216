import { AppError, type Json } from '../../../errors.ts'
import type { Violation } from './schema.ts'

/** D8. */
export const dataLoss = (changes: readonly Json[]) =>
  new AppError(422, {
    error: 'Schema change can lose data',
    detail: 'These changes lose values that records have. Send ?allow_data_loss=true to make them.',
    changes,
  })

/** D13. */
export const recordsBreakSchema = (violations: readonly Violation[]) =>
  new AppError(422, {
    error: 'Existing records break the schema',
    detail:
      violations.length > 0
        ? violations.map(({ detail }) => detail).join(' ')
        : 'Postgres refused the change for the sake of a record that has changed since, or that is too large for an index.',
    violations,
  })

/** Of two changes at once the second one. */
export const schemaChangedMeanwhile = (name: string) =>
  new AppError(409, {
    error: 'Schema changed meanwhile',
    detail: `Another change of "${name}" came first. Read its schema, and send the change anew if it is still meant.`,
  })

export const changeUnderWay = (name: string) =>
  new AppError(409, { error: 'Schema change under way', detail: `Another change of "${name}" is being made.` })

export const tableBusy = (name: string) =>
  new AppError(409, { error: 'Datatable is busy', detail: `"${name}" was in use without a pause. Nothing has changed: try again later.` })

export const fieldsReferenced = (name: string, references: readonly Json[]) =>
  new AppError(422, {
    error: 'Fields are referenced',
    detail: `Other datatables reference fields of "${name}" that this change would take from them. Change their foreign keys first.`,
    referenced_by: references,
  })

export const referencesInactive = (name: string, resource: string) =>
  new AppError(422, {
    error: 'Referenced datatable is not active',
    detail: `"${name}" references "${resource}", which is not active. Restore that one before you change the schema of "${name}".`,
  })

/** D10, of a table that is about to go. */
export const stillReferenced = (name: string, references: readonly Json[]) =>
  new AppError(409, { error: 'Datatable is referenced', detail: `Other datatables reference "${name}".`, referenced_by: references })

/** Something of Postgres's stands on what would go, that no active table of the app accounts for. */
export const dependedUpon = (name: string) =>
  new AppError(409, {
    error: 'Datatable is referenced',
    detail: `A datatable that is not active references what this change would take from "${name}".`,
  })

export const takesTooLong = (name: string) =>
  new AppError(422, {
    error: 'Schema change takes too long',
    detail: `"${name}" is too large for this change: it was given up, and nothing has changed.`,
  })

export const operationNotFound = (id: number, name: string) =>
  new AppError(404, { error: 'Operation not found', detail: `The history of "${name}" has no operation ${id}.` })

export const rolledBackAlready = (id: number) =>
  new AppError(409, { error: 'Operation is rolled back already', detail: `Operation ${id} was rolled back before.` })

export const nothingToRollBack = (id: number, why: string) =>
  new AppError(422, { error: 'Operation cannot be rolled back', detail: `Operation ${id} ${why}` })

export const laterChanges = (revisions: readonly number[]) =>
  new AppError(409, {
    error: 'Later changes stand in the way',
    detail: `Roll back the later changes first, the last one first: ${revisions.join(', ')}.`,
    revisions,
  })
