/** /api/auth/jwt: tokens for a name and a password. /.well-known/jwks.json: the keys that verify them. */
import { Hono } from 'hono'
import type { AppEnv } from '../../http/app-env.ts'
import { body } from '../../http/validate.ts'
import { anonymous } from '../credentials.ts'
import { refreshInput, signInInput, verifyInput } from './schema.ts'
import { blacklistToken, publishedKeys, refreshTokens, requireLiveToken, signIn } from './service.ts'

export const jwtRoutes = new Hono<AppEnv>()
  .use(anonymous)
  .post('/token', body(signInInput), async (c) => c.json(await signIn(c.var.ctx, c.req.valid('json'))))
  .post('/token/refresh', body(refreshInput), async (c) => c.json(await refreshTokens(c.var.ctx, c.req.valid('json').refresh)))
  .post('/token/verify', body(verifyInput), async (c) => {
    await requireLiveToken(c.var.ctx, c.req.valid('json').token)
    return c.json({})
  })
  .post('/token/blacklist', body(refreshInput), async (c) => {
    await blacklistToken(c.var.ctx, c.req.valid('json').refresh)
    return c.json({})
  })

export const wellKnownRoutes = new Hono<AppEnv>().get('/jwks.json', async (c) => {
  c.header('Cache-Control', 'public, max-age=300')
  return c.json(await publishedKeys(c.var.ctx))
})
