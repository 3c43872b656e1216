/** Sessions: sign-ins of browsers, in a cookie. A3. */
import type { SignInInput } from '../../../kernel/access/jwt/schema.ts'
import { issueDevice } from '../../../kernel/access/known-device.ts'
import { startCookie } from '../../../kernel/access/record-sign-in.ts'
import type { Admitted } from '../../../kernel/access/second-factor/service.ts'
import { authenticate } from '../../../kernel/access/sign-in.ts'
import { issueSessionToken, sessionTokenSeconds } from '../../../kernel/access/tokens.ts'
import type { RequestContext } from '../../../kernel/context.ts'
import { requireCaller } from '../../../kernel/db/entering.ts'
import { onPlatform } from '../../../kernel/db/platform.ts'
import { sql } from '../../../kernel/db/sql.ts'
import type { User } from '../../users/schema.ts'
import { asUser, selectMe } from '../../users/service.ts'
import type { SessionToken } from './schema.ts'

/** A new session. */
export interface StartedSession {
  /** The value of the cookie. */
  cookie: string
  /** The value of the cookie by which the service recognizes the browser from now on. */
  device: string
  user: User
  /** Whether the account lacks the second factor that the request's site requires. */
  lacksFactor: boolean
}

/**
 * Signs in with a password. `presentDevice` is the cookie of a browser that has signed in before. Throws the
 * same 401, 403 and 429 as a request for a token pair. A1.
 */
export async function startSession(
  ctx: RequestContext,
  input: SignInInput,
  presentDevice: string | undefined,
): Promise<StartedSession> {
  return startFor(ctx, await authenticate(ctx, input, presentDevice), presentDevice)
}

/** Starts the session of an account that has used all required factors. Takes one round trip. */
export async function startFor(
  ctx: RequestContext,
  identity: Admitted,
  presentDevice: string | undefined,
): Promise<StartedSession> {
  const device = await issueDevice(ctx, identity.userId, presentDevice)
  const cookie = await startCookie(ctx, identity)
  ctx.caller = { ...identity, signedInAt: identity.provenAt ?? new Date() }
  const { host, slug } = ctx.tenant
  const { user, missing } = await onPlatform(ctx, {
    user: selectMe(ctx),
    missing: sql<{ lacks: boolean }>`
      select public.lacks_required_factor(${host}, ${slug}, ${identity.userId}) as lacks`,
  })
  return { cookie, device, user: asUser(user.one), lacksFactor: missing.one.lacks }
}

/**
 * Returns an access token for scripts of the service's own pages. It has the rights of the account, and ends
 * with the session. Throws 401 if the session has ended.
 */
export async function createSessionToken(ctx: RequestContext): Promise<SessionToken> {
  await onPlatform(ctx, {})
  return {
    access: await issueSessionToken(ctx.config, requireCaller(ctx)),
    token_type: 'Bearer',
    expires_in: sessionTokenSeconds,
  }
}

/** Ends the caller's session: every copy of the cookie is rejected from then on. */
export async function endSession(ctx: RequestContext): Promise<void> {
  const { userId, session } = requireCaller(ctx)
  const seconds = ctx.config.SESSION_SECONDS
  await onPlatform(ctx, {
    ended: sql`select public.end_session(${session as string}, ${userId}, ${seconds})`,
  })
}
