import { beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '../../support/app.ts'
import { createShop, ownerOf, type Shop } from '../../support/fixtures.ts'

let app: TestApp
let shop: Shop
let owner: ReturnType<typeof ownerOf>

const good = { sku: 'A-1', price: 2.5, maker_id: 99 }
const validate = (data: unknown) => owner.post('products/validate_data/', { data })

beforeAll(async () => {
  app = await startApp()
  shop = await createShop(app, 'validation')
  owner = ownerOf(app, shop, '/apps/shop/datatables/')
})

describe('validate_data', () => {
  it('returns 200 and names the row, field and rule of every error', async () => {
    const answer = await validate([
      good,
      { sku: 'a1', price: -1, colour: 'red' },
      7,
      { stock: 2 ** 63, released_on: null, ['__proto__']: 1 },
      [],
      { sku: null },
    ])
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        is_valid: false,
        errors: [
          'rows[0].maker_id: This maker_id references no record of "makers".',
          'rows[1].sku: Ensure this field matches the pattern ^[A-Z]+-[0-9]+$',
          'rows[1].price: Ensure this value is greater than or equal to 0.',
          'rows[1].colour: Unknown field. Fields: id, sku, price, stock, maker_id, released_on, is_deleted.',
          'rows[2]: A record must be an object.',
          'rows[3].stock: A whole number within ±2^63 is required.',
          'rows[3].__proto__: Unknown field. Fields: id, sku, price, stock, maker_id, released_on, is_deleted.',
          'rows[3].sku: This field is required.',
          'rows[4]: A record must be an object.',
          'rows[5].sku: This field may not be null.',
        ],
        validated_rows: 6,
      },
    ])
  })

  it('returns 200 for rows that could be created, and creates nothing', async () => {
    await owner.post('makers/data/', { id: 99, name: 'Ostra' })
    const checked = await validate([good])
    expect(checked.headers.get('server-timing')).toContain('desc="1"')
    expect((await validate([good, { sku: 'B-2' }])).body).toEqual({
      is_valid: true,
      errors: [],
      validated_rows: 2,
    })
    expect((await validate([])).body).toEqual({ is_valid: true, errors: [], validated_rows: 0 })
    expect((await owner.get('products/data/')).body.total).toBe(0)
  })

  it('finds values that are taken or repeated, and missing references', async () => {
    await owner.post('create_schema/?materialize=true', {
      resources: [
        {
          name: 'stays',
          schema: {
            fields: [
              { name: 'id', type: 'integer' },
              { name: 'room', type: 'string', default: 'A' },
              { name: 'day', type: 'date' },
              { name: 'code', type: 'string', constraints: { unique: true } },
              { name: 'state', type: 'string' },
              { name: 'after', type: 'integer' },
              { name: 'is_deleted', type: 'boolean' },
            ],
            primaryKey: 'id',
            foreignKeys: [{ fields: 'after', reference: { resource: '', fields: 'id' } }],
            indexes: [
              { name: 'once', fields: ['room', 'day'], unique: true },
              { name: 'open', fields: ['state'], unique: true, where: { state__startswith: 'open' } },
            ],
          },
        },
      ],
    })
    const there = [
      { id: 1, day: '2026-01-01', code: 'x', state: 'open' },
      { id: 2, day: '2026-01-02', code: 'gone', state: 'shut' },
    ]
    expect((await owner.post('stays/data/', there)).status).toBe(201)
    await owner.delete('stays/data/2/')
    const rows = [
      { id: 1, day: '2026-01-01', code: 'y', state: 'shut' },
      { id: 9, room: 'B', day: '2026-01-01', code: 'y', state: 'open', after: 7 },
      { id: '9', room: 'A', day: '2026-01-03', code: 'x', state: 'shut', after: 9 },
      { day: '2026-01-03', code: 'gone', after: 1 },
      { id: 10, after: 10 },
      { id: 'x', code: 'x', after: 2 },
      { code: null, after: null, state: 'opened' },
    ]
    const answer = await owner.post('stays/validate_data/', { data: rows })
    expect(answer.body.errors).toEqual([
      'rows[0].id: A record with this id already exists.',
      'rows[0].room,day: A record with this room, day already exists.',
      'rows[1].code: The same code as rows[0].',
      'rows[1].state: A record with this state already exists.',
      'rows[1].after: This after references no record of "stays".',
      'rows[2].id: The same id as rows[1].',
      'rows[2].code: A record with this code already exists.',
      'rows[3].code: A deleted record has this code. Restore it (include_deleted=true), delete it for good (hard_delete=true), or use another value.',
      'rows[3].room,day: The same room, day as rows[2].',
      'rows[5].id: A whole number is required.',
      'rows[5].code: A record with this code already exists.',
      'rows[5].code: The same code as rows[2].',
      'rows[5].after: This after references no record of "stays".',
    ])
    expect(answer.body).toMatchObject({ is_valid: false, validated_rows: 7 })
    const planned = [
      {
        name: 'planned_codes',
        schema: { fields: [{ name: 'code', type: 'string', constraints: { unique: true } }] },
      },
    ]
    await owner.post('create_schema/', { resources: planned })
    expect(
      (await owner.post('planned_codes/validate_data/', { data: [{ code: 'a' }, { code: 'a' }] })).body
        .errors,
    ).toEqual(['rows[1].code: The same code as rows[0].'])
  })

  it('reports the same errors as a write of the same rows', async () => {
    const rows = [
      { sku: 'x' },
      { sku: 'A-1', price: 'free', released_on: '2026-02-30' },
      { sku: 'a\ud800' },
      { sku: 'A-2', price: null },
    ]
    const text = JSON.stringify(rows).replace('null', '1e200000')
    const written = await owner.post('products/data/', text)
    const said = Object.entries(written.body.details as Record<string, string[]>).flatMap(
      ([field, messages]) => messages.map((message) => message.replace(/^(rows\[\d+\]):/, `$1.${field}:`)),
    )
    const { body } = await owner.post('products/validate_data/', `{"data": ${text}}`)
    expect(body.errors.toSorted()).toEqual(said.toSorted())
    expect(body.errors).toHaveLength(5)
  })

  it('works before the table is materialized and in the path of its datasource, and returns 404 for a missing table', async () => {
    await owner.post('create_schema/', {
      resources: [{ name: 'planned', schema: { fields: [{ name: 'day', type: 'date' }] } }],
    })
    const below = ownerOf(app, shop, '/apps/shop/datasources/main/datatables/')
    expect((await below.post('planned/validate_data/', { data: [{ day: 'x' }] })).body).toEqual({
      is_valid: false,
      errors: ['rows[0].day: A date is required, for example 2026-01-31.'],
      validated_rows: 1,
    })
    expect(await owner.post('nothing/validate_data/', { data: [] })).toMatchObject({
      status: 404,
      body: { detail: 'Not found.', code: 'not_found' },
    })
  })

  it('reports a hundred problems, accepts 10,000 rows, and rejects a body that is not an array of rows', async () => {
    const { body } = await validate(Array(10_000).fill({ sku: 'bad' }))
    expect([body.errors.length, body.errors.at(-1), body.validated_rows]).toEqual([
      101,
      '… and 9900 more problems.',
      10_000,
    ])
    expect(await validate(Array(10_001).fill({}))).toMatchObject({
      status: 413,
      body: { detail: 'A request may have at most 10000 records.', code: 'too_many_items' },
    })
    expect((await validate({})).body).toEqual({ data: ['Must be an array.'] })
    expect((await owner.post('products/validate_data/', { rows: [] })).body).toEqual({
      data: ['This field is required.'],
      rows: ['Unknown field.'],
    })
    expect((await owner.post('products/validate_data/', '[')).status).toBe(400)
  })
})
