/** What the distance to Postgres costs: one round trip for a hot request, and no more than three for any first one. */
import { beforeAll, describe, expect, inject, it } from 'vitest'
import { createHotData, type HotRequest, hotRequests } from '../../bench/edge/hot-requests.ts'
import { atDistance } from '../../dev/distance.ts'
import { createSite, type Site, startApp, type TestApp } from '../support/app.ts'
import { createShop } from '../support/fixtures.ts'
import { roundTrips } from '../support/secrets.ts'
import { until } from '../support/until.ts'

/** Of the first attempts, and the largest one: beyond that, a database counts as silent. */
const distances = { least: 80, most: 1_280 }

let app: TestApp
let site: Site
let key: string
let asked = 0

beforeAll(async () => {
  app = await startApp()
  site = await createSite(app, 'distant')
  key = await createHotData(async (method, path, body) => {
    const { status, body: answer } = await app.request(method, `/sites/${site.slug}${path}`, {
      token: site.owner.token,
      ...(body === undefined ? {} : { body }),
    })
    if (status >= 300) throw new Error(JSON.stringify(answer))
    return answer
  })
})

async function ask(from: TestApp, { by, method, path, headers = {}, body, status }: HotRequest) {
  const credentials = {
    user: { token: site.owner.token },
    key: { headers: { ...headers, authorization: `Api-Key ${key}` } },
    nobody: {},
  }[by]
  const answer = await from.request(method, `/sites/${site.slug}${path}`, {
    headers: { ...headers },
    ...(body ? { body: body(asked++) } : {}),
    ...credentials,
  })
  expect([answer.status, answer.text]).toEqual([status, expect.any(String)])
  return roundTrips(answer)
}

/** The service with another address of the same database: its isolate knows nothing of it, and shares no connection. */
const cold = (variables: Record<string, string> = {}) => {
  const url = new URL(String(app.env.DATABASE_URL))
  url.searchParams.set('application_name', `cold-${asked++}`)
  return app.with({ DATABASE_URL: url.href, ...variables })
}

/** The variables of a Worker that is so far away from Postgres. */
const far = (milliseconds: number) => ({ NEON_ENDPOINT: atDistance(inject('neonEndpoint'), milliseconds) })

/**
 * Expects that a request waits so many distances, and not one more. The distance grows until the time that the
 * machine takes for the request fits into one. What waits once more takes a distance longer, however large it is.
 */
async function expectDistances(
  count: number,
  from: (variables: Record<string, string>) => TestApp,
  request: HotRequest,
): Promise<void> {
  let distance = distances.least / 2
  let elapsedMs = 0
  await until(
    async () => {
      distance = Math.min(distance * 2, distances.most)
      const isolate = from(far(distance))
      const started = performance.now()
      await ask(isolate, request)
      elapsedMs = performance.now() - started
      return elapsedMs < distance * (count + 1)
    },
    () => `${request.title} took ${elapsedMs} ms, at a distance of ${distance} ms`,
    60_000,
  )
  // Timers of Node may be a millisecond early.
  expect(elapsedMs).toBeGreaterThanOrEqual((distance - 1) * count)
}

describe.each(hotRequests)('$title', (request) => {
  it(`takes ${request.roundTrips.cold} round trips in a new isolate, and ${request.roundTrips.warm} after that`, async () => {
    await ask(app, request)
    const isolate = cold()
    expect([await ask(isolate, request), await ask(isolate, request)]).toEqual([
      request.roundTrips.cold,
      request.roundTrips.warm,
    ])
  })

  it('waits for Postgres as often as it says, wherever Postgres is', async () => {
    await ask(app, request)
    await expectDistances(request.roundTrips.warm, (variables) => app.with(variables), request)
    await expectDistances(request.roundTrips.cold, cold, request)
  })
})

describe('a site that an isolate has not seen', () => {
  it('answers its first request after two round trips, and every further one after one', async () => {
    const isolate = cold()
    for (const name of ['first', 'second', 'third', 'fourth', 'fifth']) {
      const shop = await createShop(app, `unseen-${name}`)
      const trips: number[] = []
      for (const table of ['makers', 'products', 'makers']) {
        const answer = await isolate.request('GET', shop.data(table), { token: shop.owner.token })
        expect([answer.status, answer.body.data]).toEqual([200, []])
        trips.push(roundTrips(answer))
      }
      expect([name, trips]).toEqual([name, [2, 1, 1]])
    }
  })
})
