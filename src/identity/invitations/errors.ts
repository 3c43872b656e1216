/** The errors of invitations. */
import { DatabaseFailure, sqlstates } from '../../kernel/db/failures.ts'
import type { ErrorCode } from '../../kernel/error-codes.ts'
import { AppError, invalidFields } from '../../kernel/errors.ts'

/** The 400 if the invitee is already a member. I3. */
export const alreadyMember = () =>
  invalidFields(
    { invitee_identifier: ['This person is already a member of the organization.'] },
    'already_exists',
  )

/** The reasons why an invitation cannot be accepted, by its state: public.invitation_state. */
export const reasons = {
  accepted: 'This invitation has already been accepted.',
  organization: 'The organization of this invitation is deleted.',
  expired: 'This invitation has expired. Ask for a new one.',
  inviter: 'The person who sent this invitation may no longer invite. Ask for a new one.',
  replaced: 'This invitation was replaced by a newer one. Use the link in the newest e-mail.',
  joined: 'This invitation has ended: the person has become a member in another way.',
  removed: 'This invitation has ended: the person was removed from the organization. Ask for a new one.',
  deactivated: 'This invitation has ended: the person was switched off in the organization.',
  address: 'This invitation has ended: the account of the person has another address now.',
} as const

export type InvitationState = 'pending' | keyof typeof reasons

/** The 410 if an invitation cannot be accepted. I5, I8. */
export const gone = (state: keyof typeof reasons) =>
  new AppError(410, codes.get(state) ?? 'invitation_ended', { detail: reasons[state] }, { reason: state })

/** The codes of reasons. With any other reason, the invitation has ended. */
const codes: ReadonlyMap<string, ErrorCode> = new Map([
  ['accepted', 'invitation_accepted'],
  ['expired', 'invitation_expired'],
  ['replaced', 'invitation_replaced'],
])

const isReason = (state: string | undefined): state is keyof typeof reasons =>
  state !== undefined && Object.hasOwn(reasons, state)

/** Throws `gone()` for the database failure that means it. Rethrows other errors. */
export function rejectGone(error: unknown): never {
  const isGone = error instanceof DatabaseFailure && error.sqlstate === sqlstates.gone
  throw isGone && isReason(error.detail) ? gone(error.detail) : error
}

/** The 400 if a code is not that of the newest e-mail of the invitation. */
const wrongCode = () =>
  invalidFields(
    {
      code: ['This is not the code of the newest e-mail. Open the link in that e-mail, or omit the code.'],
    },
    'wrong_code',
    'invitation',
  )

/** The 403 if nothing proves that the account of the invited address belongs to the caller. */
const accountNotProved = () =>
  new AppError(403, 'ownership_not_proved', {
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
  new AppError(400, 'no_pending_invitation', { user_id: 'No pending invitation found for this user.' })
