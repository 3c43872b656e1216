/** Makes the RequestContext of each request: tenant and database are only named here, nothing is asked of them yet. */
import { createMiddleware } from 'hono/factory'
import type { RequestContext } from '../context.ts'
import { openShare } from '../db/shares.ts'
import { configOf, type Env } from '../env.ts'
import { clientAddress } from '../lib/address.ts'
import type { AppEnv } from './app-env.ts'
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

export function createContext(env: Env, request: Request, requestId: string, waitUntil: RequestContext['waitUntil']): RequestContext {
  const config = configOf(env)
  const ctx: Omit<RequestContext, 'database' | 'share'> = {
    env,
    config,
    requestId,
    address: clientAddress(request.headers.get('cf-connecting-ip')),
    tenant: tenantOf(new URL(request.url), config),
    caller: null,
    apiKeyHash: null,
    permission: undefined,
    waitUntil,
  }
  return Object.assign(ctx, openShare(ctx, request.method === 'GET' || request.method === 'HEAD'))
}
