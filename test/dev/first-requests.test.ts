/** The first requests of an isolate, as one bundle: each loads what it needs, and nothing else has been loaded. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { newSigningKeys } from '../../dev/signing-keys.ts'
import { type RunningWorker, startWorker } from '../../dev/worker.ts'

let worker: RunningWorker

beforeAll(async () => {
  worker = await startWorker({
    host: '127.0.0.1',
    port: 0,
    quiet: true,
    bindings: {
      SIGNING_KEYS: await newSigningKeys(),
      DATABASE_URL: 'postgresql://service:password@localhost/none',
      // No process listens there.
      NEON_ENDPOINT: 'http://127.0.0.1:1/',
      PUBLIC_URL: 'http://localhost',
    },
  })
})

afterAll(() => worker.stop())

const records = '/sites/none/api/apps/none/datatables/none/data/'

it('requests that arrive together in a new isolate all get the answers of their areas', async () => {
  const expected: [path: string, status: number, type: string][] = [
    ['/api/nothing/', 404, 'application/json'],
    [records, 503, 'application/json'],
    ['/accounts/login/', 503, 'text/html; charset=UTF-8'],
    ['/accounts/nowhere/', 404, 'text/html; charset=UTF-8'],
    ['/api/users/me/', 401, 'application/json'],
    ['/api/schema/', 200, 'application/json'],
    ['/docs/guide/start', 200, 'text/html; charset=utf-8'],
    [records, 503, 'application/json'],
    ['/healthz', 200, 'application/json'],
  ]
  const answers = await Promise.all(
    expected.map(async ([path]) => {
      const { status, headers } = await fetch(new URL(path, worker.url))
      return [path, status, headers.get('content-type')]
    }),
  )
  expect(answers).toEqual(expected)
})

it('a method that a path does not have is refused with the others, whose areas are loaded for it', async () => {
  const answer = await fetch(new URL('/api/secrets/KEY/', worker.url), { method: 'POST' })
  expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'DELETE, GET, HEAD, PUT'])
})

it('the cron trigger runs in an isolate that has answered no request', async () => {
  await worker.restart()
  await worker.tick()
  expect((await fetch(new URL('/healthz', worker.url))).status).toBe(200)
})
