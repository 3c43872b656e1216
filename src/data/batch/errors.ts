/** The errors of batches, and of records with related records. */
import { AppError } from '../../errors.ts'

/** The 413 for too many operations. */
export const tooManyOperations = (max: number) =>
  new AppError(413, 'too_many_items', { detail: `A batch may have at most ${max} operations.` })

/** The 413 for too many records with their related records. */
export const tooManyNested = (max: number) =>
  new AppError(413, 'too_many_items', {
    detail: `Together with related records, a request may have at most ${max} records.`,
  })
