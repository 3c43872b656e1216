/** The one place that reads credentials: the Authorization header, and where there is none the session's cookie. A1, A3, A4, A6. */
import type { Context } from 'hono'
import { getCookie } from 'hono/cookie'
import { createMiddleware } from 'hono/factory'
import { forbidden, invalidCredentials, keyNotTaken, unauthenticated } from '../errors.ts'
import type { AppEnv } from '../http/app-env.ts'
import { databaseAway, notSignedIn, tooManyRequests } from '../http/openapi/answers.ts'
import { type Credential, described, partOf } from '../http/openapi/describe.ts'
import { isSameOrigin } from '../http/same-origin.ts'
import { keyHash } from './api-keys/key.ts'
import { sessionCookie } from './session-cookie.ts'
import { verifyToken } from './signed-tokens.ts'
import { throttle } from './throttle.ts'
import { verifyAccessToken } from './tokens.ts'

const header = /^(Bearer|Api-Key) ([\w.-]{1,4096})$/i

/** Lets a request through that shows credentials of a kind. Who has none is counted by address, who has some as a user or key. `everywhere` are those kinds that every route takes. */
const showing = (kinds: readonly Credential[], everywhere = kinds) =>
  described(
    createMiddleware<AppEnv>(async (c, next) => {
      const { ctx } = c.var
      try {
        await identify(c, kinds)
      } catch (refusal) {
        await throttle(ctx, 'anonymous', ctx.address)
        throw refusal
      }
      await throttle(ctx, 'signed-in', ctx.apiKeyHash ? `key ${ctx.apiKeyHash}` : `user ${ctx.caller?.userId}`)
      await next()
    }),
    { credentials: everywhere, answers: { 401: notSignedIn, 429: tooManyRequests, 503: databaseAway } },
  )

/** With a bearer token that holds. */
export const signedIn = showing(['bearer'])

/** With a bearer token, or an API key: which routes take one, their policies say (policies.ts). */
export const signedInOrKey = showing(['bearer', 'api-key'], ['bearer'])

/** With the cookie of a session. */
export const inSession = showing(['session'])

/** With a bearer token, or with the cookie of a session. */
export const signedInOrSession = showing(['bearer', 'session'])

/** Lets anybody through, counted by address. */
export const anonymous = described(
  createMiddleware<AppEnv>(async (c, next) => {
    await throttle(c.var.ctx, 'anonymous', c.var.ctx.address)
    await next()
  }),
  { answers: { 429: tooManyRequests } },
)

/** With either of these, or with none: what is shown has to hold. */
export const signedInOrAnybody = described(
  createMiddleware<AppEnv>((c, next) => {
    const shown = c.req.header('authorization') !== undefined || getCookie(c, sessionCookie) !== undefined
    return shown ? signedInOrSession(c, next) : anonymous(c, next)
  }),
  { ...partOf(signedInOrSession), credentials: ['bearer', 'session', 'none'] },
)

async function identify(c: Context<AppEnv>, kinds: readonly Credential[]): Promise<void> {
  const { ctx } = c.var
  const text = c.req.header('authorization')
  const cookie = getCookie(c, sessionCookie)
  if (text === undefined && cookie !== undefined && kinds.includes('session')) return enterSession(c, cookie)
  if (text === undefined) throw unauthenticated()
  const [, scheme, credentials = ''] = header.exec(text) ?? []
  const kind = scheme?.toLowerCase() as Credential | undefined
  if (kind === 'api-key' && !kinds.includes(kind)) throw keyNotTaken()
  if (!kind || !kinds.includes(kind)) throw invalidCredentials()
  if (kind === 'bearer') ctx.caller = (await verifyAccessToken(ctx.config, credentials)) ?? null
  else ctx.apiKeyHash = keyHash(credentials) ?? null
  if (!ctx.caller && !ctx.apiKeyHash) throw invalidCredentials()
}

/** A browser sends the cookie whoever made it ask: what changes something has to come from a page of this very host. */
async function enterSession(c: Context<AppEnv>, cookie: string): Promise<void> {
  const claims = await verifyToken(c.var.ctx.config, 'session', cookie)
  if (!claims) throw invalidCredentials()
  if (!isSafe(c.req.method) && !isSameOrigin(c)) throw forbidden()
  const { userId, generation, organizationId, id } = claims
  c.var.ctx.caller = { userId, generation, organizationId, session: id }
}

const isSafe = (method: string): boolean => method === 'GET' || method === 'HEAD'
