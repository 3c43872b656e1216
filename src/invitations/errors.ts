/** The errors of invitations. */
import { DatabaseFailure, sqlstates } from '../db/failures.ts'
import { AppError, invalidFields } from '../errors.ts'

/** The 400 if the invitee is already a member. I3. */
export const alreadyMember = () =>
  invalidFields({ invitee_identifier: ['This person is already a member of the organization.'] })

/**
 * The 410 if the invitation was accepted or has expired, or its inviter is no longer allowed to invite. I5.
 */
export const gone = () =>
  new AppError(410, { detail: 'This invitation has already been accepted, or it has expired.' })

/** Throws `gone()` for the database failure that means it. Rethrows other errors. */
export function rejectGone(error: unknown): never {
  throw error instanceof DatabaseFailure && error.sqlstate === sqlstates.gone ? gone() : error
}

/**
 * The 400 if the user has no pending invitation that could be sent again. Spec: Errors, invitation resend.
 */
export const noPendingInvitation = () =>
  new AppError(400, { user_id: 'No pending invitation found for this user.' })
