/**
 * Trusted browsers: for some days after a second factor was used in a browser, the password alone signs in
 * there. The cookie has a random token for each account that trusts the browser; the database has the hashes.
 * Only the service creates tokens, so nobody can plant one.
 */
import type { Context } from 'hono'
import { getCookie, setCookie } from 'hono/cookie'
import type { RequestContext } from '../context.ts'
import type { Config } from '../env.ts'
import { invalidFields } from '../errors.ts'
import type { AppEnv } from '../http/app-env.ts'
import { randomBytes } from '../lib/cipher.ts'
import { sha256 } from '../lib/sha256.ts'
import { callerOfSession } from './credentials.ts'

/** The name of the cookie. */
const trustCookie = 'trusteddevice'

const tokenBytes = 32
/** The maximum number of accounts that can trust one browser. */
const tokensMax = 5
const daySeconds = 86_400

/** A new token of a browser, and the data to store about the browser. */
export interface NewTrust {
  token: string
  hash: string
  device: string | null
  country: string | null
  days: number
}

/**
 * Returns for how many days a browser can be trusted at the host of the request. 0: never, as at a tenant's
 * host, whose cookies the tenant can get. A8
 */
export const trustDaysOf = ({ config, tenant }: RequestContext): number =>
  tenant.domain === null ? config.TRUSTED_DEVICE_DAYS : 0

/**
 * Returns a token that makes a browser trusted; null if the client does not ask for it. Throws 400 if
 * browsers cannot be trusted.
 */
export function newTrust(ctx: RequestContext, isWanted: boolean): NewTrust | null {
  if (!isWanted) return null
  const days = trustDaysOf(ctx)
  if (days === 0) throw notTrusted(ctx)
  const token = Buffer.from(randomBytes(tokenBytes)).toString('base64url')
  return { token, hash: hashOf(token), ...ctx.client, days }
}

const notTrusted = ({ config: { TRUSTED_DEVICE_DAYS } }: RequestContext) =>
  invalidFields({
    trust_device: [
      TRUSTED_DEVICE_DAYS === 0
        ? 'This service does not trust devices.'
        : 'Devices are trusted at the address of the service only.',
    ],
  })

const hashOf = (token: string): string => sha256(`trusted device ${token}`)

/** Returns the tokens in the browser's cookie. Anything else in the cookie is ignored. */
const tokensOf = (c: Context<AppEnv>): string[] =>
  (getCookie(c, trustCookie) ?? '')
    .split('.')
    .filter((token) => /^[\w-]{43}$/.test(token))
    .slice(0, tokensMax)

/**
 * Reads the trust tokens of the browser for a sign-in that begins. A browser that already has a session signs
 * in again to prove who uses it now, so its trust is ignored.
 */
export async function readTrust(c: Context<AppEnv>): Promise<void> {
  const tokens = tokensOf(c)
  if (tokens.length > 0 && (await callerOfSession(c)) === null)
    c.var.ctx.trustHashes = tokens.map((token) => hashOf(token))
}

/** Sets a token in the browser's cookie, next to the tokens of other accounts. */
export function setTrust(c: Context<AppEnv>, trust: NewTrust | null): void {
  if (!trust) return
  const tokens = [trust.token, ...tokensOf(c)].slice(0, tokensMax)
  setCookie(c, trustCookie, tokens.join('.'), trustCookieOptions(c.var.ctx.config, c.req.url))
}

/** Returns the attributes of the cookie. `url` is the request's: the cookie is `Secure` only over https. */
const trustCookieOptions = (config: Config, url: string) => ({
  httpOnly: true,
  sameSite: 'Lax' as const,
  path: '/',
  secure: url.startsWith('https:'),
  maxAge: config.TRUSTED_DEVICE_DAYS * daySeconds,
})
