/** Makes the RequestContext of each request: tenant and database are only named here, nothing is asked of them yet. */
import { createMiddleware } from 'hono/factory'
import type { RequestContext } from '../context.ts'
import { openDatabase } from '../db/client.ts'
import { atOneSite } from '../db/one-site.ts'
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
  await next()
})

/** T2: a host below BASE_DOMAIN and a path that name two sites are no site together. Of other hosts the database says whose they are (db/one-site.ts). */
export const oneSite = createMiddleware<AppEnv>(async (c, next) => {
  const { prefix, slug } = c.var.ctx.tenant
  if (prefix !== null && prefix !== slug) throw notFound()
  await next()
})

export function createContext(env: Env, request: Request, requestId: string, waitUntil: RequestContext['waitUntil']): RequestContext {
  const config = configOf(env)
  const tenant = tenantOf(new URL(request.url), config)
  const database = openDatabase(config)
  // What cannot be a site's domain need not be looked up.
  const mayBeDomain = tenant.prefix !== null && reasonAgainst(config, tenant.host) === undefined
  return {
    env,
    config,
    requestId,
    address: clientAddress(request.headers.get('cf-connecting-ip')),
    tenant,
    caller: null,
    apiKeyHash: null,
    permission: undefined,
    database: mayBeDomain ? atOneSite(database, tenant) : database,
    waitUntil,
  }
}
