/**
 * Logs one line for each request: route, status and duration. It never contains the query string, headers or
 * a body. W4. Counts the requests of sites.
 */
import { createMiddleware } from 'hono/factory'
import { routePath } from 'hono/route'
import type { RequestContext } from '../context.ts'
import type { Database } from '../db/database.ts'
import { knownStanding } from '../db/known-standing.ts'
import { countUse, storeUseSoon } from '../db/use.ts'
import { log } from '../lib/log.ts'
import type { AppEnv } from './app-env.ts'
import { setIfAbsent } from './headers.ts'
import { noteRequest } from './request-telemetry.ts'

/**
 * With REQUEST_LOG=failed, only failed requests and those that took longer than these milliseconds are
 * logged.
 */
const slowMs = 1_000

/**
 * Logs the request when it has ended. In development, the response also has a Server-Timing header, but not
 * for guests, because the time that Postgres took can reveal records that they may not see.
 */
export const requestLog = createMiddleware<AppEnv>(async (c, next) => {
  const started = performance.now()
  await next()
  // Undefined if the request ended before requestContext: at /healthz, or with a wrong host or configuration.
  const ctx = c.get('ctx') as RequestContext | undefined
  const { roundTrips, milliseconds } = ctx?.database.spent ?? { roundTrips: 0, milliseconds: 0 }
  const ofReplica = ctx?.replica?.spent
  if (ctx?.config.ENVIRONMENT === 'development' && !knownStanding(ctx)) {
    const replica = ofReplica?.roundTrips ? `, ${metricOf('replica', ofReplica)}` : ''
    setIfAbsent(c, 'Server-Timing', `${metricOf('db', { roundTrips, milliseconds })}${replica}`)
  }
  if (ctx?.entered) {
    countUse(ctx.config, ctx.entered.siteId, 'requests')
    storeUseSoon(ctx.config, ctx)
  }
  const elapsedMs = performance.now() - started
  noteRequest(c, ctx, elapsedMs)
  const isRemarkable = c.res.status >= 500 || elapsedMs > slowMs
  if (c.env.REQUEST_LOG === 'failed' && !isRemarkable) return
  log({
    level: 'info',
    request_id: c.var.requestId,
    ...(c.var.clientRequestId === null ? {} : { client_request_id: c.var.clientRequestId }),
    method: c.req.method,
    route: routePath(c, -1),
    status: c.res.status,
    tenant: ctx ? (ctx.tenant.slug ?? ctx.tenant.host) : null,
    caller: ctx?.caller?.userId ?? null,
    ...(ctx?.trace ? { trace: ctx.trace.id } : {}),
    ...(ctx?.run ? { function: ctx.run.functionId, invocation: ctx.run.invocationId } : {}),
    ms: Math.round(elapsedMs * 10) / 10,
    db_ms: Math.round(milliseconds * 10) / 10,
    db_round_trips: roundTrips,
    ...(ofReplica?.roundTrips ? { replica_round_trips: ofReplica.roundTrips } : {}),
  })
})

const metricOf = (name: string, { roundTrips, milliseconds }: Database['spent']): string =>
  `${name};dur=${milliseconds.toFixed(1)};desc="${roundTrips}"`
