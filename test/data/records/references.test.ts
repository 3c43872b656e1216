/** Writes cannot reference a soft-deleted record. Spec: Validation rules for writes; R10. */
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '../../support/app.ts'
import { createShop, ownerOf, type Shop } from '../../support/fixtures.ts'

let app: TestApp
let shop: Shop
let token: string

const call = (method: string, path: string, body?: unknown) =>
  app.request(method, path, { token, ...(body === undefined ? {} : { body }) })
const rows = (table: string) => app.sql(`select *, xmin from ${shop.schema}.shop_${table} order by id`)
const unchanged = async (table: string, work: () => Promise<unknown>) => {
  const before = await rows(table)
  await work()
  expect(await rows(table)).toEqual(before)
}
const roundTrips = (answer: { headers: Headers }) =>
  /desc="(\d+)"/.exec(answer.headers.get('server-timing') ?? '')?.[1]
const violation = (field: string, resource: string, where = '') => ({
  error: 'Foreign key violation',
  detail: `${where}This ${field.replace(',', ', ')} references no record of "${resource}".`,
  field,
  code: 'reference_missing',
})

const key = { name: 'id', type: 'integer' }
const number = (name: string, more: object = {}) => ({ name, type: 'integer', ...more })
const gone = { name: 'is_deleted', type: 'boolean' }
const to = (fields: string | string[], resource: string, far: string | string[] = 'id') => ({
  fields,
  reference: { resource, fields: far },
})

beforeAll(async () => {
  app = await startApp()
  shop = await createShop(app, 'soft', {
    resources: [
      {
        name: 'owners',
        schema: {
          fields: [key, number('country'), number('code'), gone],
          primaryKey: 'id',
          indexes: [{ name: 'place', fields: ['country', 'code'], unique: true }],
        },
      },
      { name: 'places', schema: { fields: [key], primaryKey: 'id' } },
      {
        name: 'items',
        schema: {
          fields: [
            key,
            { name: 'sku', type: 'string', constraints: { unique: true } },
            number('owner_id'),
            number('country'),
            number('code'),
            number('next_id'),
            number('place_id'),
            gone,
          ],
          primaryKey: 'id',
          foreignKeys: [
            to('owner_id', 'owners'),
            to(['country', 'code'], 'owners', ['country', 'code']),
            to('next_id', ''),
            to('place_id', 'places'),
          ],
        },
      },
      {
        name: 'parts',
        schema: {
          fields: [key, number('owner_id', { default: 2 })],
          primaryKey: 'id',
          foreignKeys: [to('owner_id', 'owners')],
        },
      },
      // The primary key of this table is also its foreign key.
      {
        name: 'ones',
        schema: { fields: [key, number('n')], primaryKey: 'id', foreignKeys: [to('id', 'owners')] },
      },
    ],
  })
  token = shop.owner.token
})

beforeEach(async () => {
  await app.sql(
    `do $$ begin ${['ones', 'parts', 'items', 'places', 'owners'].map((name) => `delete from ${shop.schema}.shop_${name};`).join(' ')} end $$`,
  )
  await call('POST', shop.data('owners'), [
    { id: 1, country: 1, code: 1 },
    { id: 2, country: 2, code: 2, is_deleted: true },
    { id: 3, country: 3, code: 3, is_deleted: false },
  ])
  await call('POST', shop.data('places'), [{ id: 1 }])
  await call('POST', shop.data('items'), [
    { id: 1, sku: 'a', owner_id: 1, place_id: 1 },
    { id: 2, sku: 'b', is_deleted: true },
    { id: 3, sku: 'c', owner_id: 3 },
  ])
  // Their owner is deleted after they are created.
  await call('POST', shop.data('items'), { id: 4, sku: 'd', owner_id: 3, country: 3, code: 3 })
  await mark('3')
})

/** Marks an owner as deleted, which RESTRICT does not prevent. */
const mark = (id: string) =>
  call('PATCH', `${shop.data('owners')}${id}/?include_deleted=true`, { is_deleted: true })

describe('a new reference to a soft-deleted record', () => {
  it('returns the foreign-key 400 if a record is created, and names the row', () =>
    unchanged('items', async () => {
      const one = await call('POST', shop.data('items'), { sku: 'x', owner_id: 2 })
      expect([one.status, one.body, roundTrips(one)]).toEqual([400, violation('owner_id', 'owners'), '1'])
      const many = await call('POST', shop.data('items'), [{ owner_id: 1 }, { sku: 'y' }, { owner_id: 2 }])
      expect([many.status, many.body]).toEqual([400, violation('owner_id', 'owners', 'rows[2]: ')])
      expect((await call('POST', shop.data('items'), { next_id: 2 })).body).toEqual(
        violation('next_id', 'items'),
      )
      expect((await call('POST', shop.data('items'), { country: 2, code: 2 })).body).toEqual(
        violation('country,code', 'owners'),
      )
    }))

  it('returns 400 if the default of its field sets it', async () => {
    expect((await call('POST', shop.data('parts'), {})).body).toEqual(violation('owner_id', 'owners'))
    expect((await call('POST', shop.data('parts'), [{ owner_id: null }, {}])).body).toEqual(
      violation('owner_id', 'owners', 'rows[1]: '),
    )
    expect((await call('POST', shop.data('ones'), { id: 2 })).body).toEqual(violation('id', 'owners'))
    expect((await call('POST', shop.data('parts'), [{ owner_id: null }, { owner_id: 1 }])).status).toBe(201)
  })

  it('returns 400 if a record is changed', () =>
    unchanged('items', async () => {
      const one = await call('PATCH', `${shop.data('items')}1/`, { owner_id: 2 })
      expect([one.status, one.body, roundTrips(one)]).toEqual([400, violation('owner_id', 'owners'), '1'])
      const loose = await call('PATCH', `${shop.data('items')}1/?include_deleted=true`, { owner_id: 2 })
      expect([loose.status, loose.body]).toEqual([400, violation('owner_id', 'owners')])
      const many = await call('PATCH', shop.data('items'), [
        { id: 1, sku: 'z' },
        { id: 3, owner_id: 2 },
      ])
      expect([many.status, many.body]).toEqual([400, violation('owner_id', 'owners', 'rows[1]: ')])
      expect((await call('PATCH', `${shop.data('items')}4/`, { country: 2, code: 2 })).body).toEqual(
        violation('country,code', 'owners'),
      )
    }))

  it('returns 400 in an upsert, for a new and for an existing record', () =>
    unchanged('items', async () => {
      const upsert = (body: unknown) => call('POST', `${shop.data('items')}upsert/?unique_fields=sku`, body)
      const answer = await upsert([{ sku: 'a', owner_id: 1 }, { sku: 'new', owner_id: 2 }]) // biome-ignore format: one line
      expect([answer.status, answer.body, roundTrips(answer)]).toEqual([
        400,
        violation('owner_id', 'owners', 'rows[1]: '),
        '1',
      ])
      expect((await upsert([{ sku: 'new' }, { sku: 'a', owner_id: 2 }])).body).toEqual(
        violation('owner_id', 'owners', 'rows[1]: '),
      )
      expect((await upsert({ sku: 'a', next_id: 2 })).body).toEqual(violation('next_id', 'items'))
    }))

  it('returns 400 through a reference table in another app', async () => {
    const owner = ownerOf(app, shop)
    await owner.post('', { name: 'other' })
    await owner.post('other/datatables/import-reference/', {
      source_app_slug: 'shop',
      source_table_name: 'owners',
    })
    const schema = {
      fields: [key, number('owner_id')],
      primaryKey: 'id',
      foreignKeys: [to('owner_id', 'owners')],
    }
    await owner.post('other/datatables/create_schema/?materialize=true', {
      resources: [{ name: 'visits', schema }],
    })
    const visits = shop.data('visits').replace('/shop/', '/other/')
    expect((await call('POST', visits, { owner_id: 2 })).body).toEqual(violation('owner_id', 'owners'))
    expect((await call('POST', visits, { owner_id: 1 })).status).toBe(201)
    await owner.delete('other/datatables/visits/')
  })
})

describe('an existing reference to a soft-deleted record', () => {
  it('stays if it is sent back or if other fields change', async () => {
    const { body } = await call('GET', `${shop.data('items')}4/`)
    expect((await call('PATCH', `${shop.data('items')}4/`, { ...body.data, sku: 'dd' })).body.data).toEqual({
      ...body.data,
      sku: 'dd',
    })
    const both = [{ id: 4, owner_id: 3 }, { id: 3, code: null }] // biome-ignore format: one line
    expect((await call('PATCH', shop.data('items'), both)).status).toBe(200)
    expect(
      (await call('POST', `${shop.data('items')}upsert/?unique_fields=sku`, { sku: 'dd', owner_id: 3 }))
        .status,
    ).toBe(200)
    expect((await call('PATCH', `${shop.data('items')}4/`, { owner_id: 1 })).status).toBe(200)
    expect((await call('PATCH', `${shop.data('items')}4/`, { owner_id: 3 })).body).toEqual(
      violation('owner_id', 'owners'),
    )
  })

  it('can be set again after the record is restored, also by a record that is restored itself', async () => {
    await call('PATCH', `${shop.data('owners')}2/?include_deleted=true`, { is_deleted: false })
    expect((await call('POST', shop.data('items'), { owner_id: 2, next_id: 3 })).status).toBe(201)
    const restored = await call('PATCH', `${shop.data('items')}2/?include_deleted=true`, {
      is_deleted: false,
      owner_id: 1,
    })
    expect([restored.status, restored.body.data.owner_id]).toEqual([200, 1])
  })
})

describe('a write to a soft-deleted record', () => {
  it('returns 404 for a second deletion unless hard_delete=true', async () => {
    expect((await call('DELETE', `${shop.data('owners')}2/`)).body).toEqual({
      error: 'Record not found',
      detail: '"owners" has no record with the id "2".',
      code: 'record_not_found',
    })
    await call('POST', shop.data('owners'), { id: 4 })
    expect((await call('DELETE', `${shop.data('owners')}?ids=4,2`)).body).toEqual({ deleted: 1, ids: [4] })
    expect((await call('DELETE', `${shop.data('owners')}2/?hard_delete=true`)).status).toBe(204)
  })

  it('applies no foreign-key rule if the write marks it as deleted, with include_deleted=true', async () => {
    expect((await call('DELETE', `${shop.data('owners')}1/`)).status).toBe(403)
    expect((await mark('1')).status).toBe(200)
    expect((await call('GET', `${shop.data('items')}1/`)).body.data.owner_id).toBe(1)
  })
})
