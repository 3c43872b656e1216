/** The one place that reads the Authorization header. A1, A4, A6. */
import { createMiddleware } from 'hono/factory'
import type { RequestContext } from '../context.ts'
import { invalidCredentials, unauthenticated } from '../errors.ts'
import type { AppEnv } from '../http/app-env.ts'
import { keyHash } from './api-keys/key.ts'
import { throttle } from './throttle.ts'
import { verifyAccessToken } from './tokens.ts'

const header = /^(Bearer|Api-Key) ([\w.-]{1,4096})$/i

type Kind = 'bearer' | 'api-key'

/** Lets a request through that shows credentials of a kind. Who has none is counted by address, who has some as a user or key. */
const showing = (kinds: readonly Kind[]) =>
  createMiddleware<AppEnv>(async (c, next) => {
    const { ctx } = c.var
    try {
      await identify(ctx, c.req.header('authorization'), kinds)
    } catch (refusal) {
      await throttle(ctx, 'anonymous', ctx.address)
      throw refusal
    }
    await throttle(ctx, 'signed-in', ctx.apiKeyHash ? `key ${ctx.apiKeyHash}` : `user ${ctx.caller?.userId}`)
    await next()
  })

/** With a bearer token that holds. */
export const signedIn = showing(['bearer'])

/** With a bearer token, or an API key: which routes take one, their policies say (policies.ts). */
export const signedInOrKey = showing(['bearer', 'api-key'])

/** Lets anybody through, counted by address. */
export const anonymous = createMiddleware<AppEnv>(async (c, next) => {
  await throttle(c.var.ctx, 'anonymous', c.var.ctx.address)
  await next()
})

async function identify(ctx: RequestContext, text: string | undefined, kinds: readonly Kind[]): Promise<void> {
  if (text === undefined) throw unauthenticated()
  const [, scheme, credentials = ''] = header.exec(text) ?? []
  const kind = scheme?.toLowerCase() as Kind | undefined
  if (!kind || !kinds.includes(kind)) throw invalidCredentials()
  if (kind === 'bearer') ctx.caller = (await verifyAccessToken(ctx.config, credentials)) ?? null
  else ctx.apiKeyHash = keyHash(credentials) ?? null
  if (!ctx.caller && !ctx.apiKeyHash) throw invalidCredentials()
}
