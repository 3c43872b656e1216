/** /healthz: this isolate answers. /readyz: so does Postgres, with the schema that this code needs. W4. */
import { Hono } from 'hono'
import { platformVersion } from '../db/migrations.ts'
import { sql } from '../db/sql.ts'
import { unavailable } from '../errors.ts'
import type { AppEnv } from '../http/app-env.ts'

const deadlineMs = 2_000

export const healthRoutes = new Hono<AppEnv>()
  .get('/healthz', (c) => c.json({ status: 'ok' }))
  .get('/readyz', async (c) => {
    const results = await c.var.ctx.database.batch([sql`select count(*) as version from public.schema_migrations`], deadlineMs)
    const { version } = results.one<{ version: number }>()
    if (version < platformVersion) throw unavailable(new Error(`the schema has version ${version}, this code needs ${platformVersion}`))
    return c.json({ status: 'ok', schema_version: version })
  })
