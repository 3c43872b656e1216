/**
 * /healthz and /readyz. W4, W7. The first answers whenever the Worker runs. The second answers 200 if the
 * Worker is configured, the database has the schema that this code needs, and the master keys are those that
 * the database uses.
 */
import * as z from 'zod'
import { schemaVersion } from '../../kernel/db/migrations.ts'
import { sql } from '../../kernel/db/sql.ts'
import { describeVariable } from '../../kernel/env.ts'
import { unavailable, unready } from '../../kernel/errors.ts'
import { databaseUnavailable } from '../../kernel/http/openapi/answers.ts'
import { anyQuery } from '../../kernel/http/openapi/describe.ts'
import { type Route, route } from '../../kernel/http/route.ts'
import { verifyMasterKeys } from '../../secrets/encryption/service.ts'

/** The limit for both queries together, because load balancers do not wait long. */
const deadlineMs = 2_000

/** The route of /healthz. It works with any configuration. */
export const livenessRoutes: readonly Route[] = [
  route({
    id: 'getLiveness',
    summary: 'Check that the Worker runs',
    description: 'Works with any configuration, and does not query the database.',
    method: 'GET',
    path: '/healthz',
    auth: null,
    query: anyQuery,
    answers: { 200: z.object({ status: z.literal('ok').describe('The Worker runs.') }) },
    handle: () => ({ 200: { status: 'ok' as const } }),
  }),
]

/** The route of /readyz. */
export const readinessRoutes: readonly Route[] = [
  route({
    id: 'getReadiness',
    summary: 'Check that the service is ready',
    description:
      'The service is ready if it is configured, the database has the schema that this version needs, and ' +
      'the master keys are those in use.',
    method: 'GET',
    path: '/readyz',
    auth: null,
    query: anyQuery,
    answers: {
      200: z.object({
        status: z.literal('ok').describe('The service is ready.'),
        schema_version: z.int().describe('The version of the schema.'),
        version: z.string().optional().describe("The id of the Worker's version at Cloudflare."),
      }),
      503: databaseUnavailable,
    },
    handle: async ({ ctx }) => {
      const { config, database, env } = ctx
      if (config.MASTER_KEYS === undefined) throw unready(describeVariable('MASTER_KEYS', false))
      const until = Date.now() + deadlineMs
      const { schema } = await database.batch(
        { schema: sql<{ version: number }>`select count(*) as version from public.schema_migrations` },
        deadlineMs,
      )
      const { version } = schema.one
      if (version < schemaVersion)
        throw unavailable(new Error(`the schema has version ${version}, this code needs ${schemaVersion}`))
      const { proofs } = await database.batch(
        { proofs: sql<{ kid: string; proof: string }>`select k.kid, k.proof from public.master_keys k` },
        until - Date.now(),
      )
      await verifyMasterKeys(config, proofs.all).catch((problem: unknown) => {
        throw unavailable(problem)
      })
      return {
        200: {
          status: 'ok' as const,
          schema_version: version,
          ...(env.VERSION ? { version: env.VERSION.id } : {}),
        },
      }
    },
  }),
]
