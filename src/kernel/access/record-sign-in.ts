/** Starts sign-ins, and records each after its answer, so that users see where their account is signed in. */
import type { RequestContext } from '../context.ts'
import { wakeMs } from '../db/breaker.ts'
import { isByPassword } from '../db/caller.ts'
import { openDatabase } from '../db/client.ts'
import { sql } from '../db/sql.ts'
import { describeFailure, log } from '../lib/log.ts'
import type { TokenPair } from './jwt/schema.ts'
import type { Admitted } from './second-factor/service.ts'
import type { Claims } from './signed-tokens.ts'
import { newSession, newTokens, signSession, signTokens } from './tokens.ts'

/** Issues the first token pair of a sign-in, and records the sign-in. */
export function startTokens(ctx: RequestContext, identity: Admitted): Promise<TokenPair> {
  const tokens = newTokens(ctx.config, { ...identity, signedInAt: identity.provenAt ?? new Date() })
  recordSignIn(ctx, tokens.refresh, identity.readAt, false)
  return signTokens(ctx.config, tokens)
}

/** Issues the cookie of a new session, and records the sign-in. A3. */
export function startCookie(ctx: RequestContext, identity: Admitted): Promise<string> {
  const session = newSession(ctx.config, identity, identity.provenAt)
  recordSignIn(ctx, session, identity.readAt, true)
  return signSession(ctx.config, session)
}

/** Records a sign-in after the answer. If that fails, it logs the error, and the sign-in stays valid. */
function recordSignIn(
  ctx: RequestContext,
  claims: Claims,
  readAt: string | undefined,
  isSession: boolean,
): void {
  const { id, userId, generation, organizationId = null, host = null, expiresAt } = claims
  const { device, country } = ctx.client
  const noted = sql`
    select public.note_sign_in(row(${id}, ${userId}, ${generation}, ${organizationId}, ${isSession},
                                   ${expiresAt.toISOString()}, ${device}, ${country}, ${host},
                                   ${isByPassword(claims)})::public.sign_in,
                               ${readAt ?? null})`
  // The request does not wait for this round trip, so it is not counted.
  ctx.waitUntil(
    openDatabase(ctx.config)
      .batch({ noted, notes: ctx.afterCommit.selectNotes }, wakeMs)
      // Callers that are cached may belong to a sign-in that has ended already.
      .then(({ notes }) => ctx.afterCommit.handle(ctx, notes.one))
      .catch((error: unknown) =>
        log({
          level: 'error',
          request_id: ctx.requestId,
          sign_in: 'not recorded',
          ...describeFailure(error, false),
        }),
      ),
  )
}
