/** Signs in with passkeys: as the only factor, or as the second factor of a sign-in. */
import type { Admitted } from '../../../kernel/access/second-factor/service.ts'
import { placeOf, selectHost } from '../../../kernel/access/sign-in-hosts.ts'
import { throttleAddress } from '../../../kernel/access/throttle.ts'
import type { NewTrust } from '../../../kernel/access/trust-responses.ts'
import type { RequestContext } from '../../../kernel/context.ts'
import { asAnonymous } from '../../../kernel/db/platform.ts'
import { admitted } from '../factors/challenge.ts'
import { challengeGone } from '../factors/errors.ts'
import { challengeHash, handleOf, newChallenge, requireParty, timeoutMs } from './challenges.ts'
import { challengeUsed, noPasskeysHere, passkeyRejected } from './errors.ts'
import type { RequestOptions, SignedCredential } from './schema.ts'
import * as store from './store.ts'
import { challengeOf, verifySigned } from './verify.ts'

/**
 * Returns the options for a passkey. `signIn` is the challenge of a sign-in that needs a second factor. The
 * answer names no account and no passkey. Throws 400 if passkeys do not work on the host, and for a sign-in
 * that has expired or is complete.
 */
export async function beginSigning(ctx: RequestContext, signIn: string | undefined): Promise<RequestOptions> {
  const party = requireParty(ctx)
  const challenge = newChallenge()
  const hash = challengeHash(challenge)
  const { begun } = await asAnonymous(ctx, 'write', {
    begun:
      signIn === undefined
        ? store.insertForSignIn(hash, party)
        : store.insertForSecond(hash, party, { signIn, domain: ctx.tenant.domain }),
  })
  if (!begun.first) throw signIn === undefined ? noPasskeysHere() : challengeGone()
  return { challenge, rpId: party.id, timeout: timeoutMs, userVerification: 'required' }
}

/**
 * Completes a sign-in with a challenge that a passkey has signed. The authenticator has verified the user, so
 * the passkey alone counts as two factors. Takes two round trips, because the challenge is used up before the
 * signature is verified. `wanted`: trust the browser, if the passkey was the second factor. Throws 400 for a
 * used challenge, 401 for a passkey that is not accepted, and 429.
 */
export async function signInWithPasskey(
  ctx: RequestContext,
  credential: SignedCredential,
  wanted: NewTrust | null = null,
): Promise<Admitted> {
  const party = requireParty(ctx)
  await throttleAddress(ctx)
  const challenge = challengeOf(credential.response.clientDataJSON) ?? ''
  const { taken, host } = await asAnonymous(ctx, 'write', {
    taken: store.takeForSignIn(challengeHash(challenge), credential.id, party),
    host: selectHost(ctx, null),
  })
  if (!taken.first) throw challengeUsed()
  if (taken.first.id === null) throw passkeyRejected()
  const { sign_in, id, uuid, ...key } = taken.first
  const { userHandle } = credential.response
  // A passkey that is the only factor must name its account.
  const isOwner = userHandle === handleOf(uuid) || (sign_in !== null && (userHandle ?? null) === null)
  if (!isOwner) throw passkeyRejected()
  const counter = await verifySigned(party, challenge, credential, key)
  // A passkey that is the only factor needs no trusted browser.
  const trust = sign_in === null ? null : wanted
  const { finished } = await asAnonymous(ctx, 'write', {
    finished: store.usePasskey(id, { counter, signIn: sign_in, trust }),
  })
  if (!finished.first) throw passkeyRejected()
  return admitted(finished.first, placeOf(ctx, host.one), 'pop')
}
