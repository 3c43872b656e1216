/** /healthz: this isolate answers. /readyz: it is configured, Postgres answers with the schema that this code needs, and the master keys are those in use. W4, W7. */
import { Hono } from 'hono'
import { z } from 'zod'
import { platformVersion } from '../db/migrations.ts'
import { sql } from '../db/sql.ts'
import { lineAbout } from '../env.ts'
import { unavailable, unready } from '../errors.ts'
import type { AppEnv } from '../http/app-env.ts'
import { databaseAway } from '../http/openapi/answers.ts'
import { anyQuery, operation } from '../http/openapi/describe.ts'
import { verifyMasterKeys } from '../secrets/encryption/master-keys.ts'

/** For both batches together: a load balancer needs its answer soon. */
const deadlineMs = 2_000

/** Answers whatever the configuration is. */
export const livenessRoutes = new Hono<AppEnv>().get(
  '/healthz',
  operation(
    'getLiveness',
    'Ask whether the Worker answers',
    { 200: z.object({ status: z.literal('ok').describe('The Worker answers.') }) },
    { description: 'Answers whatever the configuration is, without asking the database.', query: anyQuery },
  ),
  (c) => c.json({ status: 'ok' }),
)

export const readinessRoutes = new Hono<AppEnv>().get(
  '/readyz',
  operation(
    'getReadiness',
    'Ask whether the service is ready',
    {
      200: z.object({
        status: z.literal('ok').describe('The service is ready.'),
        schema_version: z.int().describe('The version of the platform schema.'),
      }),
      503: databaseAway,
    },
    {
      description:
        'Ready means: the service is configured, the database answers with the schema that this version needs, and the master keys are those in use.',
      query: anyQuery,
    },
  ),
  async (c) => {
    const { config, database } = c.var.ctx
    if (config.MASTER_KEYS === undefined) throw unready(lineAbout('MASTER_KEYS', false))
    const until = Date.now() + deadlineMs
    const { schema } = await database.batch(
      { schema: sql<{ version: number }>`select count(*) as version from public.schema_migrations` },
      deadlineMs,
    )
    const { version } = schema.one
    if (version < platformVersion) throw unavailable(new Error(`the schema has version ${version}, this code needs ${platformVersion}`))
    const { proofs } = await database.batch(
      { proofs: sql<{ kid: string; proof: string }>`select k.kid, k.proof from public.master_keys k` },
      until - Date.now(),
    )
    await verifyMasterKeys(config, proofs.all).catch((problem: unknown) => {
      throw unavailable(problem)
    })
    return c.json({ status: 'ok', schema_version: version })
  },
)
