/** The one place that reads the Authorization header. */
import { createMiddleware } from 'hono/factory'
import type { RequestContext } from '../context.ts'
import { invalidCredentials, unauthenticated } from '../errors.ts'
import type { AppEnv } from '../http/app-env.ts'
import { throttle } from './throttle.ts'
import { verifyAccessToken } from './tokens.ts'

const bearer = /^Bearer ([\w.-]{1,4096})$/

/** Lets a request through whose bearer token holds; 401 otherwise. Who has none is counted by address, who has one as a user. */
export const signedIn = createMiddleware<AppEnv>(async (c, next) => {
  const { ctx } = c.var
  try {
    await identify(ctx, c.req.header('authorization'))
  } catch (refusal) {
    await throttle(ctx, 'anonymous', ctx.address)
    throw refusal
  }
  await throttle(ctx, 'signed-in', `user ${ctx.caller?.userId}`)
  await next()
})

/** Lets anybody through, counted by address. */
export const anonymous = createMiddleware<AppEnv>(async (c, next) => {
  await throttle(c.var.ctx, 'anonymous', c.var.ctx.address)
  await next()
})

async function identify(ctx: RequestContext, header: string | undefined): Promise<void> {
  if (header === undefined) throw unauthenticated()
  const token = bearer.exec(header)?.[1]
  const caller = token === undefined ? undefined : await verifyAccessToken(ctx.config, token)
  if (!caller) throw invalidCredentials()
  ctx.caller = caller
}
