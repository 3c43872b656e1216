/**
 * The responses to clients while Postgres is silent or killed: the Worker on workerd, a real Postgres, and
 * signals. W1. breaker.long.test.ts measures them, and has the slow tests. test/db/breaker tests the rules
 * with a simulated clock.
 */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import {
  type Answer,
  type Call,
  list,
  type Outages,
  signIn,
  soon,
  startOutages,
  tables,
  unavailable,
  within3s,
} from '../support/outages.ts'
import { timeLimit } from '../support/time-limit.ts'
import { until } from '../support/until.ts'

let outages: Outages

beforeAll(async () => {
  outages = await startOutages()
})

afterEach(async () => {
  outages.thaw()
  await outages.recovered()
})

afterAll(() => outages?.service.stop())

describe('while Postgres is frozen', () => {
  it('every kind of request gets 503 {detail} with Retry-After within 3 s, and /healthz stays healthy', async () => {
    const kinds: Record<string, Call> = {
      'list records': list,
      'read a record': { path: `${tables}/notes/data/1/` },
      'create a record': { path: `${tables}/notes/data/`, body: { text: 'second' } },
      'create many records': {
        path: `${tables}/notes/data/`,
        body: Array.from({ length: 1000 }, () => ({ text: 'many' })),
      },
      'compute with records': { path: `${tables}/notes/data/?_aggregate=count(*)` },
      'sign in': signIn,
      'list organizations': { path: '/api/cloud/organizations/' },
      'list secrets': { path: '/api/secrets/' },
      'read a secret': { path: '/api/secrets/KEY/' },
      'create a table': {
        path: `${tables}/create_schema/?materialize=true`,
        body: { resources: [{ name: 'more', schema: { fields: [] } }] },
      },
      'list functions': { path: '/api/apps/shop/functions/' },
      'whether it is ready': { path: '/readyz' },
    }
    outages.freezePostgres()
    const answers = await Promise.all(
      Object.entries(kinds).map(async ([kind, call]) => [kind, await outages.send(call)] as const),
    )
    for (const [kind, answer] of answers) {
      expect([kind, answer]).toEqual([kind, { status: 503, retryAfter: '2', body: unavailable, ...within3s }])
    }
    expect(await outages.send({ path: '/healthz' })).toMatchObject({ status: 200, ...soon })
  })

  it('requests get 503 at once after three silent probes, and 200 within 2 s after it continues', {
    retry: 2,
  }, async () => {
    await outages.openBreaker()
    for (let count = 0; count < 20; count++) {
      const answer = await outages.send(count % 10 === 0 ? { path: '/readyz' } : list)
      expect(answer).toEqual({ status: 503, retryAfter: '2', body: unavailable, ...soon })
    }
    outages.thaw()
    expect(await outages.recovered()).toBeLessThan(await timeLimit(2_000))
  })
})

describe('while Postgres is killed and restarts', () => {
  it('500 concurrent requests get 503 and no other error until Postgres is back', async () => {
    const killed = outages.service.postgres.pid() as number
    let left = 500
    const answers: Answer[] = []
    const client = async () => {
      for (; left > 0 || outages.service.postgres.pid() === killed; left--)
        answers.push(await outages.send(answers.length % 5 ? list : { path: '/api/cloud/organizations/' }))
    }
    const clients = Promise.all(Array.from({ length: 25 }, client))
    await until(
      () => answers.length >= 25,
      () => 'clients at work',
    )
    process.kill(killed, 'SIGKILL')
    await clients
    expect(answers.length).toBeGreaterThanOrEqual(500)
    expect(answers.filter(({ status }) => status !== 200 && status !== 503)).toEqual([])
    expect(answers.filter(({ status, retryAfter }) => status === 503 && retryAfter !== '2')).toEqual([])
    expect(answers.some(({ status }) => status === 503)).toBe(true)

    await until(
      async () => (await outages.sql('select')).length === 1,
      () => 'a Postgres that listens',
    )
    expect(await outages.recovered()).toBeLessThan(await timeLimit(2_000))
  })
})
