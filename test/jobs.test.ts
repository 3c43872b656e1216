/** Sites whose schema is behind the deployed code are found by the cron trigger and migrated by the queue. */
import { createExecutionContext, createMessageBatch, createScheduledController, getQueueResult } from 'cloudflare:test'
import { beforeAll, describe, expect, inject, it, vi } from 'vitest'
import { tenantMigrations, tenantVersion } from '../src/db/migrations.ts'
import { queueSitesBehind } from '../src/organizations/sites/migrate.ts'
import worker from '../src/worker.ts'
import { startApp, type TestApp } from './support/app.ts'
import { createShop, type Shop } from './support/fixtures.ts'

let app: TestApp
let shop: Shop

const siteId = () => Number(shop.schema.slice('site_'.length))
const message = (id: string, body: unknown, attempts = 1) => ({ id, timestamp: new Date(), attempts, body })

async function consume(queue: string, ...messages: ReturnType<typeof message>[]) {
  const batch = createMessageBatch(queue, messages)
  const ctx = createExecutionContext()
  await worker.queue(batch, app.env)
  return getQueueResult(batch, ctx)
}

/** As if the last tenant migration had not been run yet. */
async function rollBack() {
  for (const table of ['_apps', '_datasources', '_datatables']) await app.sql(`drop trigger ${table}_touch_catalog on ${shop.schema}.${table}`)
  await app.sql('update sites set schema_version = 1 where id = $1', [siteId()])
}

beforeAll(async () => {
  app = await startApp()
  shop = await createShop(app, 'jobs')
})

describe('a site whose schema is behind', () => {
  it('answers 503 with Retry-After until it is migrated', async () => {
    await rollBack()
    const answer = await app.request('GET', shop.data('makers'), { token: shop.owner.token })
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '2'])
  })

  it('is queued by the cron trigger', async () => {
    const sent: unknown[] = []
    const env = { ...app.env, JOBS: { sendBatch: async (messages: Iterable<unknown>) => void sent.push(...messages) } as never }
    await worker.scheduled(createScheduledController(), env)
    expect(sent).toEqual([{ body: { kind: 'migrate-site', siteId: siteId() } }])
  })

  it('is migrated by the queue, however often the message comes', async () => {
    const job = { kind: 'migrate-site', siteId: siteId() }
    const result = await consume('tessera-jobs', message('1', job), message('2', job))
    expect(result).toMatchObject({ outcome: 'ok', explicitAcks: expect.arrayContaining(['1', '2']), retryMessages: [] })
    expect(await app.sql<{ schema_version: number }>('select schema_version from sites where id = $1', [siteId()])).toEqual([
      { schema_version: tenantVersion },
    ])
    expect((await app.request('GET', shop.data('makers'), { token: shop.owner.token })).status).toBe(200)
    expect(await queueSitesBehind(app.env)).toBe(0)
  })

  it('a message that fails is tried again without the others of its batch; what is dead is logged', async () => {
    const lines: string[] = []
    const spy = vi.spyOn(console, 'log').mockImplementation((line) => void lines.push(line))
    try {
      const result = await consume(
        'tessera-jobs',
        message('good', { kind: 'migrate-site', siteId: siteId() }),
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
