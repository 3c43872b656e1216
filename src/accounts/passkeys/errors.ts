/** The errors of passkeys. */
import { AppError, invalidFields } from '../../errors.ts'

/** The host is neither the one of PUBLIC_URL nor a verified domain. 400. */
export const noPasskeysHere = () =>
  new AppError(400, {
    detail:
      'Passkeys do not work at this host. Use the address of the service, or a verified domain of the site.',
  })

/** The challenge was not made here, was used, or has expired. 400. */
export const challengeUsed = () =>
  invalidFields({ credential: ['This challenge has expired or was already used. Request new options.'] })

/** The authenticator's answer is not a new passkey of this account. 400. */
export const notAPasskey = (cause?: unknown) =>
  new AppError(400, { credential: ['This is not a new passkey for this account and this host.'] }, { cause })

/**
 * The passkey is unknown, its signature is wrong, or its account cannot sign in: the text is the same. 401.
 */
export const passkeyRejected = (cause?: unknown) =>
  new AppError(
    401,
    { detail: 'The passkey was not accepted.' },
    { headers: { 'WWW-Authenticate': 'Bearer' }, cause },
  )
