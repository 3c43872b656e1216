/** One line a request: what was asked, how it ended, how long it took. No query string, header or body is in it. W4. */
import { createMiddleware } from 'hono/factory'
import { routePath } from 'hono/route'
import type { RequestContext } from '../context.ts'
import { log } from '../lib/log.ts'
import type { AppEnv } from './app-env.ts'

export const requestLog = createMiddleware<AppEnv>(async (c, next) => {
  const started = performance.now()
  await next()
  // Missing if the request ended before requestContext: at /healthz, or with a wrong host or configuration.
  const ctx = c.var.ctx as RequestContext | undefined
  const { roundTrips, milliseconds } = ctx?.database.spent ?? { roundTrips: 0, milliseconds: 0 }
  if (ctx?.config.ENVIRONMENT === 'development') {
    c.header('Server-Timing', `db;dur=${milliseconds.toFixed(1)};desc="${roundTrips}"`)
  }
  log({
    level: 'info',
    request_id: c.var.requestId,
    method: c.req.method,
    route: routePath(c, -1),
    status: c.res.status,
    tenant: ctx ? (ctx.tenant.slug ?? ctx.tenant.host) : null,
    caller: ctx?.caller?.userId ?? null,
    ms: Math.round((performance.now() - started) * 10) / 10,
    db_ms: Math.round(milliseconds * 10) / 10,
    db_round_trips: roundTrips,
  })
})
