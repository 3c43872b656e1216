/** The errors of invitations. */
import { DatabaseFailure, sqlstates } from '../db/failures.ts'
import { AppError, invalidFields } from '../errors.ts'

/** The invitee is already a member. 400. I3. */
export const alreadyMember = () =>
  invalidFields({ invitee_identifier: ['This person is already a member of the organization.'] })

/** The invitation was accepted or has expired, or its inviter is no longer allowed to invite. 410. I5. */
export const gone = () =>
  new AppError(410, { detail: 'This invitation has already been accepted, or it has expired.' })

/** Throws `gone()` instead of the failure by which Postgres reports it; rethrows other errors. */
export function rejectGone(error: unknown): never {
  throw error instanceof DatabaseFailure && error.sqlstate === sqlstates.gone ? gone() : error
}

/** The user has no pending invitation that could be sent again. 400. Spec: Errors, invitation resend. */
export const noPendingInvitation = () =>
  new AppError(400, { user_id: 'No pending invitation found for this user.' })
