/** The second factors of the caller's account: an authenticator app, and recovery codes. */
import { requireFreshSignIn } from '../../../kernel/access/fresh-sign-in.ts'
import { startTokens } from '../../../kernel/access/record-sign-in.ts'
import { type Admitted, admitWithFactor } from '../../../kernel/access/second-factor/service.ts'
import { placeOf, type SignInPlace, selectHost } from '../../../kernel/access/sign-in-hosts.ts'
import { signInOf } from '../../../kernel/access/signed-tokens.ts'
import { throttleAccount } from '../../../kernel/access/throttle.ts'
import type { Caller, RequestContext } from '../../../kernel/context.ts'
import { lockAccount } from '../../../kernel/db/caller.ts'
import { requireCaller } from '../../../kernel/db/entering.ts'
import { onPlatform } from '../../../kernel/db/platform.ts'
import { notFound } from '../../../kernel/errors.ts'
import { randomBytes } from '../../../kernel/lib/cipher.ts'
import type { Method } from '../../../kernel/lib/sign-in-methods.ts'
import { base32, matchingStep, totpUri } from '../../../kernel/lib/totp.ts'
import { decryptForAccount, encryptForAccount, totpKind } from '../../../secrets/account-texts/service.ts'
import { queueAfterAnswer } from '../emails/service.ts'
import { alreadyOn, lastWayIn, noFactor, notBegun, notProven, wrongCode } from './errors.ts'
import { codeHash, newCodes } from './recovery-codes.ts'
import type { NewRecoveryCodes, NewTotp, OwnFactors, TurnedOn } from './schema.ts'
import * as store from './store.ts'

// Other modules import it from here, to sign in and to link providers.
export { answerWithCode } from './challenge.ts'
export { challengeGone, notProven, wrongCode } from './errors.ts'

/** A second factor that was added. */
export interface FactorAdded {
  /** The caller, signed in again by the new factor. */
  admitted: Admitted
  /** The recovery codes to show: none unless it is the first factor of the account. */
  recoveryCodes: string[]
}

/** The length that RFC 4226 recommends. */
const secretBytes = 20

/** Returns the second factors of the caller's account. */
export async function readFactors(ctx: RequestContext): Promise<OwnFactors> {
  const { own } = await onPlatform(ctx, { own: store.selectOwn(requireCaller(ctx)) })
  const { totp, ...others } = own.one
  return { totp: totp === null ? null : { created: totp }, ...others }
}

/**
 * Returns the data that is needed before a factor is added to the caller's account. Throws 400 if somebody
 * else may have created the account, and 403 if the sign-in is too old or valid in one organization only.
 */
export async function beforeAdding(ctx: RequestContext): Promise<store.BeforeAdding> {
  const caller = requireCaller(ctx)
  requireFreshSignIn(ctx)
  const { account } = await onPlatform(ctx, {
    isAllowed: store.requirePlatformSignIn(caller),
    account: store.selectBeforeAdding(caller),
  })
  if (!account.one.may_add) throw notProven()
  return account.one
}

/**
 * Creates the secret of an authenticator app, which becomes active when its first code is confirmed. Takes
 * two round trips. Throws as `beforeAdding` does, and 400 if the account has an app.
 */
export async function beginTotp(ctx: RequestContext): Promise<NewTotp> {
  const caller = requireCaller(ctx)
  const { email, has_totp, proofs } = await beforeAdding(ctx)
  if (has_totp) throw alreadyOn()
  const bytes = randomBytes(secretBytes)
  const place = { kind: totpKind, userId: caller.userId }
  const text = await encryptForAccount(ctx.config, place, bytes, proofs ?? {})
  const { inserted } = await onPlatform(ctx, { inserted: store.insertSecret(caller, text) })
  if (!inserted.first) throw alreadyOn()
  const secret = base32(bytes)
  return { secret, uri: totpUri({ secret, account: email, issuer: ctx.config.TOKEN_ISSUER }) }
}

/**
 * Turns on the authenticator app with its first code. All earlier sign-ins end, since they were made without
 * it; API keys stay. Takes two round trips. Throws 400, 403 and 429.
 */
export async function confirmTotp(ctx: RequestContext, code: string): Promise<FactorAdded> {
  const caller = requireCaller(ctx)
  requireFreshSignIn(ctx)
  await throttleAccount(ctx, `factor of ${caller.userId}`)
  const { pending, host } = await onPlatform(ctx, {
    isAllowed: store.requirePlatformSignIn(caller),
    pending: store.selectPending(caller),
    host: selectHost(ctx, caller.userId),
  })
  const place = placeOf(ctx, host.one)
  if (!pending.first) throw notBegun()
  const secret = await decryptForAccount(ctx.config, { kind: totpKind, userId: caller.userId }, pending.first)
  const step = matchingStep(secret, code, new Date())
  if (step === undefined) throw wrongCode()
  const { codes, hashes, notice } = newFactor()
  const { added } = await onPlatform(ctx, {
    isAllowed: store.requirePlatformSignIn(caller),
    added: store.confirmTotp(caller, { stored: pending.first.stored, step, hashes, notice }),
  })
  if (!added.first) throw notBegun()
  queueAfterAnswer(ctx, notice)
  return afterAdding(caller, place, { added: added.first, codes, method: 'otp' })
}

/** Creates what a new factor may need: recovery codes with their hashes, and the id of the notice. */
export function newFactor() {
  const codes = newCodes()
  return { codes, hashes: codes.map(codeHash), notice: crypto.randomUUID() }
}

/** Signs the caller in again with the factor that was added. */
export function afterAdding(
  caller: Caller,
  place: SignInPlace,
  { added, codes, method }: { added: store.AddedRow; codes: string[]; method: Method },
): FactorAdded {
  const { generation, has_codes } = added
  const admitted = admitWithFactor({ ...signInOf(caller), generation }, place, method)
  return { admitted, recoveryCodes: has_codes ? codes : [] }
}

/** Returns the answer for a factor that was added, with the first tokens after it. */
export async function withTokens(
  ctx: RequestContext,
  { admitted, recoveryCodes }: FactorAdded,
): Promise<TurnedOn> {
  return { recovery_codes: recoveryCodes, tokens: await startTokens(ctx, admitted) }
}

/**
 * Turns off the authenticator app, or removes a passkey. The other sign-ins end. Throws 400 for the last way
 * in, 403 as `beforeAdding` does, and 404.
 */
export async function removeFactor(ctx: RequestContext, passkey: number | null): Promise<void> {
  const caller = requireCaller(ctx)
  requireFreshSignIn(ctx)
  const notice = crypto.randomUUID()
  const { removed } = await onPlatform(ctx, {
    isAllowed: store.requirePlatformSignIn(caller),
    removed: store.removeFactor(caller, passkey, notice),
  })
  if (removed.one.outcome === 'missing') throw notFound()
  if (removed.one.outcome === 'last') throw lastWayIn()
  queueAfterAnswer(ctx, notice)
}

/**
 * Replaces the recovery codes of the caller. Throws 400 without a second factor, and 403 as `beforeAdding`
 * does.
 */
export async function replaceCodes(ctx: RequestContext): Promise<NewRecoveryCodes> {
  const caller = requireCaller(ctx)
  requireFreshSignIn(ctx)
  const { codes, hashes, notice } = newFactor()
  const { replaced } = await onPlatform(ctx, {
    isAllowed: store.requirePlatformSignIn(caller),
    locked: lockAccount(caller),
    replaced: store.replaceCodes(caller, hashes, notice),
  })
  if (!replaced.first) throw noFactor()
  queueAfterAnswer(ctx, notice)
  return { recovery_codes: codes }
}
