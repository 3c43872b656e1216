/** Jobs: retries, and dead messages. */
import { createExecutionContext, createMessageBatch, getQueueResult } from 'cloudflare:test'
import { beforeAll, expect, it, vi } from 'vitest'
import worker from '../src/worker.ts'
import { createSite, siteIdOf, startApp, type TestApp } from './support/app.ts'

let app: TestApp
let job: { kind: string; siteId: number }

const message = (id: string, body: unknown, attempts = 1) => ({ id, timestamp: new Date(), attempts, body })

async function consume(queue: string, ...messages: ReturnType<typeof message>[]) {
  const batch = createMessageBatch(queue, messages)
  const ctx = createExecutionContext()
  await worker.queue(batch, app.env)
  return getQueueResult(batch, ctx)
}

const measured = async () =>
  (await app.sql<{ at: unknown }>('select measured_at as at from site_meters'))[0]?.at

beforeAll(async () => {
  app = await startApp()
  job = { kind: 'sweep-site', siteId: siteIdOf(await createSite(app, 'jobs')) }
})

it('a job is done, even if its message comes twice', async () => {
  expect(await measured()).toBeNull()
  const result = await consume('tessera-jobs', message('1', job), message('2', job))
  expect(result).toMatchObject({
    outcome: 'ok',
    explicitAcks: expect.arrayContaining(['1', '2']),
    retryMessages: [],
  })
  expect(await measured()).not.toBeNull()
})

it('a job of a site that no longer exists is not retried', async () => {
  const gone = { ...job, siteId: job.siteId + 1 }
  expect(await consume('tessera-jobs', message('1', gone))).toMatchObject({
    explicitAcks: ['1'],
    retryMessages: [],
  })
})

it('a job is not affected by a failed message of its batch, which is retried; a dead message is logged', async () => {
  const lines: string[] = []
  const spy = vi.spyOn(console, 'log').mockImplementation((line) => void lines.push(line))
  try {
    const result = await consume(
      'tessera-jobs',
      message('good', job),
      message('bad', { kind: 'unheard-of' }),
      message('odd', null),
    )
    expect(result).toMatchObject({ explicitAcks: ['good'] })
    expect(result.retryMessages.map(({ msgId }) => msgId).sort()).toEqual(['bad', 'odd'])
    expect(await consume('tessera-dead-jobs', message('dead', job))).toMatchObject({ explicitAcks: ['dead'] })
  } finally {
    spy.mockRestore()
  }
  expect(JSON.parse(lines.at(-1) as string)).toEqual({ level: 'error', dead_job: job, message: 'dead' })
})
