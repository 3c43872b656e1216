/** Sessions: the sign-in of a browser, kept in a cookie. A3. */
import type { SignInInput } from '../../access/jwt/schema.ts'
import { authenticate } from '../../access/sign-in.ts'
import { issueSession } from '../../access/tokens.ts'
import type { RequestContext } from '../../context.ts'
import { sql } from '../../db/sql.ts'
import { onPlatform, signedIn } from '../../db/tenant.ts'
import type { User } from '../../users/schema.ts'
import { readMe } from '../../users/service.ts'

export interface StartedSession {
  /** The value of the cookie. */
  cookie: string
  user: User
}

/** The same refusals as for a token pair (A1). */
export async function startSession(ctx: RequestContext, input: SignInInput): Promise<StartedSession> {
  const identity = await authenticate(ctx, input)
  const cookie = await issueSession(ctx.config, identity)
  ctx.caller = identity
  return { cookie, user: await readMe(ctx) }
}

/** From now on the cookie is refused, wherever a copy of it may be. */
export async function endSession(ctx: RequestContext): Promise<void> {
  const { userId, session } = signedIn(ctx)
  const seconds = ctx.config.SESSION_SECONDS
  await onPlatform(ctx, { ended: sql`select public.end_session(${session as string}, ${userId}, ${seconds})` })
}
