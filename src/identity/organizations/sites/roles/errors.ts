/** The errors of the roles of a site. */
import { DatabaseFailure, sqlstates } from '../../../../kernel/db/failures.ts'
import { AppError, invalidFields } from '../../../../kernel/errors.ts'

/**
 * Converts the failures of public.require_roles and public.keep_roles: 400 under the name of the member that
 * names a role which the site does not have, and 409 for a role that is used. Returns other errors unchanged.
 */
export function asRoleError(error: unknown, member: string): unknown {
  if (!(error instanceof DatabaseFailure)) return error
  if (error.sqlstate === sqlstates.noSuchRole)
    return invalidFields({ [member]: [`The site has no role "${error.detail ?? ''}".`] })
  if (error.sqlstate === sqlstates.roleUsed)
    return new AppError(409, 'still_referenced', {
      detail: `A role that is used is not removed: ${error.detail ?? ''}.`,
    })
  return error
}
