/**
 * The catalogs that the isolates of a data centre share (src/data/catalog/shared-catalogs.ts): they save the
 * first request of an isolate a round trip, and let nobody see or do more than without them.
 */
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createHotData, type HotRequest, hotRequests } from '../../bench/edge/hot-requests.ts'
import { newSigningKeys } from '../../dev/signing-keys.ts'
import { planOf, withCatalog } from '../../src/data/catalog/catalog.ts'
import {
  addressOf,
  findSharedCatalog,
  openCatalogs,
  shareCatalog,
} from '../../src/data/catalog/shared-catalogs.ts'
import { createSite, type Site, siteIdOf, startApp, type TestApp } from '../support/app.ts'
import { createShop, grant, type Shop } from '../support/fixtures.ts'
import { guestContext } from '../support/guests.ts'
import { roundTrips } from '../support/secrets.ts'
import { contextOf } from '../support/tenant.ts'

let app: TestApp
let mine: Shop
let theirs: Shop

beforeAll(async () => {
  app = await startApp()
  mine = await createShop(app, 'mine')
  theirs = await createShop(app, 'theirs')
  for (const [shop, name] of [
    [mine, 'Ostra'],
    [theirs, 'CANARY-4711'],
  ] as const)
    await app.request('POST', shop.data('makers'), { token: shop.owner.token, body: { id: 1, name } })
})

let isolates = 0

/**
 * Returns a new isolate of the same data centre. It knows nothing about the database, because it calls it by
 * another address.
 */
function newIsolate(variables: Record<string, string> = {}): TestApp {
  const url = new URL(String(app.env.DATABASE_URL))
  url.searchParams.set('application_name', `isolate-${isolates++}`)
  return app.with({ DATABASE_URL: url.href, ...variables })
}

/** Sends a read from a new isolate. */
const askAnew = (path: string, token?: string) =>
  newIsolate().request('GET', path, token === undefined ? {} : { token })

const contextFor = (shop: Site) => contextOf(app, shop, shop.owner)
const askMaker = (shop: Shop, token = shop.owner.token, from = newIsolate()) =>
  from.request('GET', `${shop.data('makers')}1/`, { token })
const maker = (shop: Shop) => ({ id: 1, name: shop === mine ? 'Ostra' : 'CANARY-4711' })
/** What an answer with the record of a shop is, after so many round trips. */
const record = (shop: Shop, trips: number) => [200, { data: maker(shop) }, trips]
const outcomeOf = (answer: Awaited<ReturnType<typeof askAnew>>) => [
  answer.status,
  answer.body,
  roundTrips(answer),
]

/** Returns the text of an entry, or replaces it. */
async function readEntry(shop: Shop): Promise<string | undefined> {
  return (await (await openCatalogs()).match(addressOf(contextFor(shop), 'shop')))?.text()
}
async function writeEntry(shop: Shop, text: string): Promise<void> {
  const entry = new Response(text, { headers: { 'cache-control': 'max-age=60' } })
  await (await openCatalogs()).put(addressOf(contextFor(shop), 'shop'), entry)
}
const removeEntry = async (shop: Shop) => (await openCatalogs()).delete(addressOf(contextFor(shop), 'shop'))

describe('the first request of an isolate', () => {
  beforeEach(async () => {
    for (const shop of [mine, theirs]) await removeEntry(shop)
  })

  it('takes two round trips where the data centre has no catalog, and one where it has', async () => {
    expect(outcomeOf(await askMaker(mine))).toEqual(record(mine, 2))
    expect(outcomeOf(await askMaker(mine))).toEqual(record(mine, 1))
    expect(outcomeOf(await askMaker(theirs))).toEqual(record(theirs, 2))
    expect(outcomeOf(await askMaker(theirs))).toEqual(record(theirs, 1))
  })

  it('is planned again if the schema has changed, and the next isolate has the new catalog', async () => {
    await askMaker(theirs)
    const fields = [
      { name: 'id', type: 'integer' },
      { name: 'name', type: 'string', constraints: { required: true, unique: true, maxLength: 40 } },
      { name: 'town', type: 'string' },
    ]
    const put = await app.request('PUT', `${theirs.api}/apps/shop/datatables/makers/`, {
      token: theirs.owner.token,
      body: { json_schema: { fields, primaryKey: 'id' } },
    })
    expect(put.status).toBe(200)
    const changed = { data: { ...maker(theirs), town: null } }
    expect(outcomeOf(await askMaker(theirs))).toEqual([200, changed, 3])
    expect(outcomeOf(await askMaker(theirs))).toEqual([200, changed, 1])
  })

  it.each<[string, (entry: string) => string]>([
    [
      'an entry of which a character was changed',
      (entry) => `${entry.slice(0, 90)}${entry[90] === 'A' ? 'B' : 'A'}${entry.slice(91)}`,
    ],
    ['an entry that was cut', (entry) => entry.slice(0, -7)],
    [
      'a forged entry',
      () => JSON.stringify({ site: { siteId: siteIdOf(theirs), catalogVersion: 1 }, json: '{}' }),
    ],
    ['an empty entry', () => ''],
  ])('ignores %s, and replaces it', async (_what, change) => {
    await askMaker(mine)
    const entry = (await readEntry(mine)) as string
    await writeEntry(mine, change(entry))
    expect(outcomeOf(await askMaker(mine))).toEqual(record(mine, 2))
    expect(outcomeOf(await askMaker(mine))).toEqual(record(mine, 1))
  })

  it('does not take the catalog of another site, even if it lies in its place', async () => {
    await askMaker(mine)
    await askMaker(theirs)
    await writeEntry(mine, (await readEntry(theirs)) as string)
    expect(outcomeOf(await askMaker(mine))).toEqual(record(mine, 2))
    const answer = await askAnew(`${theirs.data('makers')}1/`, mine.owner.token)
    expect([answer.status, answer.text.includes('CANARY')]).toEqual([403, false])
  })

  it('takes no entry of a deployment with other keys', async () => {
    await askMaker(mine)
    const other = contextOf(app.with({ SIGNING_KEYS: await newSigningKeys() }), mine, mine.owner)
    expect(addressOf(other, 'shop')).not.toBe(addressOf(contextFor(mine), 'shop'))
    const entry = new Response(await readEntry(mine), { headers: { 'cache-control': 'max-age=60' } })
    await (await openCatalogs()).put(addressOf(other, 'shop'), entry)
    expect(await findSharedCatalog(other, 'shop')).toBeUndefined()
    expect(await findSharedCatalog(contextFor(mine), 'shop')).toMatchObject({
      site: { siteId: siteIdOf(mine) },
    })
  })

  it('takes no entry of another version of the Worker', async () => {
    await askMaker(mine)
    const other = newIsolate({ VERSION: { id: 'another' } as never })
    expect(outcomeOf(await askMaker(mine, undefined, other))).toEqual(record(mine, 2))
  })

  it('refuses a caller without rights, or whose rights were revoked, as without the entry', async () => {
    const reader = await app.user('reader')
    await askMaker(theirs)
    const refused = await askMaker(theirs, reader.token)
    await removeEntry(theirs)
    expect([refused.status, refused.body]).toEqual([403, (await askMaker(theirs, reader.token)).body])
    await grant(app, theirs, reader, ['access_site'])
    expect((await askMaker(theirs, reader.token)).status).toBe(200)
    await grant(app, theirs, reader, [])
    expect((await askMaker(theirs, reader.token)).status).toBe(403)
  })

  it('of a guest shows what the rules allow, in one round trip, and tells nothing about the other tables', async () => {
    const rules = [{ name: 'all', who: 'anyone', can: ['read'], fields: ['id'] }]
    const open = `${mine.api}/apps/shop/datatables/makers/access/`
    expect((await app.request('PUT', open, { token: mine.owner.token, body: { rules } })).status).toBe(200)
    await askMaker(mine)
    const guest = await askAnew(`${mine.data('makers')}1/`)
    expect([guest.status, guest.body]).toEqual([200, { data: { id: 1 } }])
    const ctx = guestContext(newIsolate(), mine)
    const seen = await withCatalog(ctx, 'shop', 'read', ({ tables }) =>
      planOf({ statements: {}, finish: () => [...tables.keys()] }),
    )
    expect([seen, ctx.database.spent.roundTrips]).toEqual([['makers'], 1])
    const [hidden, missing] = [await askAnew(mine.data('products')), await askAnew(mine.data('nothing'))]
    expect([hidden.status, hidden.body]).toEqual([401, missing.body])
    expect((await askAnew(`${mine.data('makers')}1/?populate=*`)).text).not.toContain('Ostra')
  })

  it('of an erased site is 404, and a new site with its name is not asked for the old tables', async () => {
    const old = await createShop(app, 'gone')
    const { token } = old.owner
    expect((await askAnew(old.data('makers'), token)).body.data).toEqual([])
    const siteId = siteIdOf(old)
    await app.sql('update sites set is_active = false, deletes_at = now() where id = $1', [siteId])
    expect((await askAnew(old.data('makers'), token)).status).toBe(404)
    for (let hasMore = true; hasMore; ) {
      const [step] = await app.sql<{ hasMore: boolean }>('select public.erase_site($1, 1000) as "hasMore"', [
        siteId,
      ])
      hasMore = step?.hasMore === true
    }
    expect((await askAnew(old.data('makers'), token)).status).toBe(404)
    const made = await app.request('POST', '/api/cloud/organizations/gone-org/sites/', {
      token,
      body: { name: 'gone', slug: 'gone' },
    })
    expect(made.status).toBe(201)
    const answer = await askAnew(old.data('makers'), token)
    expect([answer.status, answer.body]).toEqual([
      404,
      { detail: 'Not found.', hint: 'There is no app "shop" in this site.', code: 'not_found' },
    ])
  })
})

describe('an entry', () => {
  it('has an address and a text that say nothing about the site', async () => {
    await askMaker(mine)
    const entry = (await readEntry(mine)) as string
    expect(addressOf(contextFor(mine), 'shop')).toMatch(/^https:\/\/catalogs\.invalid\/[0-9a-f]{64}$/)
    expect(entry).toMatch(/^v1\.[\w-]{16}\.[\w-]+$/)
    for (const name of ['makers', 'shop', 'mine', String(siteIdOf(mine))])
      for (const encoding of ['utf8', 'base64url'] as const)
        expect(Buffer.from(entry, encoding).includes(name)).toBe(false)
  })

  it('has a different address for each site, app and host', () => {
    const at = (shop: Site, appSlug: string, host = 'localhost') => {
      const ctx = contextFor(shop)
      return addressOf({ ...ctx, tenant: { ...ctx.tenant, host } }, appSlug)
    }
    const all = [at(mine, 'shop'), at(theirs, 'shop'), at(mine, 'papers'), at(mine, 'shop', 'shop.example')]
    expect(new Set(all).size).toBe(4)
  })

  it('is not made for a missing app, nor for a catalog of more than a mebibyte', async () => {
    const ctx = contextFor(mine)
    const site = { siteId: siteIdOf(mine), catalogVersion: 1 }
    for (const json of [null, `"${'x'.repeat(1_048_576)}"`]) {
      await shareCatalog(ctx, 'large', { site, json })
      expect(await findSharedCatalog(ctx, 'large')).toBeUndefined()
    }
    await shareCatalog(ctx, 'large', { site, json: '"x"' })
    expect(await findSharedCatalog(ctx, 'large')).toEqual({ site, json: '"x"' })
  })
})

describe('the version of a catalog', () => {
  it('does not name another catalog after the database was restored to an earlier time', async () => {
    const version = async () => {
      const rows = await app.sql<{ v: string }>('select catalog_version as v from sites where id = $1', [
        siteIdOf(mine),
      ])
      return Number(rows[0]?.v)
    }
    const change = (name: string) =>
      app.request('POST', `${mine.api}/apps/`, { token: mine.owner.token, body: { name } })
    const before = await version()
    await change('first')
    const first = await version()
    await app.sql('update sites set catalog_version = $2 where id = $1', [siteIdOf(mine), before])
    await change('second')
    expect(await version()).toBeGreaterThan(first)
    expect(Math.abs((await version()) / 1000 - Date.now())).toBeLessThan(600_000)
  })
})

describe('a hot request', () => {
  let site: Site
  let key: string
  let sent = 0

  beforeAll(async () => {
    site = await createSite(app, 'hot')
    key = await createHotData(async (method, path, body) => {
      const { status, body: answer } = await app.request(method, `/sites/hot${path}`, {
        token: site.owner.token,
        ...(body === undefined ? {} : { body }),
      })
      if (status >= 300) throw new Error(JSON.stringify(answer))
      return answer
    })
  })

  async function ask({ by, method, path, headers = {}, body, status }: HotRequest): Promise<number> {
    const credentials = {
      user: { token: site.owner.token },
      key: { headers: { ...headers, authorization: `Api-Key ${key}` } },
      nobody: {},
    }[by]
    const answer = await newIsolate().request(method, `/sites/hot${path}`, {
      headers: { ...headers },
      ...(body ? { body: body(sent++) } : {}),
      ...credentials,
    })
    expect([answer.status, answer.text]).toEqual([status, expect.any(String)])
    return roundTrips(answer)
  }

  it.each(hotRequests)('$title: $roundTrips.shared round trips of a new isolate', async (request) => {
    await ask(request)
    expect(await ask(request)).toBe(request.roundTrips.shared)
  })
})
