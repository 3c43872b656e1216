/** Jobs: the migration of sites whose schema is outdated, retries, and dead messages. */
import {
  createExecutionContext,
  createMessageBatch,
  createScheduledController,
  getQueueResult,
} from 'cloudflare:test'
import { neon } from '@neondatabase/serverless'
import { beforeAll, describe, expect, inject, it, vi } from 'vitest'
import { tenantVersion } from '../src/db/migrations.ts'
import { queueOutdatedSites } from '../src/organizations/sites/migrate.ts'
import worker from '../src/worker.ts'
import { catalogLines } from './postgres/catalog.ts'
import { createSite, startApp, type TestApp, type User } from './support/app.ts'

let app: TestApp
let owner: User
let siteId: number

const message = (id: string, body: unknown, attempts = 1) => ({ id, timestamp: new Date(), attempts, body })

async function consume(queue: string, ...messages: ReturnType<typeof message>[]) {
  const batch = createMessageBatch(queue, messages)
  const ctx = createExecutionContext()
  await worker.queue(batch, app.env)
  return getQueueResult(batch, ctx)
}

beforeAll(async () => {
  app = await startApp()
  owner = (await createSite(app, 'jobs')).owner
  // The site is created in the usual way, while the database has only the first migration and no triggers.
  await app.sql('create table later_migrations as select * from tenant_migrations where version > 1')
  await app.sql('create table later_sources as select * from tenant_sources')
  await app.sql('delete from tenant_migrations where version > 1')
  await app.sql(`update tenant_sources set sql = 'select'`)
  const [site] = await neon(app.databaseUrl).query(
    `select id from create_site((select organization_id from sites where slug = 'jobs'), $1,
                                'Behind', 'behind', 'production')`,
    [owner.id],
  )
  await app.sql('insert into tenant_migrations select * from later_migrations')
  await app.sql('update tenant_sources t set sql = l.sql from later_sources l where l.place = t.place')
  siteId = Number(site?.id)
})

const listApps = () => app.request('GET', '/sites/behind/api/apps/', { token: owner.token })

describe('a site whose schema is outdated', () => {
  it('returns 503 with Retry-After until it is migrated', async () => {
    const answer = await listApps()
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '2'])
  })

  it('is queued by the cron trigger', async () => {
    const sent: unknown[] = []
    const env = {
      ...app.env,
      JOBS: { sendBatch: async (messages: Iterable<unknown>) => void sent.push(...messages) } as never,
    }
    await worker.scheduled(createScheduledController(), env)
    expect(sent).toEqual([{ body: { kind: 'migrate-site', siteId: siteId } }])
  })

  it('is migrated by the queue, even if the message comes twice', async () => {
    const job = { kind: 'migrate-site', siteId: siteId }
    const result = await consume('tessera-jobs', message('1', job), message('2', job))
    expect(result).toMatchObject({
      outcome: 'ok',
      explicitAcks: expect.arrayContaining(['1', '2']),
      retryMessages: [],
    })
    expect(
      await app.sql<{ schema_version: number }>('select schema_version from sites where id = $1', [siteId]),
    ).toEqual([{ schema_version: tenantVersion }])
    expect((await listApps()).status).toBe(200)
    expect(await queueOutdatedSites(app.env)).toBe(0)
  })

  it('has the same catalog in Postgres as a new one after its migration', async () => {
    const linesOf = async (slug: string) => {
      const [site] = await app.sql<{ schema: string }>(
        `select 'site_' || id as schema from sites where slug = $1`,
        [slug],
      )
      const name = new RegExp(`\\b(run_)?${site?.schema}\\b`, 'g')
      const lines = await app.sql<{ line: string }>(catalogLines(site?.schema as string))
      return lines.filter(({ line }) => name.test(line)).map(({ line }) => line.replace(name, '$1site'))
    }
    const migrated = await linesOf('behind')
    expect(migrated.length).toBeGreaterThan(200)
    expect(migrated.toSorted()).toEqual((await linesOf('jobs')).toSorted())
  })

  it('is not affected by a failed message of its batch, which is retried; a dead message is logged', async () => {
    const lines: string[] = []
    const spy = vi.spyOn(console, 'log').mockImplementation((line) => void lines.push(line))
    try {
      const result = await consume(
        'tessera-jobs',
        message('good', { kind: 'migrate-site', siteId: siteId }),
        message('bad', { kind: 'unheard-of' }),
        message('odd', null),
      )
      expect(result).toMatchObject({ explicitAcks: ['good'] })
      expect(result.retryMessages.map(({ msgId }) => msgId).sort()).toEqual(['bad', 'odd'])
      expect(
        await consume('tessera-dead-jobs', message('dead', { kind: 'migrate-site', siteId: 1 })),
      ).toMatchObject({ explicitAcks: ['dead'] })
    } finally {
      spy.mockRestore()
    }
    expect(JSON.parse(lines.at(-1) as string)).toEqual({
      level: 'error',
      dead_job: { kind: 'migrate-site', siteId: 1 },
      message: 'dead',
    })
  })
})

describe('the tenant migrations in the database', () => {
  it('are all files of migrations/tenant in their order, and the Worker requires them', async () => {
    const kept = await app.sql<{ sql: string }>('select sql from tenant_migrations order by version')
    expect(kept.map(({ sql }) => sql)).toEqual(inject('tenantMigrations'))
    expect(tenantVersion).toBe(kept.length)
  })
})
