/** Answers without their envelope, for clients that expect an array of records or one record. */
import { beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '../../support/app.ts'
import { addTables, createShop, type Shop } from '../../support/fixtures.ts'

let app: TestApp
let shop: Shop

const ask = (method: string, path: string, body?: unknown, accept?: string, table = 'makers') =>
  app.request(method, `${shop.data(table)}${path}`, {
    token: shop.owner.token,
    ...(body === undefined ? {} : { body }),
    headers: accept ? { accept } : {},
  })
const profile = 'application/json;profile=array'

beforeAll(async () => {
  app = await startApp()
  shop = await createShop(app, 'bare')
  await addTables(app, shop, [
    {
      name: 'staff',
      schema: { fields: [{ name: 'id', type: 'integer' }], primaryKey: 'id', hierarchy: true },
    },
  ])
  await ask('POST', '', [{ name: 'a' }, { name: 'b' }, { name: 'c' }])
  await ask('POST', '', [{ id: 1 }, { id: 2 }], undefined, 'staff')
  const edges = [{ from_id: 2, to_id: 1, type: 'parent' }]
  await app.request('POST', `${shop.api}/apps/shop/datatables/staff/edges/`, {
    token: shop.owner.token,
    body: edges,
  })
})

describe('_envelope=false', () => {
  it('returns 400 for an invalid or repeated value, also to a stranger whom an access rule might allow', async () => {
    const wrong = (message: string) => [
      400,
      { error: 'Validation failed', details: { _envelope: [message] }, code: 'validation_failed' },
    ]
    for (const [method, path, body] of [
      ['GET', ''],
      ['GET', '1/'],
      ['POST', '', { name: 'x' }],
      ['PUT', '1/', { name: 'x' }],
      ['PATCH', '1/', {}],
      ['PATCH', '', []],
    ] as const) {
      const { status, body: answer } = await ask(method, `${path}?_envelope=no`, body)
      expect([method, path, status, answer]).toEqual([method, path, ...wrong('Must be true or false.')])
    }
    const twice = await ask('GET', '?_envelope=true&_envelope=false')
    expect([twice.status, twice.body]).toEqual(wrong('This parameter may be given only once.'))
    const stranger = await app.user('stranger')
    const token = stranger.token
    for (const [method, path, body] of [
      ['GET', ''],
      ['PATCH', '1/', {}],
    ] as const) {
      const address = `${shop.data('makers')}${path}?_envelope=no`
      const answer = await app.request(method, address, { token, ...(body ? { body } : {}) })
      expect([method, answer.status, answer.body]).toEqual([method, ...wrong('Must be true or false.')])
    }
    expect((await ask('DELETE', '1/?_envelope=false')).status).toBe(400)
  })

  it('returns the page as an array, and the total in X-Total-Count, which is exposed to other origins', async () => {
    const { status, body, headers } = await ask('GET', '?_envelope=false&page_size=2&ordering=-name')
    expect([status, body]).toEqual([
      200,
      [
        { id: 3, name: 'c' },
        { id: 2, name: 'b' },
      ],
    ])
    expect([headers.get('x-total-count'), headers.get('content-type')]).toEqual(['3', profile])
    const origin = 'https://admin.example.com'
    const listed = app.with({ CORS_ORIGINS: origin })
    const answer = await listed.request('GET', `${shop.data('makers')}?_envelope=false`, {
      token: shop.owner.token,
      headers: { origin },
    })
    expect(answer.headers.get('access-control-expose-headers')?.split(',')).toContain('X-Total-Count')
    expect((await ask('GET', '?_envelope=true')).body).toMatchObject({ data: [{}, {}, {}], total: 3 })
  })

  it('returns groups, aggregates, a tree and a graph without the envelope', async () => {
    expect((await ask('GET', '?_envelope=false&_group_by=name&_aggregate=count(*)')).body).toHaveLength(3)
    expect((await ask('GET', '?_envelope=false&_aggregate=count(*)')).body).toEqual({ count: 3 })
    expect(
      (await ask('GET', '?_envelope=false&format=tree', undefined, undefined, 'staff')).body,
    ).toMatchObject([{ id: 1, children: [{ id: 2 }] }])
    expect(
      (await ask('GET', '1/?_envelope=false&format=graph', undefined, undefined, 'staff')).body,
    ).toMatchObject({ nodes: [{}, {}], edges: [{}] })
  })

  it('returns 400 with include, because its nodes are returned next to the record', async () => {
    const refused = await ask('GET', '1/?_envelope=false&include=descendants', undefined, undefined, 'staff')
    expect([refused.status, refused.body]).toEqual([
      400,
      {
        error: 'Validation failed',
        details: {
          _envelope: ['include needs the envelope, because its nodes are returned beside the record.'],
        },
        code: 'validation_failed',
      },
    ])
    const kept = await ask('GET', '1/?include=descendants', undefined, profile, 'staff')
    expect(kept.body).toMatchObject({ data: { id: 1 }, children: [{ id: 2 }] })
  })

  it('returns a single record with its ETag, or an array if the request sent one', async () => {
    const made = await ask('POST', '?_envelope=false', { name: 'd' })
    expect([made.status, made.body, made.headers.get('etag')]).toEqual([
      201,
      { id: 4, name: 'd' },
      expect.stringMatching(/^".+"$/),
    ])
    const read = await ask('GET', '4/?_envelope=false')
    expect([read.body, read.headers.get('etag')]).toEqual([made.body, made.headers.get('etag')])
    expect((await ask('PATCH', '4/?_envelope=false', { name: 'e' })).body).toEqual({ id: 4, name: 'e' })
    expect((await ask('PUT', '4/?_envelope=false', { name: 'f' })).body).toEqual({ id: 4, name: 'f' })
    expect((await ask('POST', '?_envelope=false', [{ name: 'g' }])).body).toEqual([{ id: 5, name: 'g' }])
    expect((await ask('PATCH', '?_envelope=false', [{ id: 5, name: 'h' }])).body).toEqual([
      { id: 5, name: 'h' },
    ])
    const upserted = await ask('POST', 'upsert/?unique_fields=id&_envelope=false', { id: 5, name: 'i' })
    expect([upserted.status, upserted.body]).toEqual([200, { id: 5, name: 'i' }])
  })

  it('does not change errors', async () => {
    expect((await ask('GET', '99/?_envelope=false')).body).toMatchObject({
      error: 'Record not found',
      code: 'record_not_found',
    })
  })
})

describe('Accept: application/json;profile=array', () => {
  it.each([
    profile,
    'application/json; profile="array"',
    'text/html, application/json;q=0.9;profile=array',
    'APPLICATION/JSON;PROFILE=ARRAY',
  ])('has the same effect: %s', async (accept) => {
    const list = await ask('GET', '?page_size=1', undefined, accept)
    expect([list.body, list.headers.get('content-type')]).toEqual([[{ id: 1, name: 'a' }], profile])
    expect((await ask('GET', '1/', undefined, accept)).body).toEqual({ id: 1, name: 'a' })
  })

  it.each([
    'application/json',
    '*/*',
    'application/json;profile=object',
    'application/json;profile=array;q=0',
    'text/plain;profile=array',
  ])('is not implied by %s', async (accept) => {
    const { body, headers } = await ask('GET', '1/', undefined, accept)
    expect([body, headers.get('content-type')]).toEqual([{ data: { id: 1, name: 'a' } }, 'application/json'])
  })

  it('returns 200 with the deleted record instead of 204', async () => {
    await ask('POST', '', { id: 70, name: 'gone' })
    const gone = await ask('DELETE', '70/', undefined, profile)
    expect([gone.status, gone.body]).toEqual([200, { id: 70, name: 'gone' }])
    expect((await ask('DELETE', '70/', undefined, profile)).status).toBe(404)
    await ask('POST', '', { id: 70, sku: 'A-70' }, undefined, 'products')
    expect((await ask('DELETE', '70/', undefined, profile, 'products')).body).toMatchObject({
      id: 70,
      is_deleted: true,
    })
  })

  it('is overridden by _envelope=true', async () => {
    expect((await ask('GET', '1/?_envelope=true', undefined, profile)).body).toEqual({
      data: { id: 1, name: 'a' },
    })
  })
})

describe('the media type of an answer', () => {
  it.each([
    ['', 'makers', 'application/json'],
    ['1/', 'makers', 'application/json'],
    ['?_aggregate=count(*)', 'makers', 'application/json;profile=aggregate'],
    ['?_aggregate=count(*)&_group_by=name', 'makers', 'application/json;profile=group'],
    ['?format=tree', 'staff', 'application/json;profile=tree'],
    ['?format=graph', 'staff', 'application/json;profile=graph'],
    ['1/?format=tree', 'staff', 'application/json;profile=tree'],
    ['1/?format=graph', 'staff', 'application/json;profile=graph'],
    ['1/?include=descendants', 'staff', 'application/json;profile=include'],
    ['?_envelope=false&format=tree', 'staff', profile],
  ])('names the form of the answer: %s', async (path, table, type) => {
    const { status, headers } = await ask('GET', path, undefined, undefined, table)
    expect([status, headers.get('content-type')]).toEqual([200, type])
  })

  it('names no form if the request is refused', async () => {
    const { status, headers } = await ask('GET', '99/?format=tree', undefined, undefined, 'staff')
    expect([status, headers.get('content-type')]).toEqual([404, 'application/json'])
  })
})
