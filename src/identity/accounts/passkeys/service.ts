/** The passkeys of the caller's account. */
import { requireFreshSignIn } from '../../../kernel/access/fresh-sign-in.ts'
import { placeOf, selectHost } from '../../../kernel/access/sign-in-hosts.ts'
import { throttleAccount } from '../../../kernel/access/throttle.ts'
import type { RequestContext } from '../../../kernel/context.ts'
import { requireCaller } from '../../../kernel/db/entering.ts'
import { onPlatform } from '../../../kernel/db/platform.ts'
import { type Page, pageOf } from '../../../kernel/http/lists/envelopes.ts'
import type { ListQuery } from '../../../kernel/http/lists/list.ts'
import { queueAfterAnswer } from '../emails/service.ts'
import type { TurnedOn } from '../factors/schema.ts'
import { afterAdding, beforeAdding, newFactor, withTokens } from '../factors/service.ts'
import { requirePlatformSignIn } from '../factors/store.ts'
import { challengeHash, creationTerms, handleOf, newChallenge, requireParty } from './challenges.ts'
import { challengeUsed, noPasskeysHere, notAPasskey } from './errors.ts'
import type { CreationOptions, Passkey, PasskeyInput } from './schema.ts'
import * as store from './store.ts'
import { challengeOf, verifyNew } from './verify.ts'

// Other modules import it from here, to sign in.
export { signInWithPasskey } from './sign-in.ts'

/** Lists the caller's passkeys. */
export async function listPasskeys(
  ctx: RequestContext,
  url: string,
  query: ListQuery,
): Promise<Page<Passkey>> {
  const answers = await onPlatform(ctx, store.selectPasskeys(requireCaller(ctx), query))
  return pageOf(answers, url, store.list, query, (passkey) => passkey)
}

/**
 * Returns the options from which an authenticator creates a passkey. Takes two round trips. Throws 400 if
 * passkeys do not work on the host, and as `beforeAdding` does.
 */
export async function beginPasskey(ctx: RequestContext): Promise<CreationOptions> {
  const caller = requireCaller(ctx)
  const { uuid, username, full_name } = await beforeAdding(ctx)
  const party = requireParty(ctx)
  const challenge = newChallenge()
  const { begun, known } = await onPlatform(ctx, {
    begun: store.insertForNew(challengeHash(challenge), caller, party),
    known: store.selectKnown(caller, party.id),
  })
  if (!begun.first) throw noPasskeysHere()
  return {
    ...creationTerms(party, challenge),
    user: { id: handleOf(uuid), name: username, displayName: full_name || username },
    excludeCredentials: known.all.map(({ id, transports }) => ({ type: 'public-key', id, transports })),
  }
}

/**
 * Adds a passkey to the caller's account. All earlier sign-ins end; API keys stay valid. Takes two round
 * trips, because the challenge is used up before the authenticator's answer is verified. Throws 400, 403 and
 * 429.
 */
export async function addPasskey(ctx: RequestContext, { name, credential }: PasskeyInput): Promise<TurnedOn> {
  const caller = requireCaller(ctx)
  const party = requireParty(ctx)
  requireFreshSignIn(ctx)
  await throttleAccount(ctx, `factor of ${caller.userId}`)
  const challenge = challengeOf(credential.response.clientDataJSON) ?? ''
  const { taken, host } = await onPlatform(ctx, {
    isAllowed: requirePlatformSignIn(caller),
    taken: store.takeForNew(challengeHash(challenge), caller, party),
    host: selectHost(ctx, caller.userId),
  })
  if (!taken.first) throw challengeUsed()
  const place = placeOf(ctx, host.one)
  const key = await verifyNew(party, challenge, credential)
  const { codes, hashes, notice } = newFactor()
  const { transports = [] } = credential.response
  const { added } = await onPlatform(ctx, {
    isAllowed: requirePlatformSignIn(caller),
    added: store.addPasskey(caller, { ...key, party, transports, name, hashes, notice }),
  })
  if (!added.first) throw notAPasskey()
  queueAfterAnswer(ctx, notice)
  return withTokens(ctx, afterAdding(caller, place, { added: added.first, codes, method: 'pop' }))
}
