/** /healthz: this isolate answers. /readyz: so does Postgres, with the schema that this code needs, and the master keys are those in use. W4. */
import { Hono } from 'hono'
import { z } from 'zod'
import { platformVersion } from '../db/migrations.ts'
import { sql } from '../db/sql.ts'
import { unavailable } from '../errors.ts'
import type { AppEnv } from '../http/app-env.ts'
import { databaseAway } from '../http/openapi/answers.ts'
import { operation } from '../http/openapi/describe.ts'
import { verifyMasterKeys } from '../secrets/encryption/master-keys.ts'

/** For both batches together: a load balancer needs its answer soon. */
const deadlineMs = 2_000

export const healthRoutes = new Hono<AppEnv>()
  .get('/healthz', operation('Ask whether the Worker answers', { 200: z.object({ status: z.literal('ok') }) }), (c) => c.json({ status: 'ok' }))
  .get(
    '/readyz',
    operation('Ask whether the service is ready', {
      200: z.object({ status: z.literal('ok'), schema_version: z.int() }),
      503: databaseAway,
    }),
    async (c) => {
      const until = Date.now() + deadlineMs
      const { database } = c.var.ctx
      const results = await database.batch([sql`select count(*) as version from public.schema_migrations`], deadlineMs)
      const { version } = results.one<{ version: number }>()
      if (version < platformVersion) throw unavailable(new Error(`the schema has version ${version}, this code needs ${platformVersion}`))
      const proofs = await database.batch([sql`select k.kid, k.proof from public.master_keys k`], until - Date.now())
      await verifyMasterKeys(c.var.ctx.config, proofs.rows()).catch((problem: unknown) => {
        throw unavailable(problem)
      })
      return c.json({ status: 'ok', schema_version: version })
    },
  )
