/** /api/auth/jwt: tokens for a name and a password. */
import { Hono } from 'hono'
import type { AppEnv } from '../../http/app-env.ts'
import { body } from '../../http/validate.ts'
import { clientAddress } from '../throttle.ts'
import { signInInput } from './schema.ts'
import { signIn } from './service.ts'

export const signInRoutes = new Hono<AppEnv>().post('/token', body(signInInput), async (c) =>
  c.json(await signIn(c.var.ctx, c.req.valid('json'), clientAddress(c.req.header('cf-connecting-ip')))),
)
