/** Errors of signing in through a provider. S4, S5, S7. */
import type { ErrorCode } from '../../../kernel/error-codes.ts'
import { AppError, forbidden, invalidFields, signInFailed } from '../../../kernel/errors.ts'

const badRequest = (code: ErrorCode, detail: string, reason?: string) =>
  new AppError(400, code, { detail }, { reason })

/** The 400 for a state that belongs to no open sign-in of this app or browser. */
export const attemptUnknown = () =>
  badRequest(
    'sign_in_expired',
    'This sign-in has expired, is already finished, or was started elsewhere. Start again.',
  )

/** The 400 if the provider sent the browser back without a code. */
export const cancelled = () =>
  badRequest('sign_in_cancelled', 'The sign-in was cancelled or rejected by the provider.')

/** The 400 for a redirect URI that is not an address of the site. */
export const foreignRedirect = () =>
  invalidFields({
    redirect_uri: [
      'The address must belong to this host or to a domain of the site, and must not have a query ' +
        'or a fragment.',
    ],
  })

/** The 400 for another redirect URI than that at the start of the sign-in. */
export const otherRedirect = () =>
  invalidFields({ redirect_uri: ['The sign-in was started with another address.'] })

/** A 403: the account is tied to another organization, and a code was mailed to its address. S7. */
export class ConfirmationRequired extends AppError {
  /** The id to send with the code. */
  readonly confirmation: string

  constructor(confirmation: string) {
    const detail =
      'An account with this e-mail belongs to another organization. A code was sent to the address: ' +
      'send it with the confirmation to /api/auth/confirm/.'
    super(403, 'confirmation_required', { detail, confirmation })
    this.confirmation = confirmation
  }
}

/** The 400 for a wrong mailed code. */
export const wrongCode = () =>
  invalidFields(
    { code: ['This is not the code that was sent. After five wrong codes, you must restart the sign-in.'] },
    'wrong_code',
  )

/** The 400 for a confirmation that does not exist or is no longer open. */
export const confirmationGone = () =>
  badRequest(
    'confirmation_expired',
    'This confirmation has expired or was already used. Start signing in again.',
  )

/** The 400 if the provider named no e-mail, or one that an account cannot have. */
export const noEmail = () =>
  badRequest(
    'provider_failed',
    'The provider did not return an e-mail address that an account can have.',
    'email',
  )

/** The 409 if the provider's account is linked to another account. */
export const linkedElsewhere = () =>
  new AppError(409, 'linked_elsewhere', {
    detail:
      'This provider account is linked to another account. Unlink it there first: ' +
      'DELETE /api/users/me/providers/{id}/.',
  })

/** The errors by the `outcome` of public.sign_in_socially. */
export const errorsByOutcome: Readonly<Record<string, () => AppError>> = {
  inactive: signInFailed,
  untrusted: () =>
    badRequest(
      'email_not_verified',
      'An account with this e-mail already exists, ' +
        'and the provider does not say that the e-mail is verified.',
    ),
  closed: () =>
    new AppError(
      403,
      'sign_up_closed',
      {
        detail:
          'You do not have an account here, and this site does not create accounts for people who ' +
          'sign in with a provider.',
      },
      { reason: 'provider' },
    ),
  forbidden,
}
