/** Replacing a record: PUT. Spec: Records; R12, W5. */
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '../../support/app.ts'
import { addDocuments, createShop, grant, type Shop } from '../../support/fixtures.ts'

let app: TestApp
let shop: Shop

const id = { name: 'id', type: 'integer' }
const makers = {
  name: 'makers',
  schema: { fields: [id, { name: 'name', type: 'string' }], primaryKey: 'id' },
}
const tools = {
  name: 'tools',
  schema: {
    fields: [
      id,
      { name: 'name', type: 'string', constraints: { required: true } },
      { name: 'code', type: 'string', constraints: { required: true }, default: 'none' },
      { name: 'price', type: 'number' },
      { name: 'stock', type: 'integer', default: 5 },
      { name: 'about', type: 'object', default: { a: 1 } },
      { name: 'maker_id', type: 'integer' },
      { name: 'is_deleted', type: 'boolean' },
      { name: 'created_at', type: 'datetime' },
      { name: 'updated_at', type: 'datetime' },
    ],
    primaryKey: 'id',
  },
}
const mark = { name: 'mark', type: 'string', constraints: { unique: true } }
const marks = { name: 'marks', schema: { fields: [id, mark], primaryKey: 'id' } }
const pairs = {
  name: 'pairs',
  schema: {
    fields: [
      { name: 'a', type: 'string' },
      { name: 'b', type: 'integer' },
      { name: 'note', type: 'string' },
    ],
    primaryKey: ['a', 'b'],
  },
}
const withKey = {
  ...tools,
  schema: {
    ...tools.schema,
    foreignKeys: [{ fields: 'maker_id', reference: { resource: 'makers', fields: 'id' } }],
  },
}
const places: Record<'flat_table' | 'jsonb', (table: string) => string> = {
  flat_table: () => '',
  jsonb: () => '',
}

beforeAll(async () => {
  app = await startApp()
  shop = await createShop(app, 'replacing', { resources: [makers, withKey, pairs, marks] })
  places.flat_table = shop.data
  places.jsonb = await addDocuments(app, shop, [makers, tools, pairs])
})

const call = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
  app.request(method, path, { token: shop.owner.token, ...(body === undefined ? {} : { body }), headers })

describe.each(['flat_table', 'jsonb'] as const)('PUT of one record, %s', (kind) => {
  const at = (rest = '', table = 'tools') => `${places[kind](table)}${rest}`
  const full = { name: 'Saw', code: 'S', price: 2.5, stock: 1, about: { b: 2 }, maker_id: 1 }
  let path: string
  let etag: string

  beforeEach(async () => {
    await call('POST', at('upsert/?unique_fields=id', 'makers'), { id: 1, name: 'Ostra' })
    const made = await call('POST', at(), full)
    path = at(`${made.body.data.id}/`)
    etag = made.headers.get('etag') ?? ''
  })

  it('returns 401, 403 and 404 like PATCH, and 404 for a soft-deleted record', async () => {
    const reader = await app.user(`reader-${kind}-${Math.random()}`)
    await grant(app, shop, reader, ['access_site'])
    expect((await app.request('PUT', path, { body: full })).status).toBe(401)
    expect((await app.request('PUT', path, { body: full, token: reader.token })).status).toBe(403)
    expect((await call('PUT', at('999999/'), full)).body.error).toBe('Record not found')
    expect((await call('PUT', at('x/'), full)).status).toBe(404)
    await call('DELETE', path)
    expect((await call('PUT', path, full)).status).toBe(404)
    expect((await call('PUT', `${path}?include_deleted=true`, full)).body.data.is_deleted).toBe(false)
  })

  it('returns 400 for missing required fields, invalid values, unknown members, another key, and an array', async () => {
    const wrong = async (body: unknown) => {
      const answer = await call('PUT', path, body)
      return [answer.status, answer.body.details]
    }
    expect(await wrong({})).toEqual([400, { name: ['This field is required.'] }])
    expect(await wrong({ name: null, price: 'x' })).toEqual([
      400,
      { name: ['This field may not be null.'], price: ['A number is required.'] },
    ])
    expect(await wrong({ ...full, colour: 'red', makers: [] })).toEqual([
      400,
      {
        colour: [expect.stringContaining('Unknown field.')],
        makers: [expect.stringContaining('Unknown field.')],
      },
    ])
    expect(await wrong({ ...full, id: 999_999 })).toEqual([
      400,
      { id: ['The primary key of a record cannot be changed.'] },
    ])
    expect(await wrong([full])).toEqual([400, { non_field_errors: ['A record must be an object.'] }])
    expect((await call('GET', path)).headers.get('etag')).toBe(etag)
  })

  it('returns 412 if If-Match names another state, and 200 if it names the current one', async () => {
    expect((await call('PUT', path, full, { 'if-match': '"other"' })).status).toBe(412)
    const changed = await call('PUT', path, { ...full, price: 3 }, { 'if-match': etag })
    expect([changed.status, changed.body.data.price]).toEqual([200, 3])
    expect((await call('PUT', path, full, { 'if-match': etag })).status).toBe(412)
    expect((await call('PUT', path, full, { 'if-match': changed.headers.get('etag') ?? '' })).status).toBe(
      200,
    )
  })

  it('resets omitted fields to their defaults or null, and keeps the key and created_at, in one round trip', async () => {
    const before = (await call('GET', path)).body.data
    const { status, body, headers } = await call('PUT', path, { name: 'Saw 2' })
    expect([status, body.data]).toEqual([
      200,
      {
        ...before,
        name: 'Saw 2',
        code: 'none',
        price: null,
        stock: 5,
        about: { a: 1 },
        maker_id: null,
        is_deleted: false,
        updated_at: expect.stringMatching(/Z$/),
      },
    ])
    expect(body.data.updated_at > before.updated_at).toBe(true)
    expect(headers.get('server-timing')).toContain('desc="1"')
    expect((await call('GET', path)).body).toEqual(body)
  })

  it('accepts the answer of GET, and changes only updated_at', async () => {
    for (const query of kind === 'flat_table' ? ['', '?populate=*'] : ['']) {
      const read = (await call('GET', `${path}${query}`)).body.data
      const sent = await call('PUT', path, read)
      const { maker: _, ...fields } = read
      expect([sent.status, sent.body.data]).toEqual([
        200,
        { ...fields, updated_at: expect.stringMatching(/Z$/) },
      ])
    }
  })

  it('replaces a record with a composite key', async () => {
    await call('POST', at('', 'pairs'), { a: kind, b: 1, note: 'x' })
    expect((await call('PUT', at(`${kind},1/`, 'pairs'), {})).body.data).toEqual({
      a: kind,
      b: 1,
      note: null,
    })
  })
})

describe('a member of PUT with the name of a relationship', () => {
  it('is ignored if it looks like the result of populate, and returns 400 otherwise', async () => {
    await call('POST', shop.data('tools'), { id: 700, name: 'x' })
    const put = async (maker: unknown) =>
      (await call('PUT', `${shop.data('tools')}700/`, { name: 'x', maker })).status
    expect([await put(null), await put({ id: 1 }), await put(1), await put('x')]).toEqual([
      200, 200, 400, 400,
    ])
  })
})

describe('PUT of a record', () => {
  it('returns 409 for a value that another record has, and changes nothing', async () => {
    const marksAt = shop.data('marks')
    await call('POST', marksAt, [
      { id: 1, mark: 'a' },
      { id: 2, mark: 'b' },
    ])
    const refused = await call('PUT', `${marksAt}2/`, { mark: 'a' })
    expect(refused).toMatchObject({ status: 409, body: { field: 'mark' } })
    expect((await call('GET', `${marksAt}2/`)).body.data.mark).toBe('b')
  })

  it('returns 422 for a table that is not materialized', async () => {
    await call('POST', `${shop.api}/apps/shop/datatables/create_schema/`, {
      resources: [{ ...makers, name: 'planned' }],
    })
    expect(await call('PUT', `${shop.data('planned')}1/`, { name: 'x' })).toMatchObject({
      status: 422,
      body: { error: 'Datatable is not materialized', code: 'not_materialized' },
    })
  })
})
