/**
 * Reports each request that has ended to the metrics, the trace and Analytics Engine: its method, the pattern
 * of its route, its status and its duration.
 */
import type { Context } from 'hono'
import { routePath } from 'hono/route'
import type { RequestContext } from '../context.ts'
import { exportSoon } from '../telemetry/exporter.ts'
import { record } from '../telemetry/metrics.ts'
import { endTrace } from '../telemetry/trace.ts'
import type { AppEnv } from './app-env.ts'

const methods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/** Reports a request. `ctx` is undefined if the request ended before it had a context. */
export function noteRequest(c: Context<AppEnv>, ctx: RequestContext | undefined, elapsedMs: number): void {
  const { status } = c.res
  // Clients can send any method. All unknown methods get one name.
  const method = methods.has(c.req.method) ? c.req.method : '_OTHER'
  const route = routePath(c, -1)
  const attributes = {
    'http.request.method': method,
    'http.route': route,
    'http.response.status_code': status,
  }
  record('http.server.request.duration', attributes, elapsedMs / 1000)
  if (!ctx) return
  const { database, entered, config, trace } = ctx
  const { roundTrips, milliseconds } = database.spent
  c.env.ANALYTICS?.writeDataPoint({
    indexes: [String(entered?.siteId ?? '')],
    blobs: [method, route, String(status)],
    doubles: [elapsedMs, milliseconds, roundTrips],
  })
  endTrace(trace, {
    name: `${method} ${route}`,
    kind: 'server',
    attributes: {
      ...attributes,
      'tessera.round_trips': roundTrips,
      ...(entered ? { 'tessera.site': entered.siteId } : {}),
    },
    hasFailed: status >= 500,
  })
  exportSoon(config, ctx, trace)
}
