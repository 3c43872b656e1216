/** One line a request: what was asked, how it ended, how long it took. No query string, header or body is in it. W4. */
import { createMiddleware } from 'hono/factory'
import { routePath } from 'hono/route'
import { log } from '../lib/log.ts'
import type { AppEnv } from './app-env.ts'

export const requestLog = createMiddleware<AppEnv>(async (c, next) => {
  const started = performance.now()
  await next()
  const { tenant, caller, database, config, requestId } = c.var.ctx
  const { roundTrips, milliseconds } = database.spent
  if (config.ENVIRONMENT !== 'production') {
    c.header('Server-Timing', `db;dur=${milliseconds.toFixed(1)};desc="${roundTrips}"`)
  }
  log({
    level: 'info',
    request_id: requestId,
    method: c.req.method,
    route: routePath(c, -1),
    status: c.res.status,
    tenant: tenant.slug ?? tenant.host,
    caller: caller?.userId ?? null,
    ms: Math.round((performance.now() - started) * 10) / 10,
    db_ms: Math.round(milliseconds * 10) / 10,
    db_round_trips: roundTrips,
  })
})
