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

/** The 400 if a code is not that of the newest e-mail of the invitation. */
const wrongCode = () =>
  invalidFields({
    code: ['This is not the code of the newest e-mail. Open the link in that e-mail, or omit the code.'],
  })

/** The 403 if nothing proves that the account of the invited address belongs to the caller. */
const accountNotProved = () =>
  new AppError(403, {
    detail:
      'The address has an account. Send the code of the newest e-mail of this invitation, or a token of ' +
      'the account.',
  })

/** Throws the error that a failed acceptance means. Rethrows other errors. */
export function rejectAcceptance(error: unknown): never {
  if (error instanceof DatabaseFailure && error.sqlstate === sqlstates.wrongCode) throw wrongCode()
  if (error instanceof AppError && error.status === 403) throw accountNotProved()
  return rejectGone(error)
}

/**
 * The 400 if the user has no pending invitation that could be sent again. Spec: Errors, invitation resend.
 */
export const noPendingInvitation = () =>
  new AppError(400, { user_id: 'No pending invitation found for this user.' })
