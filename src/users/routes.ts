/** /api/users */
import { Hono } from 'hono'
import type { AppEnv } from '../http/app-env.ts'
import { readMe } from './service.ts'

export const userRoutes = new Hono<AppEnv>().get('/me', async (c) => c.json(await readMe(c.var.ctx)))
