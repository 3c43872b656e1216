/** The one place that reads the Authorization header. */
import { createMiddleware } from 'hono/factory'
import type { RequestContext } from '../context.ts'
import { invalidCredentials, unauthenticated } from '../errors.ts'
import type { AppEnv } from '../http/app-env.ts'
import { verifyAccessToken } from './tokens.ts'

const bearer = /^Bearer ([\w.-]{1,4096})$/

/** Lets a request through whose bearer token holds; 401 otherwise. */
export const signedIn = createMiddleware<AppEnv>(async (c, next) => {
  await identify(c.var.ctx, c.req.header('authorization'))
  await next()
})

async function identify(ctx: RequestContext, header: string | undefined): Promise<void> {
  if (header === undefined) throw unauthenticated()
  const token = bearer.exec(header)?.[1]
  const caller = token === undefined ? undefined : await verifyAccessToken(ctx.config, token)
  if (!caller) throw invalidCredentials()
  ctx.caller = caller
}
