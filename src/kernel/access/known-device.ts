/**
 * Recognizes a browser that has signed in to an account before, by a signed cookie. Its attempts have a
 * separate counter, so that wrong passwords from elsewhere do not lock the owner out. The cookie gives no
 * access.
 */
import type { RequestContext } from '../context.ts'
import { isIssuedHere } from './sign-in-hosts.ts'
import { signToken, verifyToken } from './signed-tokens.ts'

/** The name of the cookie. */
export const deviceCookie = 'deviceid'

const deviceSeconds = 365 * 86_400

/** Returns the attributes of the cookie. `url` is the request's: the cookie is `Secure` only over https. */
export const deviceCookieOptions = (url: string) => ({
  httpOnly: true,
  sameSite: 'Lax' as const,
  path: '/',
  secure: url.startsWith('https:'),
  maxAge: deviceSeconds,
})

/**
 * Returns the value of the cookie for a browser that has signed in to an account with its password. `present`
 * is its cookie. A cookie of this account is kept, so that all attempts of a browser are counted together.
 */
export async function issueDevice(
  ctx: RequestContext,
  userId: number,
  present: string | undefined,
): Promise<string> {
  if (present !== undefined && (await knownDevice(ctx, userId, present)) !== undefined) return present
  const issuedAt = new Date()
  return signToken(ctx.config, 'device', {
    userId,
    generation: 0,
    host: ctx.tenant.domain ?? undefined,
    id: crypto.randomUUID(),
    family: undefined,
    signedInAt: issuedAt,
    issuedAt,
    expiresAt: new Date(issuedAt.getTime() + deviceSeconds * 1000),
  })
}

/** Returns the id of a device by its cookie, if it has signed in to the account at this host before. */
export async function knownDevice(
  ctx: RequestContext,
  userId: number,
  cookie: string | undefined,
): Promise<string | undefined> {
  if (cookie === undefined) return undefined
  const claims = await verifyToken(ctx.config, 'device', cookie)
  return claims?.userId === userId && isIssuedHere(ctx, claims) ? claims.id : undefined
}
