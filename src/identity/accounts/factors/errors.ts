/** The errors of second factors. */
import { AppError, invalidFields } from '../../../kernel/errors.ts'

/** The 400 for a code that is wrong, used or too old. The text is the same for all. */
export const wrongCode = () =>
  invalidFields({ code: ['This code is wrong or was already used.'] }, 'wrong_code')

/** The 400 if the sign-in has expired or is complete. */
export const challengeGone = () =>
  invalidFields(
    { challenge: ['This sign-in has expired or is already complete. Sign in again.'] },
    'challenge_expired',
  )

/** The 429 after several wrong codes in a row. */
export const blocked = (seconds: number) =>
  new AppError(
    429,
    'too_many_wrong_codes',
    {
      detail:
        'Too many wrong codes. ' +
        `Expected available in ${seconds} seconds. A recovery code or a passkey works now.`,
    },
    { headers: { 'Retry-After': String(seconds) } },
  )

/** The 400 if somebody else may have created the account, or may know its password. */
export const notProven = () =>
  new AppError(400, 'ownership_not_proved', {
    detail:
      'First prove that you own the account: POST /api/auth/password/reset/ mails a link to its address, ' +
      'which verifies the address and sets a password that only you know.',
  })

/** The 400 if the account has an authenticator app. */
export const alreadyOn = () =>
  new AppError(400, 'authenticator_already_on', {
    detail: 'The account already has an authenticator app. To use another one, turn it off first.',
  })

/** The 400 if there is no secret that is not confirmed yet. */
export const notBegun = () =>
  new AppError(400, 'authenticator_not_begun', {
    detail: 'There is no authenticator app to confirm. First get a secret: POST /api/users/me/totp/.',
  })

/** The 400 for recovery codes of an account without a second factor. */
export const noFactor = () =>
  new AppError(400, 'no_second_factor', {
    detail: 'The account has no second factor. Turn one on to get recovery codes.',
  })

/** The 400 for removing the only passkey or provider with which the owner can sign in. */
export const lastWayIn = () =>
  new AppError(400, 'last_way_in', {
    detail:
      'This is the only way to sign in to the account. First get a password: ' +
      'POST /api/auth/password/reset/ mails a link for one.',
  })
