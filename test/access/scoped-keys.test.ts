/** API keys with scopes: the operations and addresses that they allow, and their rotation. X1. */
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { planOf, withCatalog } from '../../src/data/catalog/catalog.ts'
import { requireScopes } from '../../src/data/catalog/scoped.ts'
import { keyHash } from '../../src/kernel/access/api-keys/key.ts'
import { newTokens, signTokens } from '../../src/kernel/access/tokens.ts'
import { DatabaseFailure } from '../../src/kernel/db/failures.ts'
import { learnScopes } from '../../src/kernel/db/known-scopes.ts'
import { configOf } from '../../src/kernel/env.ts'
import { startApp, type TestApp, type User } from '../support/app.ts'
import { addRows, addTables, createShop, grant, type Shop } from '../support/fixtures.ts'
import { contextOf } from '../support/tenant.ts'

interface Key {
  id: number
  key: string
}

let app: TestApp
let shop: Shop
let owner: User

beforeAll(async () => {
  app = await startApp()
  shop = await createShop(app, 'scoped', {
    resources: [
      {
        name: 'makers',
        schema: {
          fields: [
            { name: 'id', type: 'integer' },
            { name: 'name', type: 'string', constraints: { unique: true } },
          ],
          primaryKey: 'id',
        },
      },
      {
        name: 'products',
        schema: {
          fields: [
            { name: 'id', type: 'integer' },
            { name: 'sku', type: 'string', constraints: { unique: true } },
            { name: 'maker_id', type: 'integer' },
          ],
          primaryKey: 'id',
          foreignKeys: [{ fields: 'maker_id', reference: { resource: 'makers', fields: 'id' } }],
        },
      },
      {
        name: 'places',
        schema: { fields: [{ name: 'id', type: 'integer' }], primaryKey: 'id', hierarchy: true },
      },
    ],
  })
  owner = shop.owner
  await addRows(app, shop, {
    makers: [{ id: 1, name: 'Ostra' }],
    products: [{ id: 1, sku: 'A-1', maker_id: 1 }],
    places: [{ id: 1 }, { id: 2 }],
  })
})

const keys = (method: string, path: string, body?: unknown, token = owner.token) =>
  app.request(method, `${shop.api}/api-keys/${path}`, { token, ...(body === undefined ? {} : { body }) })
const scope = (can: readonly string[], tables: readonly string[] = ['products']) => ({
  app: 'shop',
  tables,
  can,
})
const create = async (more: object): Promise<Key> => {
  const { status, body } = await keys('POST', '', { name: 'ci', ...more })
  expect([status, body]).toEqual([201, expect.objectContaining({ key: expect.any(String) })])
  return body
}
const withKey = ({ key }: Pick<Key, 'key'>, method: string, path: string, body?: unknown, headers = {}) =>
  app.request(method, path, {
    headers: { authorization: `Api-Key ${key}`, ...headers },
    ...(body === undefined ? {} : { body }),
  })
const lacks = (table: string, ability: string) => ({
  status: 403,
  body: {
    detail: `The API key lacks the scope {"app":"shop","tables":["${table}"],"can":["${ability}"]}.`,
    code: 'scope_missing',
  },
})
/** Returns a token of an older sign-in, which was refreshed a minute ago. */
const tokenOfSignIn = async (secondsAgo: number) => {
  const identity = { ...(await app.identity(owner)), signedInAt: new Date(Date.now() - secondsAgo * 1000) }
  return (await signTokens(configOf(app.env), newTokens(configOf(app.env), identity))).access
}

describe('a key with scopes', () => {
  it('gets 400 with messages by property if it is invalid', async () => {
    const invalid = async (more: object) => (await keys('POST', '', { name: 'x', ...more })).body
    expect(await invalid({ scopes: [] })).toEqual({ scopes: [expect.stringContaining('at least')] })
    expect(await invalid({ scopes: [scope(['update'])] })).toEqual({
      'scopes.0.can': ['update and delete show the records that they write: add read.'],
    })
    expect(
      Object.keys(await invalid({ scopes: [{ app: 'shop', tables: ['a'], can: ['rule'], x: 1 }] })),
    ).toEqual(['scopes.0.can.0', 'scopes.0.x'])
    expect(Object.keys(await invalid({ allowed_addresses: ['192.0.2.1', 'somewhere'] }))).toEqual([
      'allowed_addresses.1',
    ])
  })

  it('is created, changed and rotated only after a recent sign-in', async () => {
    const { id } = await create({ scopes: [scope(['read'])] })
    const old = await tokenOfSignIn(1_000)
    const refusal = {
      status: 403,
      body: {
        detail: 'This needs a sign-in within the last 900 seconds. Sign in again.',
        code: 'fresh_sign_in_required',
      },
    }
    expect(await keys('POST', '', { name: 'x', scopes: [scope(['read'])] }, old)).toMatchObject(refusal)
    expect(await keys('POST', '', { name: 'x', allowed_addresses: ['192.0.2.1'] }, old)).toMatchObject(
      refusal,
    )
    expect(await keys('PATCH', `${id}/`, { name: 'x' }, old)).toMatchObject(refusal)
    expect(await keys('POST', `${id}/rotate/`, {}, old)).toMatchObject(refusal)
    expect((await keys('POST', '', { name: 'plain' }, old)).status).toBe(201)
    expect((await keys('PATCH', `${id}/`, { name: 'x' }, await tokenOfSignIn(800))).status).toBe(200)
  })

  it('is shown with its scopes and addresses', async () => {
    const more = { scopes: [scope(['read'])], allowed_addresses: ['192.0.2.0/24', '2001:db8::1'] }
    const { status, body } = await keys('POST', '', { name: 'shown', ...more })
    expect([status, body]).toEqual([
      201,
      {
        id: expect.any(Number),
        name: 'shown',
        prefix: expect.any(String),
        key: expect.any(String),
        created_at: expect.any(String),
        expires_at: null,
        ...more,
      },
    ])
    const { key, ...shown } = body
    expect((await keys('GET', '?search=shown')).body.results).toEqual([{ ...shown, last_used_at: null }])
    expect((await keys('GET', `${shown.id}/`)).body).toEqual({ ...shown, last_used_at: null })
  })

  it('gets 403, which names the missing scope, for other tables and other operations', async () => {
    const reader = await create({ scopes: [scope(['read'])] })
    const data = shop.data('products')
    const row = `${data}1/`
    for (const [method, path, body, table, ability] of [
      ['POST', data, { sku: 'B' }, 'products', 'create'],
      ['PATCH', row, { sku: 'B' }, 'products', 'update'],
      ['PUT', row, { sku: 'B' }, 'products', 'update'],
      ['PATCH', data, [], 'products', 'update'],
      ['DELETE', row, undefined, 'products', 'delete'],
      ['DELETE', `${data}?ids=1`, undefined, 'products', 'delete'],
      ['POST', `${data}upsert/?unique_fields=sku`, { sku: 'B' }, 'products', 'create'],
      ['GET', shop.data('makers'), undefined, 'makers', 'read'],
      ['GET', shop.data('unknown'), undefined, 'unknown', 'read'],
      ['GET', `${shop.data('places').replace('data/', 'edges/')}`, undefined, 'places', 'read'],
    ] as const)
      expect([method, path, await withKey(reader, method, path, body)]).toMatchObject([
        method,
        path,
        lacks(table, ability),
      ])
    const creator = await create({ scopes: [scope(['create'])] })
    expect(await withKey(creator, 'GET', data)).toMatchObject(lacks('products', 'read'))
    expect(await withKey(creator, 'POST', `${data}upsert/?unique_fields=sku`, { sku: 'C' })).toMatchObject(
      lacks('products', 'update'),
    )
  })

  it('gets 401 at all other operations; a key without scopes gets 401 at these of records', async () => {
    const scoped = await create({ scopes: [scope(['read', 'create', 'update', 'delete'], ['*'])] })
    for (const [method, path, body] of [
      ['GET', `${shop.api}/apps/shop/`],
      ['GET', `${shop.api}/apps/shop/access/`],
      ['POST', `${shop.api}/apps/shop/datatables/products/materialize/`, {}],
      ['GET', `${shop.api}/secrets/`],
      ['GET', `${shop.api}/api-keys/`],
      ['GET', `${shop.api}/apps/shop/functions/`],
      ['GET', '/api/users/me/'],
    ] as const)
      expect([path, (await withKey(scoped, method, path, body)).status]).toEqual([path, 401])
    const plain = await create({})
    expect(await withKey(plain, 'GET', shop.data('products'))).toMatchObject({
      status: 401,
      body: {
        detail: 'Only API keys with scopes are accepted here. Use such a key, or a bearer token.',
        code: 'api_key_not_accepted',
      },
    })
    expect(await withKey(scoped, 'GET', `${shop.api}/secrets/`)).toMatchObject({
      status: 401,
      body: { detail: 'API keys are not accepted here. Use a bearer token.', code: 'api_key_not_accepted' },
    })
    const subscribe = `${shop.api}/cloud/events/RECORD_CREATE/subscribe/`
    expect(await withKey(scoped, 'POST', subscribe, { function_id: 1 })).toMatchObject({
      status: 401,
      body: {
        detail: 'Only API keys without scopes are accepted here. Use such a key, or a bearer token.',
        code: 'api_key_not_accepted',
      },
    })
  })

  it('lists the apps and tables that it may read, and reads their schemas, in one round trip each', async () => {
    const key = await create({ scopes: [scope(['read'])] })
    const tables = `${shop.api}/apps/shop/datatables/`
    expect(await withKey(key, 'GET', `${tables}makers/`)).toMatchObject(lacks('makers', 'read'))
    expect(await withKey(key, 'GET', `${tables}makers/schema/`)).toMatchObject(lacks('makers', 'read'))
    const answers = [
      await withKey(key, 'GET', `${shop.api}/apps/`),
      await withKey(key, 'GET', tables),
      await withKey(key, 'GET', `${tables}?deleted=true`),
      await withKey(key, 'GET', `${tables}products/`),
      await withKey(key, 'GET', `${tables}products/schema/`),
    ]
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
    const [apps, listed, deleted] = answers.map(({ body }) => body)
    expect(apps.results.map(({ slug }: { slug: string }) => slug)).toEqual(['shop'])
    expect(listed.map(({ name }: { name: string }) => name)).toEqual(['products'])
    expect(deleted).toEqual([])
    expect(answers.map(({ headers }) => headers.get('server-timing'))).toEqual(
      answers.map(() => expect.stringContaining('desc="1"')),
    )
    const other = await create({ scopes: [{ app: 'none', tables: ['*'], can: ['read'] }] })
    expect((await withKey(other, 'GET', `${shop.api}/apps/`)).body.results).toEqual([])
  })

  it('reads, creates, changes and deletes records, in one round trip each', async () => {
    const key = await create({ scopes: [scope(['read', 'create', 'update', 'delete'])] })
    const data = shop.data('products')
    const first = await withKey(key, 'GET', data)
    expect([first.status, first.body.data]).toEqual([200, [{ id: 1, sku: 'A-1', maker_id: 1 }]])
    const answers = [
      await withKey(key, 'GET', `${data}?sku=A-1`),
      await withKey(key, 'GET', `${data}?_aggregate=count(*)%20as%20n`),
      await withKey(key, 'POST', data, { id: 7, sku: 'Z-7' }),
      await withKey(key, 'PATCH', `${data}7/`, { sku: 'Z-8' }),
      await withKey(key, 'POST', `${data}upsert/?unique_fields=sku`, { sku: 'Z-8' }),
      await withKey(key, 'DELETE', `${data}7/`),
    ]
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 201, 200, 200, 204])
    expect(answers.map(({ headers }) => headers.get('server-timing'))).toEqual(
      answers.map(() => expect.stringContaining('desc="1"')),
    )
  })

  it('does not read versions of related tables without their scope', async () => {
    const fields = [{ name: 'id', type: 'integer' }]
    const to = { fields: 'owner_id', reference: { resource: 'past_owners', fields: 'id' } }
    await addTables(app, shop, [
      { name: 'past_owners', schema: { fields, history: true } },
      {
        name: 'past_items',
        schema: {
          fields: [...fields, { name: 'owner_id', type: 'integer' }],
          foreignKeys: [to],
          history: true,
        },
      },
    ])
    const asked = `${shop.data('past_items')}?as_of=9999-01-01T00:00:00Z&populate=owner`
    const key = await create({ scopes: [scope(['read'], ['past_items'])] })
    expect((await withKey(key, 'GET', asked)).status).toBe(400)
    expect((await withKey(key, 'POST', `${shop.data('past_items')}1/restore/1/`)).status).toBe(403)
    const both = await create({ scopes: [scope(['read'], ['past_items', 'past_owners'])] })
    expect((await withKey(both, 'GET', asked)).status).toBe(200)
  })

  it('does not read records of related tables without their scope', async () => {
    const key = await create({ scopes: [scope(['read'])] })
    for (const query of ['populate=maker', 'maker.name=Ostra', 'ordering=maker.name'])
      expect([query, await withKey(key, 'GET', `${shop.data('products')}?${query}`)]).toMatchObject([
        query,
        { status: 400 },
      ])
    expect((await withKey(key, 'GET', `${shop.data('products')}1/?populate=maker_id`)).status).toBe(400)
    const both = await create({ scopes: [scope(['read'], ['products', 'makers'])] })
    expect((await withKey(both, 'GET', `${shop.data('products')}1/?populate=maker`)).body.data.maker).toEqual(
      {
        id: 1,
        name: 'Ostra',
      },
    )
  })

  it('reads edges with `read`, and writes them with `update`', async () => {
    const edges = shop.data('places').replace('data/', 'edges/')
    const edge = [{ from_id: 1, to_id: 2, type: 'parent' }]
    const reader = await create({ scopes: [scope(['read'], ['places'])] })
    expect(await withKey(reader, 'POST', edges, edge)).toMatchObject(lacks('places', 'update'))
    expect((await withKey(reader, 'GET', edges)).status).toBe(200)
    const writer = await create({ scopes: [scope(['read', 'update'], ['*'])] })
    expect((await withKey(writer, 'POST', edges, edge)).status).toBe(201)
  })

  it('needs `create` only for the tables of the records in a nested record', async () => {
    const post = (key: Key, table: string, body: unknown) => withKey(key, 'POST', shop.data(table), body)
    const creator = await create({ scopes: [scope(['create'])] })
    const both = await create({ scopes: [scope(['create'], ['products', 'makers'])] })
    const product = { sku: 'N-1', maker: { name: 'inside' } }
    expect(await post(creator, 'products', product)).toMatchObject(lacks('makers', 'create'))
    expect(
      await post(
        await create({ scopes: [scope(['create', 'read']), scope(['read'], ['makers'])] }),
        'products',
        product,
      ),
    ).toMatchObject(lacks('makers', 'create'))
    expect((await post(both, 'products', product)).status).toBe(201)
    expect((await post(both, 'makers', { name: 'around', products: [{ sku: 'N-2' }] })).status).toBe(201)
    expect((await post(await create({}), 'products', { sku: 'N-3', maker: { name: 'plain' } })).status).toBe(
      201,
    )
  })

  it('is told by a 400 nothing about a table that it may not read, not even its name', async () => {
    const post = (key: Key, body: unknown) => withKey(key, 'POST', shop.data('products'), body)
    const unread = {
      error: 'Foreign key violation',
      detail: 'This maker_id references no record that you may read.',
      field: 'maker_id',
      code: 'reference_missing',
    }
    const creator = await create({ scopes: [scope(['create'])] })
    const reader = await create({ scopes: [scope(['create']), scope(['read'], ['makers'])] })
    const missing = { sku: 'F-1', maker_id: 99 }
    expect(await post(creator, missing)).toMatchObject({ status: 400, body: unread })
    expect((await post(reader, missing)).body).toEqual({
      ...unread,
      detail: 'This maker_id references no record of "makers".',
      code: 'reference_missing',
    })
    const deleter = await create({ scopes: [scope(['read', 'update', 'delete'], ['makers'])] })
    expect(await withKey(deleter, 'DELETE', `${shop.data('makers')}1/`)).toMatchObject({
      status: 403,
      body: {
        error: 'Cannot delete record',
        detail: 'Other records reference the record.',
        code: 'still_referenced',
      },
    })
  })

  it('needs the same scopes for an operation in a batch as for the operation alone', async () => {
    const batch = (key: Key, ...operations: object[]) =>
      withKey(key, 'POST', `${shop.api}/apps/shop/batch/`, operations)
    const make = { op: 'create', table: 'makers', data: { name: 'Batch' }, as: 'm' }
    const made = { op: 'create', table: 'products', data: { sku: 'B-1', maker_id: { $: 'm.id' } } }
    const gone = { op: 'delete', table: 'products', id: 1 }
    const creator = await create({ scopes: [scope(['create'], ['products'])] })
    expect(await batch(creator, make, made)).toMatchObject(lacks('makers', 'create'))
    const both = await create({ scopes: [scope(['create'], ['*'])] })
    expect(await batch(both, make, made, gone)).toMatchObject(lacks('products', 'delete'))
    expect(await batch(both, { ...make, op: 'upsert', unique_fields: ['name'] })).toMatchObject(
      lacks('makers', 'update'),
    )
    expect((await batch(both, make, made)).status).toBe(200)
    expect((await batch(await create({}), make)).status).toBe(401)
  })

  it('never has more rights than its user', async () => {
    const person = await app.user('clerk')
    await grant(app, shop, person, ['access_site'])
    const { body } = await keys(
      'POST',
      '',
      { name: 'x', scopes: [scope(['read', 'create'], ['*'])] },
      person.token,
    )
    expect((await withKey(body, 'GET', shop.data('products'))).status).toBe(200)
    expect((await withKey(body, 'POST', shop.data('products'), { sku: 'N' })).status).toBe(403)
    await grant(app, shop, person, [])
    expect((await withKey(body, 'GET', shop.data('products'))).status).toBe(403)
  })

  it('follows changed scopes from the next request on, also for a repeated request', async () => {
    const key = await create({ scopes: [scope(['create'])] })
    const send = () =>
      withKey(key, 'POST', shop.data('products'), { sku: 'K-1' }, { 'idempotency-key': 'once-only-1' })
    expect((await send()).status).toBe(201)
    expect(await send()).toMatchObject({ status: 201 })
    expect(await keys('PATCH', `${key.id}/`, { scopes: [scope(['read'])] })).toMatchObject({
      status: 200,
      body: { scopes: [scope(['read'])] },
    })
    expect(await send()).toMatchObject(lacks('products', 'create'))
    expect((await withKey(key, 'GET', `${shop.data('products')}?sku=K-1`)).body.total).toBe(1)
    expect((await keys('PATCH', `${key.id}/`, { scopes: null })).status).toBe(200)
    expect((await withKey(key, 'GET', shop.data('products'))).status).toBe(401)
  })
})

describe('scopes that change between the plan and its run', () => {
  it('cause a new plan, also if another request has learned the scopes in the meantime', async () => {
    const key = await create({ scopes: [scope(['read'])] })
    expect((await withKey(key, 'GET', shop.data('products'))).status).toBe(200)
    const scopes = [scope(['read'], ['makers'])]
    expect((await keys('PATCH', `${key.id}/`, { scopes })).status).toBe(200)
    const ctx = contextOf(app, shop, owner)
    ctx.caller = null
    ctx.apiKeyHash = keyHash('person', key.key) ?? null
    ctx.keyUse = { plain: false, scoped: ['read'] }
    const plannedFor: unknown[] = []
    const read = withCatalog(ctx, 'shop', 'read', (catalog) => {
      plannedFor.push(catalog.scopes?.known.revision)
      requireScopes(catalog, 'products')
      const detail = JSON.stringify({ revision: 1, scopes })
      learnScopes(ctx, new DatabaseFailure({ code: 'TS426', detail }))
      return planOf({ statements: {}, finish: () => 'read' })
    })
    await expect(read).rejects.toMatchObject(lacks('products', 'read'))
    expect(plannedFor).toEqual([0, 1])
  })

  it('a repeated query parameter gets 400, also in the first request of a key', async () => {
    const key = await create({ scopes: [scope(['read'])] })
    expect(await withKey(key, 'GET', `${shop.data('products')}?page=1&page=2`)).toMatchObject({
      status: 400,
      body: {
        error: 'Validation failed',
        details: { page: ['This parameter may be given only once.'] },
        code: 'validation_failed',
      },
    })
  })

  it('an unknown app gets 404', async () => {
    const key = await create({ scopes: [{ ...scope(['read']), app: 'nowhere' }] })
    const path = shop.data('products').replace('/shop/', '/nowhere/')
    expect((await withKey(key, 'GET', path)).status).toBe(404)
    expect((await withKey(key, 'GET', path)).status).toBe(404)
  })
})

describe('a key with addresses', () => {
  const ask = (key: Key, address: string) =>
    withKey(key, 'GET', shop.data('products'), undefined, { 'cf-connecting-ip': address })
  let key: Key
  beforeEach(async () => {
    key = await create({
      scopes: [scope(['read'])],
      allowed_addresses: ['192.0.2.0/24', '203.0.113.9', '2001:db8:1::/48'],
    })
  })

  it('gets 403 from any other address, and without an address', async () => {
    for (const address of ['192.0.3.1', '203.0.113.8', '2001:db8:2::1', 'nonsense', ''])
      expect([address, await ask(key, address)]).toMatchObject([
        address,
        {
          status: 403,
          body: { detail: 'This API key is not accepted from this address.', code: 'address_not_allowed' },
        },
      ])
  })

  it('works from its addresses and networks', async () => {
    for (const address of ['192.0.2.200', '203.0.113.9', '2001:db8:1:2::3'])
      expect([address, (await ask(key, address)).status]).toEqual([address, 200])
  })

  it('ignores addresses in other headers', async () => {
    const forged = { 'x-forwarded-for': '192.0.2.1', 'x-real-ip': '192.0.2.1', forwarded: 'for=192.0.2.1' }
    expect((await withKey(key, 'GET', shop.data('products'), undefined, forged)).status).toBe(403)
  })
})

describe('the last use of a key', () => {
  it('is stored to the minute', async () => {
    const key = await create({ scopes: [scope(['read'])] })
    const shown = async () =>
      (await keys('GET', '?limit=100')).body.results.find(({ id }: Key) => id === key.id).last_used_at
    await withKey(key, 'GET', shop.data('products'))
    const first = await shown()
    expect(Date.now() - Date.parse(first)).toBeLessThan(60_000)
    await withKey(key, 'GET', shop.data('products'))
    expect(await shown()).toBe(first)
    const plain = await create({})
    await withKey(plain, 'POST', shop.data('makers'), { name: 'noted' })
    const { body } = await keys('GET', '?ordering=-last_used_at&limit=100')
    expect(body.results.find(({ id }: Key) => id === plain.id).last_used_at).toEqual(expect.any(String))
  })
})

describe('the rotation of a key', () => {
  it('returns 404 for a key of another user, and 400 for an overlap of more than a week', async () => {
    const { id } = await create({ scopes: [scope(['read'])] })
    const admin = await app.user('rotator', { superuser: true })
    expect((await keys('POST', `${id}/rotate/`, {}, admin.token)).status).toBe(404)
    expect(await keys('POST', `${id}/rotate/`, { overlap_seconds: 604_801 })).toMatchObject({
      status: 400,
      body: { overlap_seconds: [expect.stringContaining('604800')] },
    })
  })

  it('makes a key with the same rights; the old key works until the overlap ends', async () => {
    const old = await create({ scopes: [scope(['read'])], allowed_addresses: ['192.0.2.1'] })
    const { status, body } = await keys('POST', `${old.id}/rotate/`, { overlap_seconds: 60 })
    expect([status, body]).toEqual([
      201,
      expect.objectContaining({
        name: 'ci',
        scopes: [scope(['read'])],
        allowed_addresses: ['192.0.2.1'],
        expires_at: null,
      }),
    ])
    const from = { 'cf-connecting-ip': '192.0.2.1' }
    const read = async (key: Key) =>
      (await withKey(key, 'GET', shop.data('products'), undefined, from)).status
    expect([await read(old), await read(body)]).toEqual([200, 200])
    await app.sql(`update api_keys set expires_at = expires_at - interval '61 seconds' where id = $1`, [
      old.id,
    ])
    expect([await read(old), await read(body)]).toEqual([401, 200])
    const again = await keys('POST', `${body.id}/rotate/`, { overlap_seconds: 0 })
    expect([await read(body), await read(again.body)]).toEqual([401, 200])
  })

  it('is 409 for a key that was replaced already, and for one that has expired', async () => {
    const { id } = await create({ scopes: [scope(['read'])] })
    const rotate = () => keys('POST', `${id}/rotate/`, { overlap_seconds: 60 })
    const answers = await Promise.all([rotate(), rotate(), rotate()])
    const replaced = {
      detail: 'This key was replaced already. Rotate the newer key, or create one.',
      code: 'key_replaced',
    }
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409])
    expect(answers.filter(({ status }) => status === 409).map(({ body }) => body)).toEqual([
      replaced,
      replaced,
    ])
    const old = await create({ scopes: [scope(['read'])] })
    await app.sql(`update api_keys set expires_at = now() - interval '1 second' where id = $1`, [old.id])
    const expired = [409, { detail: 'This key has expired. Create a new one.', code: 'key_expired' }]
    const { status, body } = await keys('POST', `${old.id}/rotate/`, {})
    expect([status, body]).toEqual(expired)
    expect(await app.sql('select is_replaced from api_keys where id = $1', [old.id])).toEqual([
      { is_replaced: false },
    ])
    const ended = await create({ scopes: [scope(['read'])] })
    await app.sql('update api_keys set generation = generation - 1 where id = $1', [ended.id])
    const answer = await keys('POST', `${ended.id}/rotate/`, {})
    expect([answer.status, answer.body]).toEqual(expired)
  })

  it('cannot be undone: the old key gets no more time', async () => {
    const { id } = await create({ scopes: [scope(['read'])] })
    expect((await keys('POST', `${id}/rotate/`, { overlap_seconds: 60 })).status).toBe(201)
    for (const expires_at of [null, '2099-01-01T00:00:00Z'])
      expect(await keys('PATCH', `${id}/`, { expires_at })).toMatchObject({
        status: 409,
        body: {
          detail: 'This key was replaced already. Rotate the newer key, or create one.',
          code: 'key_replaced',
        },
      })
    expect((await keys('PATCH', `${id}/`, { name: 'old' })).body).toMatchObject({ name: 'old' })
  })
})
