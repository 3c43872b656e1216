import { DatabaseFailure, sqlstates } from '../db/failures.ts'
import { AppError, invalidFields } from '../errors.ts'

/** I3 */
export const memberAlready = () => invalidFields({ invitee_identifier: ['This person is a member of the organization already.'] })

/** Spec: States, accepted; I5. */
export const gone = () => new AppError(410, { detail: 'This invitation has been accepted already, or has expired.' })

export function refuseGone(error: unknown): never {
  throw error instanceof DatabaseFailure && error.sqlstate === sqlstates.gone ? gone() : error
}

/** Spec: Errors, invitation resend. */
export const noPendingInvitation = () => new AppError(400, { user_id: 'No pending invitation found for this user.' })
