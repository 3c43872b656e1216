/**
 * Browsers in which a person has shown a second factor, and that are trusted for some days: there the
 * password alone signs in. The cookie has a random token for each account that trusts the browser; the
 * database has the hashes. Each token is made here and never taken from the browser, so nobody can plant one.
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
/** As many accounts can trust one browser. */
const tokensMax = 5
const daySeconds = 86_400

/** A new token of a browser, and what is stored of the browser. */
export interface NewTrust {
  token: string
  hash: string
  device: string | null
  country: string | null
  days: number
}

/** Returns what a browser is trusted with; null if that is not wanted. Throws 400 where no browser can be. */
export function newTrust({ config, client }: RequestContext, isWanted: boolean): NewTrust | null {
  if (!isWanted) return null
  const days = config.TRUSTED_DEVICE_DAYS
  if (days === 0) throw invalidFields({ trust_device: ['This service does not trust devices.'] })
  const token = Buffer.from(randomBytes(tokenBytes)).toString('base64url')
  return { token, hash: hashOf(token), ...client, days }
}

const hashOf = (token: string): string => sha256(`trusted device ${token}`)

/** The tokens of the browser's cookie. Nothing else of it counts. */
const tokensOf = (c: Context<AppEnv>): string[] =>
  (getCookie(c, trustCookie) ?? '')
    .split('.')
    .filter((token) => /^[\w-]{43}$/.test(token))
    .slice(0, tokensMax)

/**
 * Notes what the browser is trusted with, for a sign-in that begins. A browser that has a session signs in
 * again to show who uses it now, so its trust does not count.
 */
export async function readTrust(c: Context<AppEnv>): Promise<void> {
  const tokens = tokensOf(c)
  if (tokens.length > 0 && (await callerOfSession(c)) === null)
    c.var.ctx.trustHashes = tokens.map((token) => hashOf(token))
}

/** Gives the browser a token, beside those of other accounts. */
export function setTrust(c: Context<AppEnv>, trust: NewTrust | null): void {
  if (!trust) return
  const tokens = [trust.token, ...tokensOf(c)].slice(0, tokensMax)
  setCookie(c, trustCookie, tokens.join('.'), trustCookieOptions(c.var.ctx.config, c.req.url))
}

/** The attributes of the cookie. `url` is the request's: the cookie is `Secure` only over https. */
const trustCookieOptions = (config: Config, url: string) => ({
  httpOnly: true,
  sameSite: 'Lax' as const,
  path: '/',
  secure: url.startsWith('https:'),
  maxAge: config.TRUSTED_DEVICE_DAYS * daySeconds,
})
