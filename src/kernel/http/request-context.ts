/**
 * Creates the RequestContext of each request. It identifies the tenant and the database, but does not query
 * them.
 */
import { createMiddleware } from 'hono/factory'
import type { AfterCommit, RequestContext } from '../context.ts'
import { withHostCheck } from '../db/host-check.ts'
import { withRunCheck } from '../db/run-check.ts'
import { openShare } from '../db/shares.ts'
import { configOf, type Env } from '../env.ts'
import { notFound } from '../errors.ts'
import { clientAddress } from '../lib/client-address.ts'
import { countryOf, deviceOf } from '../lib/device.ts'
import { languageOf } from '../lib/languages.ts'
import { noKeys } from '../scopes.ts'
import { beginTrace } from '../telemetry/trace.ts'
import type { AppEnv } from './app-env.ts'
import { showContext } from './beside-requests.ts'
import { runOf } from './function-requests.ts'
import { validUrlOf } from './request-url.ts'
import { tenantOf } from './tenant-locator.ts'

/** Creates the middleware that sets `ctx`, and that releases the request's resources when it ends. */
export const requestContext = (afterCommit: AfterCommit) =>
  createMiddleware<AppEnv>(async (c, next) => {
    const waitUntil = (work: Promise<unknown>) => c.executionCtx.waitUntil(work)
    const { requestId, clientRequestId } = c.var
    const surroundings = { requestId, clientRequestId, waitUntil, afterCommit }
    const ctx = createContext(c.env, c.req.raw, surroundings)
    c.set('ctx', ctx)
    showContext(c.req.raw, ctx)
    const handled = next().finally(ctx.share.release)
    // The request runs to its end even if the client disconnects, so that it releases its resources.
    waitUntil(handled.catch(() => undefined))
    await handled
  })

/** Throws WrongConfiguration if a variable is missing or malformed. W7 */
export const requireConfiguration = createMiddleware<AppEnv>(async (c, next) => {
  configOf(c.env)
  await next()
})

/**
 * Throws 404 if the subdomain of BASE_DOMAIN and the path name different sites (T2). For domains of sites,
 * db/host-check.ts checks this.
 */
export const requireOneSite = createMiddleware<AppEnv>(async (c, next) => {
  const { prefix, slug } = c.get('ctx').tenant
  if (prefix !== null && prefix !== slug) throw notFound()
  await next()
})

/**
 * Creates the context of a request. `surroundings` are the values that the request itself does not contain.
 * Throws WrongConfiguration if a variable is missing or malformed.
 */
export function createContext(
  env: Env,
  request: Request,
  surroundings: Pick<RequestContext, 'requestId' | 'clientRequestId' | 'waitUntil' | 'afterCommit'>,
): RequestContext {
  const config = configOf(env)
  const ip = request.headers.get('cf-connecting-ip')
  const tenant = tenantOf(validUrlOf(request), config)
  const ctx: Omit<RequestContext, 'database' | 'replica' | 'share'> = {
    env,
    config,
    ...surroundings,
    address: clientAddress(ip),
    ip,
    // It is computed when it is needed, because few requests need it.
    get client() {
      return {
        device: deviceOf(request.headers.get('user-agent')),
        country: countryOf(request.headers.get('cf-ipcountry')),
        language: languageOf(request.headers.get('accept-language')),
      }
    },
    tenant,
    caller: null,
    apiKeyHash: null,
    directoryKeyHash: null,
    run: runOf(request),
    permission: undefined,
    forGuests: false,
    viewAs: null,
    keyUse: noKeys,
    requestKey: null,
    ageMax: 0,
    trace: beginTrace(config, request.headers.get('traceparent')),
  }
  const { database, ...others } = openShare(ctx, request.method === 'GET' || request.method === 'HEAD')
  if (ctx.run) return Object.assign(ctx, { ...others, database: withRunCheck(database, ctx.run, tenant) })
  // A host that cannot be a site's domain needs no check in the database.
  const mayBeDomain = tenant.prefix !== null && tenant.domain !== null
  return Object.assign(ctx, {
    ...others,
    database: mayBeDomain ? withHostCheck(database, tenant) : database,
  })
}
