/** Sites whose schema is behind the deployed code are found by the cron trigger and migrated by the queue. */
import { createExecutionContext, createMessageBatch, createScheduledController, getQueueResult } from 'cloudflare:test'
import { neon } from '@neondatabase/serverless'
import { beforeAll, describe, expect, inject, it, vi } from 'vitest'
import { tenantMigrations, tenantVersion } from '../src/db/migrations.ts'
import { queueSitesBehind } from '../src/organizations/sites/migrate.ts'
import worker from '../src/worker.ts'
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
  // Made by the service's role, as every site is, with the first migration alone.
  const [site] = await neon(app.databaseUrl).query(
    `select id from create_site((select organization_id from sites where slug = 'jobs'), $1, 'Behind', 'behind', 'production', $2)`,
    [owner.id, tenantMigrations.slice(0, 1)],
  )
  siteId = Number(site?.id)
})

const listApps = () => app.request('GET', '/sites/behind/api/apps/', { token: owner.token })

describe('a site whose schema is behind', () => {
  it('answers 503 with Retry-After until it is migrated', async () => {
    const answer = await listApps()
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '2'])
  })

  it('is queued by the cron trigger', async () => {
    const sent: unknown[] = []
    const env = { ...app.env, JOBS: { sendBatch: async (messages: Iterable<unknown>) => void sent.push(...messages) } as never }
    await worker.scheduled(createScheduledController(), env)
    expect(sent).toEqual([{ body: { kind: 'migrate-site', siteId: siteId } }])
  })

  it('is migrated by the queue, however often the message comes', async () => {
    const job = { kind: 'migrate-site', siteId: siteId }
    const result = await consume('tessera-jobs', message('1', job), message('2', job))
    expect(result).toMatchObject({ outcome: 'ok', explicitAcks: expect.arrayContaining(['1', '2']), retryMessages: [] })
    expect(await app.sql<{ schema_version: number }>('select schema_version from sites where id = $1', [siteId])).toEqual([
      { schema_version: tenantVersion },
    ])
    expect((await listApps()).status).toBe(200)
    expect(await queueSitesBehind(app.env)).toBe(0)
  })

  it('a message that fails is tried again without the others of its batch; what is dead is logged', async () => {
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
      expect(await consume('tessera-dead-jobs', message('dead', { kind: 'migrate-site', siteId: 1 }))).toMatchObject({ explicitAcks: ['dead'] })
    } finally {
      spy.mockRestore()
    }
    expect(JSON.parse(lines.at(-1) as string)).toEqual({ level: 'error', dead_job: { kind: 'migrate-site', siteId: 1 }, message: 'dead' })
  })
})

describe('the tenant migrations of the Worker', () => {
  it('are the files of migrations/tenant, all of them, in order', () => {
    expect(tenantMigrations).toEqual(inject('tenantMigrations'))
  })
})
