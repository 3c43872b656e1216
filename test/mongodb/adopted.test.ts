/** Tables of collections that were there before: nothing in them is changed but by writes of records. */
import { beforeAll, describe, expect, it } from 'vitest'
import { startApp } from '../support/app.ts'
import { createDesk, type Desk, run } from './desk.ts'

let desk: Desk
const site = 'desk-adopted'
const tables = '/apps/shop/datasources/docs/datatables/'

const oid = (n: number) => `65a0000000000000000000${String(n).padStart(2, '0')}`
const documents = [
  {
    _id: { $oid: oid(1) },
    name: 'Ada',
    age: 36,
    price: 0.1,
    paid: { $numberDecimal: '12.50' },
    since: { $date: '2026-01-31T18:30:00.250Z' },
    tags: ['a', 1.5],
    'first-name': 'x',
    address: { city: 'Paris' },
  },
  { _id: { $oid: oid(2) }, name: 'Bob', age: { $numberLong: '41' }, price: 3, since: null, status: 'new' },
  { _id: { $oid: oid(3) }, name: 'Cy', age: 'unknown', price: 2.5, active: true },
]

const data = (more = '') => `${desk.data('people')}${more}`
const find = async (filter: object = {}) =>
  (await run(site, { find: 'people', filter, sort: { _id: 1 } })).cursor.firstBatch
const validators = async () =>
  (await run(site, { listCollections: 1, filter: { name: 'people' } })).cursor.firstBatch

beforeAll(async () => {
  desk = await createDesk(await startApp(), site)
  await run(site, { insert: 'people', documents })
})

describe('the collections of a datasource', () => {
  it('are none in Postgres, and 404 of an unknown datasource', async () => {
    await desk.ask('POST', '/apps/shop/datasources/', {
      name: 'F',
      slug: 'flat',
      provider_type: 'flat_table',
    })
    const { status, body } = await desk.ask('GET', '/apps/shop/datasources/flat/collections/')
    expect([status, body]).toEqual([200, []])
    const made = { name: 'x', collection: 'people' }
    expect((await desk.ask('POST', '/apps/shop/datasources/flat/datatables/', made)).body.detail).toBe(
      'This datasource is in Postgres, and has no collections.',
    )
    expect((await desk.ask('GET', '/apps/shop/datasources/none/collections/')).status).toBe(404)
  })

  it('are listed with their sizes and their tables, without those of the service', async () => {
    await desk.table('own', { fields: [{ name: 'id', type: 'integer' }], primaryKey: 'id' })
    const path = '/apps/shop/datasources/docs/collections/'
    const { status, body, headers } = await desk.ask('GET', path)
    expect([status, headers.get('x-total-count'), body]).toEqual([
      200,
      '2',
      [
        {
          ...{ name: 'people', kind: 'collection', documents: 3, bytes: expect.any(Number) },
          ...{ is_ours: false, datatable: null },
        },
        {
          ...{ name: 'shop_own', kind: 'collection', documents: 0, bytes: 0 },
          ...{ is_ours: true, datatable: 'own' },
        },
      ],
    ])
    for (const query of ['?page=2&page_size=1', '?offset=1&limit=1']) {
      const part = await desk.ask('GET', `${path}${query}`)
      expect([part.body, part.headers.get('x-total-count')]).toEqual([[body[1]], '2'])
    }
    expect((await desk.ask('GET', `${path}?page=3&page_size=1`)).body).toEqual([])
  })
})

describe('a table of a collection', () => {
  it('returns 400 with a schema, too, and 422 for what cannot be one', async () => {
    const post = (body: object, query = '') => desk.ask('POST', `${tables}${query}`, { name: 'x', ...body })
    expect((await post({ collection: 'people', json_schema: {} })).body).toEqual({
      collection: ['Send either a collection or a json_schema.'],
    })
    expect((await post({ collection: 'nothing' })).body.detail).toBe(
      'The database has no collection "nothing" that a table can be made of.',
    )
    const schema = (more: object, fields: object[] = []) => ({
      json_schema: {
        fields: [{ name: 'id', type: 'string', 'x-bson': 'objectId' }, ...fields],
        primaryKey: 'id',
        'x-collection': 'people',
        ...more,
      },
    })
    const wrong = await post(
      schema({ 'x-collection': 'a$b' }, [{ name: 'n', type: 'integer', 'x-bson': 'double' }]),
    )
    expect(wrong.body.json_schema).toEqual([
      'x-collection: Must be the name of a collection: up to 200 characters, without $ and ' +
        'empty parts between dots.',
      'n: x-bson must be one of objectId (string), double (number), int (integer), for a field of that type.',
    ])
    const details = {
      'The database has no collection "tessera_notes" that a table can be made of.': {
        'x-collection': 'tessera_notes',
      },
      'The database has no collection "none" that a table can be made of.': { 'x-collection': 'none' },
      'The collection "shop_own" belongs to another table.': { 'x-collection': 'shop_own' },
      ['A collection that was there before is not changed. Create its indexes yourself: ' +
        'db.getCollection("people").createIndex({"id_number":1}, {"unique": true})']: {
        uniqueKeys: [['id_number']],
      },
    }
    for (const [detail, more] of Object.entries(details)) {
      const answer = await post(schema(more, [{ name: 'id_number', type: 'string' }]), '?materialize=true')
      expect([answer.status, answer.body.detail]).toEqual([422, detail])
    }
    const toOwn = { fields: ['own'], reference: { resource: 'own', fields: ['id'] } }
    const keys = await post(schema({ foreignKeys: [toOwn] }, [{ name: 'own', type: 'integer' }]))
    expect([keys.status, keys.body.json_schema]).toEqual([
      400,
      [expect.stringContaining('has no foreign keys')],
    ])
  })

  it('gets a proposed schema, and is told what does not fit it', async () => {
    const { status, body } = await desk.ask('POST', `${tables}?materialize=true`, {
      name: 'people',
      collection: 'people',
    })
    expect([status, body.findings ?? body]).toEqual([
      201,
      [
        `"age": 1 of 3 documents have a value of the type string, for example that with the key "${oid(3)}".`,
        '"first-name": This cannot be the name of a field, so it is not shown.',
      ],
    ])
    expect(body.json_schema).toEqual({
      fields: [
        { name: 'id', type: 'string', 'x-bson': 'objectId' },
        { name: 'name', type: 'string', constraints: { required: true } },
        { name: 'age', type: 'integer' },
        { name: 'price', type: 'number', 'x-bson': 'double', constraints: { required: true } },
        { name: 'paid', type: 'number' },
        { name: 'since', type: 'datetime' },
        { name: 'tags', type: 'array' },
        { name: 'address', type: 'object' },
        { name: 'status', type: 'string' },
        { name: 'active', type: 'boolean' },
      ],
      primaryKey: ['id'],
      'x-collection': 'people',
    })
    expect(await validators()).toMatchObject([{ name: 'people', options: {} }])
  })

  it('shows documents as they are, with what is wrong in them', async () => {
    const { body } = await desk.ask('GET', data('?ordering=id'))
    const none = { paid: null, since: null, tags: null, address: null, status: null, active: null }
    expect(body.data).toEqual([
      {
        ...none,
        ...{ id: oid(1), name: 'Ada', age: 36, price: 0.1, paid: 12.5, since: '2026-01-31T18:30:00.25Z' },
        ...{ tags: ['a', 1.5], address: { city: 'Paris' } },
      },
      { ...none, id: oid(2), name: 'Bob', age: 41, price: 3, status: 'new' },
      {
        ...none,
        ...{ id: oid(3), name: 'Cy', age: 'unknown', price: 2.5, active: true },
        _misfits: { age: 'The document has a value of the type text.' },
      },
    ])
    expect(body.total).toBe(3)
  })

  it.each<[string, number[]]>([
    ['?price=0.1', [1]],
    ['?price__gt=0.1&ordering=-price', [2, 3]],
    ['?price=0.10000000000000000001', []],
    ['?price__gte=0.10000000000000000001', [2, 3]],
    [`?id=${oid(2)}`, [2]],
    ['?id=nothing', []],
    ['?age=41', [2]],
    ['?paid=12.5', [1]],
    ['?since__null=true', [2, 3]],
    ['?address.city=Paris', [1]],
    ['?ordering=-status', [2, 1, 3]],
  ])('is filtered and sorted: %s', async (query, found) => {
    const { body } = await desk.ask('GET', data(query))
    expect(body.data.map(({ id }: { id: string }) => id)).toEqual(found.map(oid))
  })

  it('is aggregated', async () => {
    const { body } = await desk.ask('GET', data('?_aggregate=sum(price) as s,count(*),max(since)'))
    expect(body.aggregates).toEqual({ s: 5.6, count: 3, max_since: '2026-01-31T18:30:00.25Z' })
  })
})

describe('a record of a collection that was there before', () => {
  it('is changed only in the fields that are sent', async () => {
    const changed = await desk.ask('PATCH', data(`${oid(1)}/`), { age: 37, price: 0.3 })
    expect([changed.status, changed.body.data]).toMatchObject([200, { age: 37, price: 0.3 }])
    expect(await find({ _id: { $oid: oid(1) } })).toEqual([
      { ...documents[0], age: 37, price: 0.3, paid: { $numberDecimal: '12.50' } },
    ])
  })

  it('returns 400 for a value that it cannot keep exactly', async () => {
    const answer = await desk.ask('PATCH', data(`${oid(1)}/`), '{"price": 0.10000000000000000001}', {
      'content-type': 'application/json',
    })
    expect(answer.body.details).toEqual({
      price: ['This collection keeps numbers as doubles, which cannot hold this one exactly.'],
    })
    const made = await desk.ask('POST', data(), { id: 'short', name: 'X', price: 1 })
    expect(made.body.details).toEqual({ id: ['Must be an ObjectId: 24 hexadecimal digits in lower case.'] })
  })

  it('has an ETag of all that is in its document, which others change, too', async () => {
    const etag = async () => (await desk.ask('GET', data(`${oid(2)}/`))).headers.get('etag') ?? ''
    const patch = (age: number, tag: string) =>
      desk.ask('PATCH', data(`${oid(2)}/`), { age }, { 'if-match': tag })
    const first = await etag()
    const changed = await patch(42, first)
    expect([changed.status, changed.headers.get('etag')]).toEqual([200, await etag()])
    expect((await patch(43, first)).status).toBe(412)
    const second = await etag()
    const u = { $set: { elsewhere: 1 } }
    await run(site, { update: 'people', updates: [{ q: { _id: { $oid: oid(2) } }, u }] })
    expect((await patch(43, second)).status).toBe(412)
    const remove = (tag: string) => desk.ask('DELETE', data(`${oid(2)}/`), undefined, { 'if-match': tag })
    expect([(await remove(second)).status, (await remove(await etag())).status]).toEqual([412, 204])
  })

  it('is created with an ObjectId, and without members that it does not have', async () => {
    const made = await desk.ask('POST', data(), { name: 'Di', price: 1 })
    expect([made.status, made.body.data.id]).toEqual([201, expect.stringMatching(/^[0-9a-f]{24}$/)])
    expect(await find({ name: 'Di' })).toEqual([{ _id: { $oid: made.body.data.id }, name: 'Di', price: 1 }])
    const upserted = await desk.ask('POST', data('upsert/?unique_fields=id'), [
      { id: made.body.data.id, age: 5 },
      { id: oid(9), name: 'Ed', price: 2 },
    ])
    expect(upserted.body).toMatchObject({ created_count: 1, updated_count: 1 })
    expect((await desk.ask('DELETE', data('?filter={"price__lte":2}&expect=3'))).body.deleted).toBe(3)
  })

  it('has the ETag of what was created, and 409 for a value of a unique index of others', async () => {
    const index = { name: 'theirs', key: { name: 1 }, unique: true }
    await run(site, { createIndexes: 'people', indexes: [index] })
    const made = await desk.ask('POST', data(), {
      name: 'Fay',
      price: 3,
      address: { n: 1.5, z: 1, a: [2], _bsontype: 'Long' },
    })
    const read = await desk.ask('GET', data(`${made.body.data.id}/`))
    expect([made.status, made.headers.get('etag')]).toEqual([201, read.headers.get('etag')])
    const tag = { 'if-match': read.headers.get('etag') ?? '' }
    expect((await desk.ask('PATCH', data(`${made.body.data.id}/`), { age: 1 }, tag)).status).toBe(200)
    const taken = await desk.ask('POST', data(), [
      { name: 'Gil', price: 1 },
      { name: 'Fay', price: 1 },
    ])
    expect([taken.status, taken.body.field]).toEqual([409, 'name'])
    await run(site, { dropIndexes: 'people', index: 'theirs' })
    expect((await desk.ask('DELETE', data(`${made.body.data.id}/`))).status).toBe(204)
  })

  it('is not lost by 20 writers of which half write past the service', async () => {
    const id = { $oid: oid(3) }
    await run(site, { update: 'people', updates: [{ q: { _id: id }, u: { $set: { age: 0, n: 0 } } }] })
    const answers = await Promise.all(
      Array.from({ length: 20 }, async (_, writer) => {
        if (writer % 2 === 0) {
          await run(site, { update: 'people', updates: [{ q: { _id: id }, u: { $inc: { n: 1 } } }] })
          return 200
        }
        return (await desk.ask('PATCH', data(`${oid(3)}/`), { age: { $add: 1 } })).status
      }),
    )
    const [{ age, n } = {}] = await find({ _id: id })
    expect([Number(age), n]).toEqual([
      answers.filter((one, writer) => writer % 2 === 1 && one === 200).length,
      10,
    ])
    expect(answers.filter((status) => ![200, 409].includes(status))).toEqual([])
  })
})

describe('a deleted table', () => {
  it('only forgets its collection', async () => {
    const before = await find()
    expect((await desk.ask('DELETE', `${tables}people/`)).status).toBe(204)
    expect(await find()).toEqual(before)
    expect((await desk.ask('POST', `${tables}people/restore/`)).status).toBe(200)
    expect((await desk.ask('GET', data())).body.total).toBe(before.length)
    expect((await desk.ask('DELETE', `${tables}people/?purge=true`)).status).toBe(204)
    expect(await find()).toEqual(before)
    const indexes = (await run(site, { listIndexes: 'people' })).cursor.firstBatch
    expect(indexes.map(({ name }) => name)).toEqual(['_id_'])
  })
})
