/** Reads credentials: the Authorization header or, without one, the session cookie. A1, A3, A4, A6. */
import type { Context } from 'hono'
import { getCookie } from 'hono/cookie'
import { createMiddleware } from 'hono/factory'
import type { Asker } from '../context.ts'
import { type Caller, type FunctionRun, type RequestContext, siteName } from '../context.ts'
import {
  AppError,
  apiKeyNotAccepted,
  forbidden,
  forbiddenToFunctions,
  invalidCredentials,
  unauthenticated,
} from '../errors.ts'
import type { AppEnv } from '../http/app-env.ts'
import { isSameOrigin } from '../http/is-same-origin.ts'
import { databaseUnavailable, notSignedIn, tooManyRequests } from '../http/openapi/answers.ts'
import type { Credential, Guard } from '../http/openapi/describe.ts'
import { signInBytesMax } from '../http/scanned-body.ts'
import { IsolateCache } from '../lib/isolate-cache.ts'
import { keyHash } from './api-keys/key.ts'
import { sessionCookie } from './session-cookie.ts'
import { isIssuedHere } from './sign-in-hosts.ts'
import { signInOf, verifyToken } from './signed-tokens.ts'
import { throttle } from './throttle.ts'
import { verifyAccessToken } from './tokens.ts'

const header = /^(Bearer|Api-Key) ([\w.-]{1,4096})$/i

/**
 * Requires valid credentials of one of these kinds. Counts a request without them by its address, and other
 * requests by their user or key. `documented` lists the kinds that every operation with this guard accepts.
 */
const authenticate = (kinds: readonly Credential[], documented = kinds): Guard => ({
  handler: createMiddleware<AppEnv>(async (c, next) => {
    const ctx = c.get('ctx')
    try {
      await identify(c, kinds)
    } catch (error) {
      await throttle(ctx, 'anonymous', ctx.address)
      throw error
    }
    if (ctx.apiKeyHash === null || ctx.run) {
      await throttle(ctx, 'signed-in', clientOf(ctx))
      return next()
    }
    await countKey(c, clientOf(ctx), next)
  }),
  credentials: documented,
  answers: { 401: notSignedIn, 429: tooManyRequests, 503: databaseUnavailable },
})

/**
 * Returns the name under which the rate limiter counts a request. All runs of a function count together, even
 * if their callers differ.
 */
const clientOf = ({ run, apiKeyHash, caller }: RequestContext): string => {
  if (run) return `function ${run.siteId} ${run.functionId}`
  return apiKeyHash ? `key ${apiKeyHash}` : `user ${caller?.userId}`
}

/** The keys that this isolate has seen accepted. */
const acceptedKeys = new IsolateCache<true>('accepted_keys', { bytesOf: () => 0 })

/**
 * Counts a request with a key. Anybody can make up keys of the right form, so until a key was accepted once,
 * its requests also count by their address. Throws 429.
 */
async function countKey(c: Context<AppEnv>, key: string, next: () => Promise<void>): Promise<void> {
  const ctx = c.get('ctx')
  const isKnown = acceptedKeys.get(key) !== undefined
  if (!isKnown) await throttle(ctx, 'anonymous', ctx.address)
  await throttle(ctx, 'signed-in', key)
  await next()
  // An error may be found before Postgres looks at the key.
  if (!isKnown && c.res.ok) acceptedKeys.set(key, true, siteName(ctx))
}

/** Requires a valid bearer token. */
export const signedIn = authenticate(['bearer'])

/**
 * Requires a bearer token or an API key. The policy of an operation says whether it accepts keys
 * (policies.ts).
 */
export const signedInOrKey = authenticate(['bearer', 'api-key'], ['bearer'])

/** Requires the cookie of a session. */
export const inSession = authenticate(['session'])

/** Requires the key of an organization's directory, as a bearer token. The organization is checked later. */
export const byDirectory: Guard = {
  handler: createMiddleware<AppEnv>(async (c, next) => {
    const ctx = c.get('ctx')
    try {
      ctx.directoryKeyHash = readDirectoryKey(ctx, c.req.header('authorization'))
    } catch (error) {
      await throttle(ctx, 'anonymous', ctx.address)
      throw error
    }
    await countKey(c, `directory ${ctx.directoryKeyHash}`, next)
  }),
  credentials: ['directory-key'],
  answers: { 401: notSignedIn, 429: tooManyRequests, 503: databaseUnavailable },
}

/** Returns the hash of the key in an Authorization header. Throws 401 without one, and 403 for functions. */
function readDirectoryKey({ run }: RequestContext, text: string | undefined): string {
  if (run) throw forbiddenToFunctions()
  if (text === undefined) throw unauthenticated()
  const [, scheme, credentials = ''] = header.exec(text) ?? []
  const hash = scheme?.toLowerCase() === 'bearer' ? keyHash('directory', credentials) : undefined
  if (hash === undefined) throw invalidCredentials()
  return hash
}

/** Requires a bearer token or the cookie of a session. */
export const signedInOrSession = authenticate(['bearer', 'session'])

/**
 * Requires no credentials, but identifies the caller of a valid session: for pages that everybody may open.
 * Postgres reports with the first statement whether the session has ended.
 */
export const visitor: Guard = {
  handler: createMiddleware<AppEnv>(async (c, next) => {
    const ctx = c.get('ctx')
    const cookie = getCookie(c, sessionCookie)
    if (cookie !== undefined) await enterSession(c, cookie).catch(stayAnonymous)
    const { caller, address } = ctx
    await (caller ? throttle(ctx, 'signed-in', `user ${caller.userId}`) : throttle(ctx, 'anonymous', address))
    await next()
  }),
  answers: { 429: tooManyRequests },
}

function stayAnonymous(error: unknown): void {
  if (!(error instanceof AppError)) throw error
}

const countedByAddress = createMiddleware<AppEnv>(async (c, next) => {
  await throttle(c.get('ctx'), 'anonymous', c.get('ctx').address)
  await next()
})

/**
 * Requires no credentials. Requests are counted by their address, and their bodies must be small, because an
 * anonymous client cannot be blocked.
 */
export const anonymous: Guard = {
  handler: countedByAddress,
  bodyBytesMax: signInBytesMax,
  answers: { 429: tooManyRequests },
}

/** Accepts what a guard accepts, or no credentials. Credentials that are present must be valid. */
const orAnybody = (guard: Guard, hasCredentials: (c: Context<AppEnv>) => boolean): Guard => ({
  ...guard,
  handler: createMiddleware<AppEnv>((c, next) =>
    hasCredentials(c) ? guard.handler(c, next) : countedByAddress(c, next),
  ),
  credentials: [...(guard.credentials ?? []), 'none'],
})

const hasAuthorization = (c: Context<AppEnv>): boolean =>
  c.var.ctx.run !== null || isSomebody(c.var.ctx.asks) || c.req.header('authorization') !== undefined

const isSomebody = (asks: Asker | undefined): boolean =>
  asks !== undefined && (asks.caller !== null || asks.apiKeyHash !== null)
const hasSession = (c: Context<AppEnv>): boolean => getCookie(c, sessionCookie) !== undefined

/**
 * Accepts a bearer token, the cookie of a session, or neither. Credentials that are present must be valid.
 */
export const signedInOrAnybody: Guard = orAnybody(
  signedInOrSession,
  (c) => hasAuthorization(c) || hasSession(c),
)

/**
 * Accepts a bearer token, an API key, or neither. Credentials that are present must be valid. The policy of
 * an operation says whether it accepts keys (policies.ts).
 */
export const signedInOrKeyOrAnybody: Guard = orAnybody(signedInOrKey, hasAuthorization)

/**
 * Sets the caller or the API key of the request's context. Throws 401, and 403 for a session from another
 * site's page.
 */
async function identify(c: Context<AppEnv>, kinds: readonly Credential[]): Promise<void> {
  const ctx = c.get('ctx')
  if (ctx.run) return enterAsFunction(ctx, ctx.run, kinds)
  if (ctx.asks) return enterAsAsker(ctx, ctx.asks)
  const text = c.req.header('authorization')
  const cookie = getCookie(c, sessionCookie)
  if (text === undefined && cookie !== undefined && kinds.includes('session')) return enterSession(c, cookie)
  if (text === undefined) throw unauthenticated()
  const [, scheme, credentials = ''] = header.exec(text) ?? []
  const kind = scheme?.toLowerCase() as Credential | undefined
  if (kind === 'api-key' && !kinds.includes(kind)) throw apiKeyNotAccepted()
  if (!kind || !kinds.includes(kind)) throw invalidCredentials()
  if (kind === 'bearer') ctx.caller = (await verifyAccessToken(ctx.config, credentials)) ?? null
  else ctx.apiKeyHash = keyHash('person', credentials) ?? null
  if (!ctx.caller && !ctx.apiKeyHash) throw invalidCredentials()
}

/** Sets whom a live list asks for. The sign-in was verified when the person began to follow it. */
function enterAsAsker(ctx: RequestContext, { caller, apiKeyHash, ip }: Asker): void {
  ctx.caller = caller && { ...caller, signedInAt: new Date(0) }
  ctx.apiKeyHash = apiKeyHash
  ctx.ip = ip
}

/**
 * Sets the caller of a function's request. Throws 403 for operations that accept no API keys, because a
 * function may do only what a key with scopes may do. The operation's policy checks the rest (policies.ts).
 */
function enterAsFunction(ctx: RequestContext, run: FunctionRun, kinds: readonly Credential[]): void {
  if (!kinds.includes('api-key')) throw forbiddenToFunctions()
  // A function has never signed in, so operations that need a recent sign-in are refused.
  if (run.as === 'caller' && run.caller) ctx.caller = { ...run.caller, signedInAt: new Date(0) }
}

/**
 * Signs in by the session cookie. Throws 403 for an unsafe method unless a page of the same origin sent the
 * request: a browser attaches the cookie to requests from any page.
 */
async function enterSession(c: Context<AppEnv>, cookie: string): Promise<void> {
  const caller = await callerOf(c, cookie)
  if (!caller) throw invalidCredentials()
  if (!isSafe(c.req.method) && !isSameOrigin(c)) throw forbidden()
  c.get('ctx').caller = caller
}

/**
 * Returns the caller of the browser's session; null without one. Postgres reports with the first statement
 * whether the session has ended.
 */
export async function callerOfSession(c: Context<AppEnv>): Promise<Caller | null> {
  const cookie = getCookie(c, sessionCookie)
  return cookie === undefined ? null : callerOf(c, cookie)
}

async function callerOf(c: Context<AppEnv>, cookie: string): Promise<Caller | null> {
  const ctx = c.get('ctx')
  const claims = await verifyToken(ctx.config, 'session', cookie)
  if (!claims || !isIssuedHere(ctx, claims)) return null
  return { ...signInOf(claims), session: claims.id, signedInAt: claims.signedInAt }
}

const isSafe = (method: string): boolean => method === 'GET' || method === 'HEAD'
