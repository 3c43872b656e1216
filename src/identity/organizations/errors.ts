/** The errors of organizations. */
import { DatabaseFailure, sqlstates } from '../../kernel/db/failures.ts'
import { AppError, invalidFields } from '../../kernel/errors.ts'

/** The 400 for a slug that another organization has. `field` is the field from which the slug was made. */
export const organizationExists = (slug: string, field: 'name' | 'slug') =>
  invalidFields({ [field]: [`An organization with the slug "${slug}" already exists.`] }, 'already_exists')

/** Returns the 409 for an organization whose state does not allow a change; undefined for other errors. */
export function organizationStateError(error: unknown): AppError | undefined {
  if (!(error instanceof DatabaseFailure) || error.sqlstate !== sqlstates.wrongState) return undefined
  if (error.detail === 'erased')
    return new AppError(409, 'wrong_state', {
      detail: 'The organization is being erased. It can no longer be restored.',
    })
  const sites = error.detail === '1' ? '1 site' : `${error.detail} sites`
  return new AppError(409, 'wrong_state', {
    detail: `The organization still has ${sites}. Delete all of its sites first.`,
  })
}
