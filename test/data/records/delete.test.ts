/** Spec: Records, DELETE; delete rules for foreign keys; D5, R9, R10. */
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '../../support/app.ts'
import { addTables, createShop, type Shop } from '../../support/fixtures.ts'

let app: TestApp
let shop: Shop
let token: string

const remove = (table: string, path: string) => app.request('DELETE', `${shop.data(table)}${path}`, { token })
const create = async (table: string, body: unknown) =>
  expect((await app.request('POST', shop.data(table), { token, body })).status).toBe(201)
const rows = (columns: string, table: string) =>
  app.sql(`select ${columns} from ${shop.schema}.shop_${table} order by 1`)
const ids = async (table: string) => (await rows('id::text', table)).map(({ id }) => id)
const roundTrips = (answer: { headers: Headers }) =>
  /desc="(\d+)"/.exec(answer.headers.get('server-timing') ?? '')?.[1]
const filter = (value: unknown) => `?filter=${encodeURIComponent(JSON.stringify(value))}`
const unchanged = async (table: string, work: () => Promise<unknown>) => {
  const before = await rows('*, xmin', table)
  await work()
  expect(await rows('*, xmin', table)).toEqual(before)
}
const refusal = (details: Record<string, string[]>) => ({
  status: 400,
  body: { error: 'Validation failed', details, code: 'validation_failed' },
})

const key = { name: 'id', type: 'integer' }
const referring = (name: string, onDelete: string | undefined, field: object = {}, more: object = {}) => ({
  name,
  schema: {
    fields: [key, { name: 'parent_id', type: 'integer', ...field }],
    primaryKey: 'id',
    foreignKeys: [
      {
        fields: 'parent_id',
        reference: { resource: 'parents', fields: 'id' },
        ...(onDelete ? { 'x-actions': { onDelete } } : {}),
      },
    ],
    ...more,
  },
})

beforeAll(async () => {
  app = await startApp()
  shop = await createShop(app, 'deleting')
  token = shop.owner.token
  await addTables(app, shop, [
    { name: 'parents', schema: { fields: [key, { name: 'kind', type: 'string' }], primaryKey: 'id' } },
    referring('restricts', 'RESTRICT'),
    referring('says_nothing', undefined),
    referring('takes_no_action', 'NO ACTION'),
    referring('cascades', 'CASCADE'),
    referring('nulls', 'SET NULL'),
    referring('defaults', 'SET DEFAULT', { default: 1 }),
    referring('only_one', 'SET DEFAULT', { default: 1, constraints: { unique: true } }),
    {
      name: 'deeper',
      schema: {
        fields: [key, { name: 'cascade_id', type: 'integer' }],
        primaryKey: 'id',
        foreignKeys: [{ fields: 'cascade_id', reference: { resource: 'cascades', fields: 'id' } }],
      },
    },
    {
      name: 'pairs',
      schema: {
        fields: [
          { name: 'a', type: 'string' },
          { name: 'b', type: 'integer' },
        ],
        primaryKey: ['a', 'b'],
      },
    },
    {
      name: 'kept',
      schema: {
        fields: [
          { name: 'id', type: 'string' },
          { name: 'at', type: 'datetime' },
          { name: 'is_deleted', type: 'boolean' },
          { name: 'updated_at', type: 'datetime' },
        ],
        primaryKey: 'id',
      },
    },
  ])
})

const tables =
  'deeper restricts says_nothing takes_no_action cascades nulls defaults only_one parents pairs kept products makers'.split(
    ' ',
  )

beforeEach(async () => {
  await app.sql(
    `do $$ begin ${tables.map((table) => `delete from ${shop.schema}.shop_${table};`).join(' ')} end $$`,
  )
  await create(
    'makers',
    [1, 2, 3].map((id) => ({ id, name: `M${id}` })),
  )
  await create('products', [
    { id: 1, sku: 'A-1', price: 1, maker_id: 1 },
    { id: 2, sku: 'A-2', price: 2 },
    { id: 3, sku: 'A-3', price: 3, is_deleted: true },
    { id: 4, sku: 'A-4', price: 4 },
  ])
  await create(
    'parents',
    [1, 2, 3, 4, 5].map((id) => ({ id, kind: id % 2 ? 'odd' : 'even' })),
  )
})

describe('DELETE of one record', () => {
  it.each(['99', 'abc', '1,2', '%00'])('returns 404 for the id %s', (id) =>
    unchanged('parents', async () => {
      const answer = await remove('parents', `${id}/`)
      expect([answer.status, answer.body]).toEqual([
        404,
        {
          error: 'Record not found',
          detail: `"parents" has no record with the id ${JSON.stringify(decodeURIComponent(id))}.`,
          code: 'record_not_found',
        },
      ])
    }),
  )

  it('returns 400 for a hard_delete that is neither true nor false', () =>
    unchanged('products', async () => {
      expect(await remove('products', '1/?hard_delete=2')).toMatchObject(
        refusal({ hard_delete: ['Must be true or false.'] }),
      )
    }))

  it.each([
    ['restricts', 'RESTRICT'],
    ['says_nothing', 'no rule'],
    ['takes_no_action', 'NO ACTION'],
  ])('returns 403 and names the table that references the record: %s, by %s', async (table) => {
    await create(table, { id: 1, parent_id: 2 })
    await unchanged('parents', async () => {
      const answer = await remove('parents', '2/')
      expect([answer.status, answer.body]).toEqual([
        403,
        {
          error: 'Cannot delete record',
          detail: `Records of "${table}" reference the record whose id is 2.`,
          code: 'still_referenced',
        },
      ])
    })
    await app.sql(`delete from ${shop.schema}.shop_${table}`)
    expect((await remove('parents', '2/')).status).toBe(204)
  })

  it('deletes related records with CASCADE, unless another foreign key prevents it', async () => {
    await create('cascades', [{ id: 1, parent_id: 1 }, { id: 2, parent_id: 2 }]) // biome-ignore format: rows
    await create('deeper', { id: 1, cascade_id: 2 })
    expect((await remove('parents', '1/')).status).toBe(204)
    expect([await ids('parents'), await ids('cascades')]).toEqual([['2', '3', '4', '5'], ['2']])
    expect(await remove('parents', '2/')).toMatchObject({
      status: 403,
      body: {
        error: 'Cannot delete record',
        detail: 'Records of "deeper" reference the record whose id is 2.',
        code: 'still_referenced',
      },
    })
    expect([await ids('parents'), await ids('cascades')]).toEqual([['2', '3', '4', '5'], ['2']])
  })

  it('clears or resets the reference of related records with SET NULL and SET DEFAULT', async () => {
    await create('nulls', { id: 1, parent_id: 2 })
    await create('defaults', { id: 1, parent_id: 2 })
    expect((await remove('parents', '2/')).status).toBe(204)
    expect(await rows('*', 'nulls')).toEqual([{ id: '1', parent_id: null }])
    expect(await rows('*', 'defaults')).toEqual([{ id: '1', parent_id: '1' }])
  })

  it('returns 403 if the default value would violate a rule of the related table', async () => {
    await create('only_one', [{ id: 1, parent_id: 1 }, { id: 2, parent_id: 2 }]) // biome-ignore format: rows
    expect(await remove('parents', '2/')).toMatchObject({
      status: 403,
      body: {
        error: 'Cannot delete record',
        detail: 'The deletion would change records of "only_one" so that they violate a rule.',
        code: 'still_referenced',
      },
    })
    await app.sql(`delete from ${shop.schema}.shop_only_one`)
    await create('defaults', { id: 1, parent_id: 1 })
    expect(await remove('parents', '1/')).toMatchObject({
      status: 403,
      body: { error: 'Cannot delete record', code: 'still_referenced' },
    })
  })

  it('returns 204 without a body, in one round trip', async () => {
    const answer = await remove('parents', '2/')
    expect([answer.status, answer.body, roundTrips(answer)]).toEqual([204, '', '1'])
    expect(await ids('parents')).toEqual(['1', '3', '4', '5'])
    expect((await remove('parents', '2/')).status).toBe(404)
    await create('pairs', [{ a: 'x', b: 1 }, { a: 'x', b: 2 }]) // biome-ignore format: rows
    expect((await remove('pairs', 'x,2/')).status).toBe(204)
    expect(await rows('a, b', 'pairs')).toEqual([{ a: 'x', b: '1' }])
  })

  it('marks a record of a table with is_deleted, applies no foreign-key rule, and changes updated_at', async () => {
    await create('kept', { id: 'k', updated_at: '2020-01-01T00:00:00Z' })
    expect((await remove('kept', 'k/')).status).toBe(204)
    const [row] = await rows(`is_deleted, updated_at > '2021-01-01' as touched`, 'kept')
    expect(row).toEqual({ is_deleted: true, touched: true })
    await app.sql(`update ${shop.schema}.shop_makers set name = name`)
    expect((await remove('products', '1/')).status).toBe(204)
    expect(await rows('id::text, is_deleted', 'products')).toContainEqual({ id: '1', is_deleted: true })
    expect((await app.request('GET', `${shop.data('products')}1/`, { token })).status).toBe(404)
  })

  it('returns 404 for a soft-deleted record; hard_delete=true deletes any record for good', async () => {
    expect((await remove('products', '3/')).status).toBe(404)
    expect(await remove('products', '3/?include_deleted=true')).toMatchObject({
      status: 400,
      body: {
        error: 'Validation failed',
        details: { include_deleted: ['Unknown parameter. Known parameters: hard_delete, return, dry_run.'] },
        code: 'validation_failed',
      },
    })
    expect((await remove('products', '3/?hard_delete=false')).status).toBe(404)
    expect((await remove('products', '3/?hard_delete=true')).status).toBe(204)
    expect((await remove('products', '2/?hard_delete=true')).status).toBe(204)
    expect(await ids('products')).toEqual(['1', '4'])
  })
})

describe('DELETE of many records', () => {
  it.each<[string, Record<string, string[]>]>([
    ['', { ids: ['Send the ids of the records to delete, or a filter, or all=true.'] }],
    ['?ids=', { ids: ['"" is not a valid id of "parents".'] }],
    ['?ids=1,,2', { ids: ['"" is not a valid id of "parents".'] }],
    [
      '?ids=1,two,3.5',
      { ids: ['"two" is not a valid id of "parents".', '"3.5" is not a valid id of "parents".'] },
    ],
    [
      '?ids=1&kind=odd',
      {
        kind: [
          'Unknown parameter. Known parameters: ids, filter, all, expect, limit, ordering, hard_delete, return, dry_run.',
        ],
      },
    ],
    ['?ids=1&filter={"id":1}', { filter: ['Send ids or a filter, not both.'] }],
    ['?filter=', { filter: ['This is not valid JSON.'] }],
    [
      '?filter=[1]',
      { filter: ['A filter must be an object, for example {"status": "open", "price__gt": 10}.'] },
    ],
    ['?filter={"id":1}&filter={"id":2}', { filter: ['This parameter may be given only once.'] }],
    ['?filter={"id":1,"id":2}', { filter: ['The name "id" is repeated in one object.'] }],
    ['?filter={"kind":[]}', { filter: ['[] is not a value of "kind", which is of type string.'] }],
    [
      '?filter={"nope":1}',
      { filter: [expect.stringContaining('Unknown field or parameter "nope".') as never] },
    ],
    ['?filter={"id":"x"}', { filter: ['"x" is not a value of "id", which is of type integer.'] }],
    ['?filter={"kind":"odd"}&hard_delete=x', { hard_delete: ['Must be true or false.'] }],
    ...[
      '{}',
      '{"and":[]}',
      '{"or":[]}',
      '{"or":[{"id":1},{}]}',
      '{"not":{}}',
      '{"and":[{"id":1},{"not":{"or":[]}}]}',
      '{"id__nin":[]}',
      '{"not":{"id__in":[]}}',
    ].map((text): [string, Record<string, string[]>] => [
      `?filter=${text}`,
      { filter: ['A part of the filter has no condition, so it would match every record.'] },
    ]),
  ])('returns 400 for %s, and deletes nothing', (query, details) =>
    unchanged('parents', async () => {
      const answer = await remove('parents', query)
      expect([answer.status, answer.body]).toEqual([
        400,
        { error: 'Validation failed', details, code: 'validation_failed' },
      ])
    }),
  )

  it('returns 403 and deletes nothing if one of the records is referenced', async () => {
    await create('restricts', { id: 1, parent_id: 3 })
    await unchanged('parents', async () => {
      expect(await remove('parents', '?ids=2,3')).toMatchObject({
        status: 403,
        body: {
          error: 'Cannot delete record',
          detail: 'Records of "restricts" reference the record whose id is 3.',
          code: 'still_referenced',
        },
      })
      expect((await remove('parents', filter({ kind: 'odd' }))).status).toBe(403)
    })
  })

  it('returns 413 if the filter matches, or the ids name, more than 10,000 records', async () => {
    await app.sql(
      `insert into ${shop.schema}.shop_pairs (a, b) select 'many', n from generate_series(0, 10000) n`,
    )
    expect(await remove('pairs', `${filter({ a: 'many' })}&all=true`)).toMatchObject({
      status: 413,
      body: {
        detail: 'A request may change or delete at most 10000 records, but the filter matches more.',
        code: 'too_many_items',
      },
    })
    expect((await remove('parents', `?ids=${Array(10_001).fill(1).join()}`)).status).toBe(413)
    expect(await rows('count(*)', 'pairs')).toEqual([{ count: '10001' }])
    expect((await remove('pairs', `${filter({ a: 'many', b__gt: 0 })}&all=true`)).body).toEqual({
      deleted: 10_000,
    })
  })

  it('with ids returns the number and the ids of the deleted records, in the order of the request, without missing ones', async () => {
    const answer = await remove('parents', '?ids=4,99,2,4')
    expect([answer.status, answer.body]).toEqual([200, { deleted: 2, ids: [4, 2] }])
    expect(roundTrips(answer)).toBe('1')
    expect(await ids('parents')).toEqual(['1', '3', '5'])
    expect((await remove('parents', '?ids=1&ids=3')).body).toEqual({ deleted: 2, ids: [1, 3] })
    expect((await remove('parents', '?ids=1')).body).toEqual({ deleted: 0, ids: [] })
  })

  it('accepts ids with several fields, and ids of type string', async () => {
    await create('pairs', [{ a: 'x', b: 1 }, { a: 'x', b: 2 }, { a: 'y', b: 1 }]) // biome-ignore format: rows
    expect((await remove('pairs', '?ids=y,1,x,2')).body).toEqual({
      deleted: 2,
      ids: [
        ['y', 1],
        ['x', 2],
      ],
    })
    expect((await remove('pairs', '?ids=x,1,y')).body.details).toEqual({
      ids: ['"y" is not a valid id of "pairs".'],
    })
    await create('kept', [{ id: 'a b' }, { id: 'ü"' }]) // biome-ignore format: rows
    expect((await remove('kept', `?ids=${encodeURIComponent('ü"')},a%20b`)).body).toEqual({
      deleted: 2,
      ids: ['ü"', 'a b'],
    })
  })

  it('accepts a filter in the syntax of lists, and returns the number of deleted records', async () => {
    const answer = await remove(
      'parents',
      filter({ or: [{ id__in: [1, 2] }, { and: [{ kind: 'odd' }, { not: { id: 3 } }] }] }),
    )
    expect([answer.status, answer.body]).toEqual([200, { deleted: 3 }])
    expect(roundTrips(answer)).toBe('1')
    expect(await ids('parents')).toEqual(['3', '4'])
    expect((await remove('parents', filter({ id: 99 }))).body).toEqual({ deleted: 0 })
  })

  it('accepts a filter by related records', async () => {
    await create('cascades', [{ id: 1, parent_id: 2 }, { id: 2, parent_id: 4 }, { id: 3, parent_id: 4 }]) // biome-ignore format: rows
    expect((await remove('cascades', filter({ 'parent.kind': 'odd' }))).body).toEqual({ deleted: 0 })
    expect((await remove('parents', filter({ 'cascades.id__gte': 2, 'cascades.id__lt': 3 }))).body).toEqual({
      deleted: 1,
    })
    expect([await ids('parents'), await ids('cascades')]).toEqual([['1', '2', '3', '5'], ['1']])
  })

  it('soft-deletes records of a table with is_deleted; only hard_delete=true includes those already soft-deleted', async () => {
    expect((await remove('products', '?ids=1,3,4')).body).toEqual({ deleted: 2, ids: [1, 4] })
    expect((await remove('products', filter({ price__gte: 1 }))).body).toEqual({ deleted: 1 })
    expect(await rows('id::text, is_deleted', 'products')).toEqual(
      ['1', '2', '3', '4'].map((id) => ({ id, is_deleted: true })),
    )
    expect((await remove('products', `${filter({ price__lt: 3 })}&hard_delete=true`)).body).toEqual({
      deleted: 2,
    })
    expect((await remove('products', '?ids=3,4&hard_delete=true')).body).toEqual({ deleted: 2, ids: [3, 4] })
    expect(await ids('products')).toEqual([])
  })
})
