/** Finishes a sign-in that waits for a second factor, with a code. */
import { type Admitted, admitWithFactor } from '../../../kernel/access/second-factor/service.ts'
import { placeOf, type SignInPlace, selectHost } from '../../../kernel/access/sign-in-hosts.ts'
import { throttleAccount, throttleAddress } from '../../../kernel/access/throttle.ts'
import type { NewTrust } from '../../../kernel/access/trust-responses.ts'
import type { RequestContext } from '../../../kernel/context.ts'
import { asAnonymous } from '../../../kernel/db/platform.ts'
import { matchingStep } from '../../../kernel/lib/totp.ts'
import { decryptForAccount, totpKind } from '../../../secrets/account-texts/service.ts'
import { blocked, challengeGone, wrongCode } from './errors.ts'
import { codeHash } from './recovery-codes.ts'
import type { CodeAnswer } from './schema.ts'
import * as store from './store.ts'

/**
 * Completes a sign-in with a code of the authenticator app, or with a recovery code. Always takes two round
 * trips: the first one counts the attempt before the code is compared. `trust`: trust the browser from now
 * on. Throws 400 for a wrong code and for a sign-in that has expired or is complete, and 429.
 */
export async function answerWithCode(
  ctx: RequestContext,
  { challenge, code }: CodeAnswer,
  trust: NewTrust | null = null,
): Promise<Admitted> {
  await throttleAddress(ctx)
  await throttleAccount(ctx, `challenge ${challenge}`)
  const { attempt, host } = await asAnonymous(ctx, 'write', {
    attempt: store.attempt(challenge, ctx.tenant.domain),
    host: selectHost(ctx, null),
  })
  const waiting = attempt.first
  if (!waiting) throw challengeGone()
  const place = placeOf(ctx, host.one)
  const typed = code.replaceAll(/\s/g, '')
  const isTotp = /^\d{6}$/.test(typed)
  // A recovery code is too long to be guessed. So an attacker who guesses codes of the app must not block
  // recovery codes.
  if (isTotp) await throttleAccount(ctx, `factor of ${waiting.user_id}`)
  if (isTotp && (waiting.blocked_seconds ?? 0) > 0) throw blocked(waiting.blocked_seconds as number)
  const step = isTotp ? await stepOf(ctx, waiting, typed) : undefined
  const { finished } = await asAnonymous(ctx, 'write', {
    finished: store.finish(challenge, { isTotp, step, recoveryHash: codeHash(typed), trust }),
  })
  if (!finished.first) throw wrongCode()
  return admitted(finished.first, place, 'otp')
}

/** Returns the time step of a code. Undefined for a wrong code, and without an authenticator app. */
async function stepOf(
  ctx: RequestContext,
  { user_id: userId, secret, master_kid: masterKid }: store.AttemptRow,
  code: string,
): Promise<number | undefined> {
  if (secret === null || masterKid === null) return undefined
  const bytes = await decryptForAccount(ctx.config, { kind: totpKind, userId }, { masterKid, stored: secret })
  return matchingStep(bytes, code, new Date())
}

/** Admits the account that has completed a sign-in with a method. */
export function admitted(row: store.FinishedRow, place: SignInPlace, method: 'otp' | 'pop'): Admitted {
  const { user_id: userId, generation, organization_id, methods, read_at: readAt } = row
  return admitWithFactor(
    { userId, generation, organizationId: organization_id ?? undefined, methods, readAt },
    place,
    method,
  )
}
