/**
 * How often requests wait for Postgres: a hot request one round trip, and any first request at most three.
 */
import { beforeAll, describe, expect, inject, it } from 'vitest'
import { createHotData, type HotRequest, hotRequests } from '../../bench/edge/hot-requests.ts'
import { atDistance } from '../../dev/distance.ts'
import { createSite, type Site, startApp, type TestApp } from '../support/app.ts'
import { createShop } from '../support/fixtures.ts'
import { roundTrips } from '../support/secrets.ts'
import { until } from '../support/until.ts'

/**
 * The distance of the first attempts and the largest one, in milliseconds. Beyond that, a database counts as
 * silent.
 */
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

/**
 * Returns the service with another address of the same database, and as another version of the Worker. Its
 * isolate knows nothing about the database, shares no connection, and finds no catalogs in its data centre.
 */
const cold = (variables: Record<string, string> = {}) => {
  const url = new URL(String(app.env.DATABASE_URL))
  url.searchParams.set('application_name', `cold-${asked++}`)
  return app.with({ DATABASE_URL: url.href, VERSION: { id: url.search } as never, ...variables })
}

/** Returns the variables of a Worker at a distance from Postgres. */
const far = (milliseconds: number) => ({ NEON_ENDPOINT: atDistance(inject('neonEndpoint'), milliseconds) })

/**
 * Expects that a request waits for `count` distances and not one more. The distance grows until the time that
 * the machine needs for the request is shorter than a distance. A request with one wait too many always takes
 * a whole distance longer.
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
  // Timers of Node can be a millisecond early.
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

  it('waits for Postgres once for each round trip, at any distance', async () => {
    await ask(app, request)
    await expectDistances(request.roundTrips.warm, (variables) => app.with(variables), request)
    await expectDistances(request.roundTrips.cold, cold, request)
  })
})

describe('a site that an isolate has not seen', () => {
  it('answers its first request after two round trips, and each further request after one', async () => {
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
