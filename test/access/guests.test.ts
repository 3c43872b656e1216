/**
 * Guests: callers without access_site, signed in or not. No table has an access rule here, so the service
 * refuses every request of a guest. The error is the same whether or not the requested data exists.
 */
import { beforeAll, describe, expect, it } from 'vitest'
import { planOf, withCatalog } from '../../src/data/catalog/catalog.ts'
import { materializedTable } from '../../src/data/catalog/find-table.ts'
import type { Catalog } from '../../src/data/catalog/load-catalog.ts'
import { issueTokens } from '../../src/kernel/access/tokens.ts'
import { configOf } from '../../src/kernel/env.ts'
import { AppError } from '../../src/kernel/errors.ts'
import { startApp, type TestApp, type User } from '../support/app.ts'
import { createShop, grant, type Shop } from '../support/fixtures.ts'
import { guestContext } from '../support/guests.ts'

let app: TestApp
let shop: Shop
let foreign: Shop
let guest: User

beforeAll(async () => {
  app = await startApp()
  shop = await createShop(app, 'open')
  foreign = await createShop(app, 'foreign')
  guest = await app.user('guest')
  await app.request('POST', shop.data('makers'), { token: shop.owner.token, body: { id: 1, name: 'Ostra' } })
})

const below = (path: string, site = 'open') => `/sites/${site}/api/apps/${path}`
const without = { detail: 'Authentication credentials were not provided.', code: 'not_authenticated' }
const lacking = { detail: 'You do not have permission to perform this action.', code: 'permission_denied' }
const ended = { detail: 'The credentials are invalid or have expired.', code: 'invalid_credentials' }

const questions: [what: string, path: string][] = [
  ['a list', 'shop/datatables/makers/data/'],
  ['a filter', 'shop/datatables/makers/data/?name=Ostra'],
  ['a filter by a field that there is not', 'shop/datatables/makers/data/?nothing=1'],
  ['an aggregate', 'shop/datatables/makers/data/?_aggregate=count(*)'],
  ['a walk', 'shop/datatables/makers/data/?_format=tree'],
  ['a page at a wrong position', 'shop/datatables/makers/data/?after=wrong'],
  ['the past', 'shop/datatables/makers/data/?as_of=2026-01-01T00:00:00Z'],
  ['a record', 'shop/datatables/makers/data/1/'],
  ['a record that there is not', 'shop/datatables/makers/data/2/'],
  ['a table that there is not', 'shop/datatables/nothing/data/'],
  ['a record of a table that there is not', 'shop/datatables/nothing/data/1/'],
  ['an app that there is not', 'nothing/datatables/makers/data/'],
]

const writes: [method: string, path: string, body?: unknown][] = [
  ['POST', 'shop/datatables/makers/data/', { name: 'x' }],
  ['POST', 'shop/datatables/makers/data/', [{ nothing: 1 }]],
  ['POST', 'shop/datatables/makers/data/?atomic=false', [{ name: 'x' }]],
  ['POST', 'shop/datatables/makers/data/upsert/?unique_fields=id', { id: 1, name: 'x' }],
  ['PATCH', 'shop/datatables/makers/data/1/', { name: 'x' }],
  ['PATCH', 'shop/datatables/makers/data/2/?dry_run=true', { nothing: 1 }],
  ['PATCH', 'shop/datatables/makers/data/?filter={"name":"Ostra"}', { name: 'x' }],
  ['PUT', 'shop/datatables/makers/data/1/', {}],
  ['DELETE', 'shop/datatables/makers/data/1/'],
  ['DELETE', 'shop/datatables/makers/data/?ids=1,2'],
  ['DELETE', 'shop/datatables/nothing/data/1/'],
  ['POST', 'nothing/datatables/makers/data/', { name: 'x' }],
]

type Options = Parameters<TestApp['request']>[2]

const answerOf = (path: string, options: Options = {}) => answerTo('GET', path, options)

const answerTo = async (method: string, path: string, options: Options = {}) => {
  const { status, body, headers } = await app.request(method, path, options)
  return { status, body, challenge: headers.get('www-authenticate') }
}

describe('a request without credentials', () => {
  const refused = { status: 401, body: without, challenge: 'Bearer' }

  it.each(questions)('gets 401 for %s', async (_what, path) =>
    expect(await answerOf(below(path))).toEqual(refused),
  )

  it.each(writes)('gets 401 for %s %s', async (method, path, body) => {
    expect(await answerTo(method, below(path), { body })).toEqual(refused)
    const headers = { 'Idempotency-Key': 'key' }
    expect(await answerTo(method, below(path), { body, headers })).toEqual(refused)
  })

  it('gets 401 for a stream, and for a site that does not exist', async () => {
    const headers = { accept: 'text/csv' }
    expect(await answerOf(below('shop/datatables/makers/data/'), { headers })).toEqual(refused)
    expect(await answerOf(below('shop/datatables/makers/data/', 'nowhere'))).toEqual(refused)
    expect(await answerOf('/api/apps/shop/datatables/makers/data/')).toEqual(refused)
  })

  it('gets the 401 of invalid credentials if it sends wrong credentials', async () => {
    for (const authorization of ['Bearer x.y.z', 'Api-Key nothing', 'Basic eDp5'])
      expect(await answerOf(below('shop/datatables/makers/data/'), { headers: { authorization } })).toEqual({
        ...refused,
        body: ended,
      })
  })

  it('gets 401 without a round trip on routes that are closed to guests', async () => {
    const others: [method: string, path: string, body?: unknown][] = [
      ['DELETE', 'shop/datatables/makers/data/1/history/'],
      ['GET', 'shop/datatables/makers/'],
      ['GET', 'shop/'],
    ]
    for (const [method, path, body] of others) {
      const { status, body: answer, headers } = await app.request(method, below(path), { body })
      expect([status, answer, headers.get('server-timing')]).toEqual([401, without, 'db;dur=0.0;desc="0"'])
    }
  })

  it('gets 400 for a repeated query parameter if the site exists', async () => {
    const path = 'shop/datatables/makers/data/?page=1&page=2'
    const twice = {
      status: 400,
      body: {
        error: 'Validation failed',
        details: { page: ['This parameter may be given only once.'] },
        code: 'validation_failed',
      },
      challenge: null,
    }
    expect(await answerOf(below(path))).toEqual(twice)
    expect(await answerOf(below(path), { token: (await app.user('twice')).token })).toEqual(twice)
    expect(await answerOf(below(path, 'nowhere'))).toEqual(refused)
  })
})

describe('a caller who does not hold access_site', () => {
  it.each(questions)('gets 403 for %s', async (_what, path) =>
    expect(await answerOf(below(path), { token: guest.token })).toEqual({
      status: 403,
      body: lacking,
      challenge: null,
    }),
  )

  it.each(writes)('gets 403 for %s %s', async (method, path, body) =>
    expect(await answerTo(method, below(path), { body, token: guest.token })).toEqual({
      status: 403,
      body: lacking,
      challenge: null,
    }),
  )

  it('gets 403 for a write with access_site too, as a member', async () => {
    const reader = await app.user('reader')
    await grant(app, shop, reader, ['access_site'])
    for (let attempts = 0; attempts < 2; attempts++)
      expect(
        await answerTo('POST', shop.data('makers'), { body: { name: 'x' }, token: reader.token }),
      ).toEqual({ status: 403, body: lacking, challenge: null })
  })

  it('writes with change_site, but does not read', async () => {
    const writer = await app.user('writer')
    await grant(app, shop, writer, ['change_site'])
    const change = { body: { name: 'Ostra' }, token: writer.token }
    expect(await answerOf(shop.data('makers'), { token: writer.token })).toMatchObject({ status: 403 })
    expect(await answerTo('PATCH', `${shop.data('makers')}1/`, change)).toMatchObject({ status: 200 })
    await grant(app, shop, writer, ['view_site'])
    expect(await answerTo('PATCH', `${shop.data('makers')}1/`, change)).toMatchObject({ status: 403 })
  })

  it('gets 404 for a site that does not exist, as the contract says', async () =>
    expect(
      await answerOf(below('shop/datatables/makers/data/', 'nowhere'), { token: guest.token }),
    ).toMatchObject({ status: 404, body: { detail: 'Not found.', code: 'not_found' } }))

  it('can read from the first request after the permission is granted to the first after it is removed', async () => {
    const path = shop.data('makers')
    const moving = await app.user('moving')
    const ask = async () => (await app.request('GET', path, { token: moving.token })).status
    expect(await ask()).toBe(403)
    for (const permissions of [['access_site'], ['admin_site']]) {
      await grant(app, shop, moving, permissions)
      expect([await ask(), await ask()]).toEqual([200, 200])
      await grant(app, shop, moving, ['change_site'])
      expect([await ask(), await ask()]).toEqual([403, 403])
    }
  })

  it('gets 401 after the sign-in has ended, also if the standing was cached', async () => {
    const leaving = await app.user('leaving')
    const ask = () => answerOf(shop.data('makers'), { token: leaving.token })
    expect(await ask()).toMatchObject({ status: 403 })
    await app.sql('update users set generation = generation + 1 where id = $1', [leaving.id])
    expect(await ask()).toEqual({ status: 401, body: ended, challenge: 'Bearer' })
  })

  it('gets 403 with a sign-in by the provider of another organization, even the owner of the site', async () => {
    const { owner } = shop
    const [{ id } = { id: '' }] = await app.sql<{ id: string }>(
      `with a as (insert into social_accounts (site_id, social_app_id, issuer, subject, user_id)
                  select id, 1, 'i', 's', $1 from sites where slug = 'foreign' returning site_id)
       select organization_id as id from sites join a on a.site_id = sites.id`,
      [owner.id],
    )
    const identity = { ...(await app.identity(owner)), organizationId: Number(id) }
    const { access: token } = await issueTokens(configOf(app.env), identity)
    expect(await answerOf(shop.data('makers'), { token })).toMatchObject({ status: 403, body: lacking })
    expect(await answerOf(foreign.data('makers'), { token })).toMatchObject({ status: 403, body: lacking })
    expect(await answerOf(shop.data('makers'), { token: owner.token })).toMatchObject({ status: 200 })
  })

  it('gets 403 with an API key too: a key does not act as a guest', async () => {
    const keeper = await app.user('keeper')
    await grant(app, shop, keeper, ['access_site'])
    const made = await app.request('POST', `${shop.api}/api-keys/`, {
      token: keeper.token,
      body: { name: 'key', scopes: [{ app: 'shop', tables: ['*'], can: ['read'] }] },
    })
    const headers = { authorization: `Api-Key ${made.body.key}` }
    expect(await answerOf(shop.data('makers'), { headers })).toMatchObject({ status: 200 })
    await grant(app, shop, keeper, ['view_site'])
    expect(await answerOf(shop.data('makers'), { headers })).toEqual({
      status: 403,
      body: lacking,
      challenge: null,
    })
  })
})

describe('the standing of a guest', () => {
  /** Makes an empty plan for the app. Returns the round trips until the caller is refused. */
  async function roundTrips(user?: User, slug = 'shop'): Promise<number> {
    const ctx = guestContext(app, shop, user)
    const plan = (catalog: Catalog) => {
      materializedTable(catalog, { app: slug, table: 'makers' })
      return planOf({ statements: {}, finish: () => 'planned' })
    }
    const refusal = await withCatalog(ctx, slug, 'read', plan).catch((error: unknown) => error)
    expect(refusal).toBeInstanceOf(AppError)
    return ctx.database.spent.roundTrips
  }

  it('takes one more round trip once, and then none', async () => {
    const learning = await app.user('learning')
    await roundTrips()
    expect([await roundTrips(learning), await roundTrips(learning)]).toEqual([2, 1])
    expect([await roundTrips(), await roundTrips()]).toEqual([1, 1])
    await grant(app, shop, learning, ['view_site'])
    expect([await roundTrips(learning), await roundTrips(learning)]).toEqual([2, 1])
  })

  it('is cached for each site separately', async () => {
    const both = await app.user('both')
    await grant(app, foreign, both, ['access_site'])
    const ask = async (site: Shop) =>
      (await app.request('GET', site.data('makers'), { token: both.token })).status
    expect([await ask(shop), await ask(foreign), await ask(shop), await ask(foreign)]).toEqual([
      403, 200, 403, 200,
    ])
  })

  it('guests get no Server-Timing header; members get one in development', async () => {
    const timing = async (token?: string) =>
      (await app.request('GET', shop.data('makers'), token ? { token } : {})).headers.get('server-timing')
    expect(await timing(shop.owner.token)).toMatch(/^db;dur=/)
    expect([await timing(), await timing(guest.token)]).toEqual([null, null])
  })
})

describe('the API reference', () => {
  it('lists what works without credentials: reading and writing records and edges, and reading versions', async () => {
    const { body } = await app.request('GET', '/api/schema/')
    const open = Object.entries<Record<string, { security: object[] }>>(body.paths).flatMap(
      ([path, methods]) =>
        Object.entries(methods)
          .filter(([, { security }]) => security?.some((one) => Object.keys(one).length === 0))
          .map(([method]) => `${method.toUpperCase()} ${path}`),
    )
    expect(open.filter((one) => one.includes('/datatables/'))).toEqual([
      ...['GET', 'POST', 'PATCH', 'DELETE'].map(
        (method) => `${method} /api/apps/{app}/datatables/{table}/data/`,
      ),
      'POST /api/apps/{app}/datatables/{table}/data/upsert/',
      ...['GET', 'PATCH', 'PUT', 'DELETE'].map(
        (method) => `${method} /api/apps/{app}/datatables/{table}/data/{record}/`,
      ),
      'GET /api/apps/{app}/datatables/{table}/data/{record}/history/',
      ...['GET', 'POST', 'DELETE'].map((method) => `${method} /api/apps/{app}/datatables/{table}/edges/`),
      'PATCH /api/apps/{app}/datatables/{table}/edges/{edge}/',
    ])
  })
})
