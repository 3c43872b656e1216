/**
 * The gate of every sign-in: an account with a second factor gets tokens or a session only with that factor.
 * All ways to sign in end here, and the functions that issue tokens accept only accounts that the gate has
 * admitted.
 */
import type { RequestContext } from '../../context.ts'
import { wakeMs } from '../../db/breaker.ts'
import { asAnonymous } from '../../db/platform.ts'
import { AppError } from '../../errors.ts'
import type { Method } from '../../lib/sign-in-methods.ts'
import { relyingPartyOf } from '../relying-party.ts'
import { boundTo, type SignInPlace } from '../sign-in-hosts.ts'
import type { Identity } from '../tokens.ts'
import { challengeSeconds, type Factor } from './schema.ts'
import * as store from './store.ts'

declare const passed: unique symbol

/** An account that may get tokens. Only this file creates it. */
export type Admitted = Identity & {
  readonly [passed]: true
  /** When the factors were used, if that was earlier: the browser has been trusted since then. */
  readonly provenAt?: Date
}

/** A 403: the first factor was right, and the account has a second one. */
export class FactorRequired extends AppError {
  readonly challenge: string
  readonly factors: readonly Factor[]

  constructor(challenge: string, factors: readonly Factor[]) {
    const detail = 'The account needs a second factor. Send the challenge with a code to /api/auth/factor/.'
    super(403, 'second_factor_required', { detail, challenge, factors, expires_in: challengeSeconds })
    this.challenge = challenge
    this.factors = factors
  }
}

/**
 * Admits an account that has proved a first factor at a place, if it has no second one. Otherwise throws
 * FactorRequired with a challenge that is bound to the place and to the current state of the account. This
 * takes one round trip, and another one if the browser is trusted by this or another account.
 */
export async function admit(
  ctx: RequestContext,
  account: Identity,
  place: SignInPlace,
  hasFactor: boolean,
): Promise<Admitted> {
  const identity = boundTo(account, place)
  if (!hasFactor) return identity as Admitted
  const provenAt = await trustedSince(ctx, identity)
  if (provenAt) {
    const methods = [...new Set<Method>([...(identity.methods ?? []), 'mfa'])]
    const admitted: Identity & { provenAt: Date } = { ...identity, methods, provenAt }
    return admitted as Identity as Admitted
  }
  const id = crypto.randomUUID()
  const { factors } = await asAnonymous(ctx, 'write', {
    challenge: store.insertChallenge(id, identity),
    factors: store.selectFactors(identity.userId, relyingPartyOf(ctx)?.id ?? null),
  })
  throw new FactorRequired(
    id,
    factors.all.map(({ factor }) => factor),
  )
}

/**
 * Returns when the account's second factor was used in this browser, if the browser is trusted. At a tenant's
 * host, none is.
 */
async function trustedSince({ database, trustHashes }: RequestContext, identity: Identity) {
  if (!trustHashes || identity.host !== undefined) return undefined
  const { used } = await database.batch({ used: store.useTrust(identity, trustHashes) }, wakeMs)
  return used.first && new Date(used.first.created)
}

/**
 * Admits an account that has proved two factors at a place: that of `identity` and another one, or a passkey
 * that counts as both.
 */
export function admitWithFactor(identity: Identity, place: SignInPlace, method: Method): Admitted {
  const methods = [...new Set<Method>([...(identity.methods ?? []), method, 'mfa'])]
  return boundTo({ ...identity, methods }, place) as Admitted
}

/**
 * Admits a signed-in caller again, after a change that has ended the earlier sign-ins. `identity` has the
 * account's new generation, and otherwise what the caller's sign-in has.
 */
export const readmit = (identity: Identity, place: SignInPlace): Admitted =>
  boundTo(identity, place) as Admitted
