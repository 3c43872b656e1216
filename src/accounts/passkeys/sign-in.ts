/** Signs in with passkeys: alone, or as the second factor of a sign-in that waits. */
import type { Admitted } from '../../access/second-factor/service.ts'
import { throttleAddress } from '../../access/throttle.ts'
import type { NewTrust } from '../../access/trust-responses.ts'
import type { RequestContext } from '../../context.ts'
import { asAnonymous } from '../../db/platform.ts'
import { admitted } from '../factors/challenge.ts'
import { challengeGone } from '../factors/errors.ts'
import { challengeHash, handleOf, newChallenge, requireParty, timeoutMs } from './challenges.ts'
import { challengeUsed, noPasskeysHere, passkeyRejected } from './errors.ts'
import type { RequestOptions, SignedCredential } from './schema.ts'
import * as store from './store.ts'
import { challengeOf, verifySigned } from './verify.ts'

/**
 * Returns what an authenticator signs. `signIn` is the challenge of a sign-in that waits for a second factor.
 * The answer names no account and no passkey. Throws 400 where passkeys do not work, and for a sign-in that
 * does not wait any more.
 */
export async function beginSigning(ctx: RequestContext, signIn: string | undefined): Promise<RequestOptions> {
  const party = requireParty(ctx)
  const challenge = newChallenge()
  const hash = challengeHash(challenge)
  const { begun } = await asAnonymous(ctx, 'write', {
    begun:
      signIn === undefined ? store.insertForSignIn(hash, party) : store.insertForSecond(hash, party, signIn),
  })
  if (!begun.first) throw signIn === undefined ? noPasskeysHere() : challengeGone()
  return { challenge, rpId: party.id, timeout: timeoutMs, userVerification: 'required' }
}

/**
 * Admits whoever has signed a challenge with a passkey. The authenticator has verified the person, so that
 * the passkey alone is two factors. Takes two round trips: the challenge is used up before the signature is
 * judged. `wanted`: the browser is trusted from then on, if the passkey was the second factor. Throws 400 for
 * a challenge that was used, 401 for a passkey that is not accepted, and 429.
 */
export async function signInWithPasskey(
  ctx: RequestContext,
  credential: SignedCredential,
  wanted: NewTrust | null = null,
): Promise<Admitted> {
  const party = requireParty(ctx)
  await throttleAddress(ctx)
  const challenge = challengeOf(credential.response.clientDataJSON) ?? ''
  const { taken } = await asAnonymous(ctx, 'write', {
    taken: store.takeForSignIn(challengeHash(challenge), credential.id, party),
  })
  if (!taken.first) throw challengeUsed()
  const { sign_in, id, uuid, ...key } = taken.first
  if (id === null) throw passkeyRejected()
  const { userHandle } = credential.response
  // A passkey that signs in alone says whose it is.
  const isOwner = userHandle === handleOf(uuid) || (sign_in !== null && (userHandle ?? null) === null)
  if (!isOwner) throw passkeyRejected()
  const counter = await verifySigned(party, challenge, credential, key)
  // A passkey that signs in alone needs no trust.
  const trust = sign_in === null ? null : wanted
  const { finished } = await asAnonymous(ctx, 'write', {
    finished: store.usePasskey(id, { counter, signIn: sign_in, trust }),
  })
  if (!finished.first) throw passkeyRejected()
  return admitted(finished.first, 'pop')
}
