/** The errors of passkeys. */
import { AppError, invalidFields } from '../../../kernel/errors.ts'

/** The 400 if the host is neither the one of PUBLIC_URL nor a verified domain. */
export const noPasskeysHere = () =>
  new AppError(400, 'passkeys_unavailable', {
    detail:
      'Passkeys do not work at this host. Use the address of the service, or a verified domain of the site.',
  })

/** The 400 for a challenge that this service did not create, that was used, or that has expired. */
export const challengeUsed = () =>
  invalidFields(
    { credential: ['This challenge has expired or was already used. Request new options.'] },
    'challenge_expired',
  )

/** The 400 if the authenticator's answer is not a new passkey of this account. */
export const notAPasskey = (cause?: unknown) =>
  new AppError(
    400,
    'passkey_rejected',
    { credential: ['This is not a new passkey for this account and this host.'] },
    { cause },
  )

/**
 * The 401 for an unknown passkey, a wrong signature, or an account that cannot sign in. The text is the same
 * for all.
 */
export const passkeyRejected = (cause?: unknown) =>
  new AppError(
    401,
    'passkey_rejected',
    { detail: 'The passkey was not accepted.' },
    { headers: { 'WWW-Authenticate': 'Bearer' }, cause },
  )
