/** Makes the RequestContext of each request: tenant and database are only named here, nothing is asked of them yet. */
import { createMiddleware } from 'hono/factory'
import type { RequestContext } from '../context.ts'
import { atOneSite } from '../db/one-site.ts'
import { openShare } from '../db/shares.ts'
import { configOf, type Env } from '../env.ts'
import { notFound } from '../errors.ts'
import { clientAddress } from '../lib/address.ts'
import type { AppEnv } from './app-env.ts'
import { reasonAgainst } from './hosts.ts'
import { tenantOf } from './tenant.ts'

export const requestContext = createMiddleware<AppEnv>(async (c, next) => {
  c.set(
    'ctx',
    createContext(c.env, c.req.raw, c.var.requestId, (work) => c.executionCtx.waitUntil(work)),
  )
  const { share, waitUntil } = c.var.ctx
  const handled = next().finally(share.release)
  // A client that hangs up does not cut the request off: it gives back what it holds.
  waitUntil(handled.catch(() => undefined))
  await handled
})

/** Returns 404 if the subdomain of BASE_DOMAIN and the path name different sites (T2). For domains, db/one-site.ts checks that. */
export const oneSite = createMiddleware<AppEnv>(async (c, next) => {
  const { prefix, slug } = c.var.ctx.tenant
  if (prefix !== null && prefix !== slug) throw notFound()
  await next()
})

export function createContext(env: Env, request: Request, requestId: string, waitUntil: RequestContext['waitUntil']): RequestContext {
  const config = configOf(env)
  const tenant = tenantOf(new URL(request.url), config)
  const ctx: Omit<RequestContext, 'database' | 'share'> = {
    env,
    config,
    requestId,
    address: clientAddress(request.headers.get('cf-connecting-ip')),
    tenant,
    caller: null,
    apiKeyHash: null,
    permission: undefined,
    waitUntil,
  }
  const { database, share } = openShare(ctx, request.method === 'GET' || request.method === 'HEAD')
  // A host that can be no domain of a site needs no check in the database.
  const mayBeDomain = tenant.prefix !== null && reasonAgainst(config, tenant.host) === undefined
  return Object.assign(ctx, { share, database: mayBeDomain ? atOneSite(database, tenant) : database })
}
