/**
 * Gives each request an id of the service's own, for the answer, the log and the audit. A client that could
 * choose it could make its changes look like those of another request. The id that a client sends is logged
 * beside it, and stored in the audit. W4.
 */
import { createMiddleware } from 'hono/factory'
import { version } from '../lib/version.ts'
import type { AppEnv } from './app-env.ts'

const header = 'X-Request-Id'

/** The ids of clients that are logged. Others are ignored. */
const pattern = /^[\w=-]{1,64}$/

/**
 * Sets `requestId`, and `clientRequestId` if the client has sent a valid one. The answer also names the
 * version of the service, by which clients tell whether they fit.
 */
export const identifyRequest = createMiddleware<AppEnv>(async (c, next) => {
  const sent = c.req.header(header)
  c.set('requestId', crypto.randomUUID())
  c.set('clientRequestId', sent !== undefined && pattern.test(sent) ? sent : null)
  c.header(header, c.var.requestId)
  c.header('X-Tessera-Version', version)
  await next()
})
