/** Properties of JSON in orders, groups, aggregates and indexes: `about.power::number`. */
import { beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '../../support/app.ts'
import { addDocuments, createShop, ownerOf, type Shop } from '../../support/fixtures.ts'

const makers = {
  name: 'makers',
  schema: {
    fields: [
      { name: 'id', type: 'integer' },
      { name: 'about', type: 'object' },
    ],
    primaryKey: 'id',
  },
}
const tools = {
  name: 'tools',
  schema: {
    fields: [
      { name: 'id', type: 'integer' },
      { name: 'title', type: 'string' },
      { name: 'about', type: 'object' },
      { name: 'sizes', type: 'array' },
      { name: 'maker_id', type: 'integer' },
    ],
    primaryKey: 'id',
    foreignKeys: [{ fields: 'maker_id', reference: { resource: 'makers', fields: 'id' } }],
    indexes: [{ name: 'power', fields: ['about.power::number'] }],
  },
}
const rows = [
  { id: 1, about: { power: 700, on: '2026-02-01', at: '2026-02-01T12:00:00+02:00', 'max power': 1 } },
  { id: 2, about: { power: 'much', on: '2026-02-30', at: '2026-02-01T11:00:00Z' }, sizes: [5, 1] },
  { id: 3, about: { power: 50.5, on: '2025-12-31', at: 'today' }, sizes: ['x', 2], maker_id: 1 },
  { id: 4, about: { power: null, on: 20260101 }, sizes: [7], maker_id: 2 },
  { id: 5, about: null },
]

let app: TestApp
let shop: Shop
const paths = new Map<string, string>()

beforeAll(async () => {
  app = await startApp()
  const resources = [makers, tools]
  shop = await createShop(app, 'properties', { resources })
  const papers = await addDocuments(app, shop, resources)
  for (const [provider, data] of [
    ['flat_table', shop.data],
    ['jsonb', papers],
  ] as const) {
    paths.set(provider, data('tools'))
    const { token } = shop.owner
    const body = [
      { id: 1, about: { city: 'Ulm' } },
      { id: 2, about: { city: 'Bonn' } },
    ]
    await app.request('POST', data('makers'), { token, body })
    expect(await app.request('POST', data('tools'), { token, body: rows })).toMatchObject({ status: 201 })
  }
})

describe.each(['flat_table', 'jsonb'])('properties in records of a %s table', (provider) => {
  const list = (query: string) =>
    app.request('GET', `${paths.get(provider)}?${query}`, { token: shop.owner.token })
  const ids = async (query: string) => {
    const { status, body } = await list(query)
    expect([status, body.details]).toEqual([200, undefined])
    return body.data.map(({ id }: { id: number }) => id)
  }
  const known = 'Types: string, number, integer, boolean, date, time, datetime, uuid.'

  it('return 400 in an order if they are invalid or have no type', async () => {
    const terms =
      'about.power,about.power::money,title.x::number,title::string,sizes.a::number,about..x::number'
    expect(await list(`ordering=${terms}`)).toMatchObject({
      status: 400,
      body: {
        error: 'Validation failed',
        details: {
          ordering: [
            `"about.power" is a property: write its type after it, as in about.power::number. ${known}`,
            `"about.power" is a property: write its type after it, as in about.power::number. ${known}`,
            '"title" is of type string, which has no properties.',
            '"title" has its own type: write it without "::".',
            'To read an item, use its index: sizes.0.',
            'A property name between two "." is empty.',
          ],
        },
        code: 'validation_failed',
      },
    })
  })

  it('return 400 with a hint in an expression that does not accept JSON', async () => {
    expect(await list('_aggregate=sum(about.power),max(about.at::timestamp),count(about)')).toMatchObject({
      status: 400,
      body: {
        details: {
          _aggregate: [
            'Position 5: "sum" does not take values of type JSON. Types: integer, number. ' +
              'Write the type of a property after it: ::number.',
            `Position 30: A property cannot be read as local datetime. ${known}`,
          ],
        },
      },
    })
  })

  it('can be used in an order; values of another type become null', async () => {
    expect(await ids('ordering=about.power::number')).toEqual([3, 1, 2, 4, 5])
    expect(await ids('ordering=-about.power::number')).toEqual([1, 3, 2, 4, 5])
    expect(await ids('ordering=about.power::string,-id')).toEqual([2, 5, 4, 3, 1])
    expect(await ids('ordering=-about.on::date')).toEqual([1, 3, 2, 4, 5])
    expect(await ids('ordering=about.at::datetime.nullsfirst')).toEqual([3, 4, 5, 1, 2])
    expect(await ids('ordering=sizes.-1::integer')).toEqual([2, 3, 4, 1, 5])
    expect(await ids('_sort=about.max power::number&_order=desc')).toEqual([1, 2, 3, 4, 5])
    expect(await ids('ordering=-maker.about.city::text')).toEqual([3, 4, 1, 2, 5])
  })

  it('can be used in an order with cursors', async () => {
    const found: number[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { body } = await list(`ordering=-about.power::number&page_size=2&after=${cursor}`)
      found.push(...body.data.map(({ id }: { id: number }) => id))
      cursor = body.meta.next
    }
    expect(found).toEqual([1, 3, 2, 4, 5])
  })

  it('can be used in groups and aggregates', async () => {
    const query = new URLSearchParams({
      _group_by: 'about.on::date',
      _aggregate: 'count(*),sum(about.power::number),avg(sizes.0::integer) as first',
      ordering: '-about.on',
    })
    expect((await list(String(query))).body).toMatchObject({
      data: [
        { 'about.on': '2026-02-01', count: 1, sum: 700, first: null },
        { 'about.on': '2025-12-31', count: 1, sum: 50.5, first: null },
        { 'about.on': null, count: 3, sum: null, first: 6 },
      ],
      total: 3,
    })
    const totals =
      'count(about.power),max(about.at::datetime),min(cast(about."max power" as integer)) as least'
    expect((await list(`_aggregate=${totals}`)).body.aggregates).toEqual({
      'count_about.power': 3,
      max: '2026-02-01T11:00:00Z',
      least: 1,
    })
  })
})

describe('indexes of properties, and trigram indexes', () => {
  it('are added and dropped by a schema change, and can be rolled back', async () => {
    const owner = ownerOf(app, shop, '/apps/shop/datatables/tools/')
    const indexes = async () =>
      (
        await app.sql(`select indexdef from pg_indexes where schemaname = $1 and tablename = 'shop_tools'`, [
          shop.schema,
        ])
      )
        .map(({ indexdef }) =>
          String(indexdef)
            .replace(/^.* USING /, '')
            .replaceAll(/\s+/g, ' '),
        )
        .sort()
    const before = await indexes()
    const schema = {
      ...tools.schema,
      indexes: [{ name: 'words', fields: ['title', 'about.maker::string'], method: 'trigram' }],
    }
    const changed = await owner.patch('', { json_schema: schema })
    expect([changed.status, await indexes()]).toEqual([
      200,
      [
        'btree (id)',
        'btree (maker_id)',
        "gin (title tessera.gin_trgm_ops, ( CASE jsonb_typeof((about #> ARRAY['maker'::text])) " +
          "WHEN 'string'::text THEN (about #>> ARRAY['maker'::text]) ELSE NULL::text END) tessera.gin_trgm_ops)",
      ],
    ])
    const { body } = await owner.get('operation-history/')
    expect(await owner.post('rollback/', { revision_id: body.data[0].id })).toMatchObject({ status: 200 })
    expect(await indexes()).toEqual(before)
  })

  it('return 400 for a property that is too long for its index', async () => {
    const owner = ownerOf(app, shop, '/apps/shop/datatables/')
    const json_schema = {
      fields: [{ name: 'about', type: 'object' }],
      indexes: [{ name: 'serial', fields: ['about.serial.0::string'] }],
    }
    await app.request('POST', `${shop.api}/apps/shop/datasources/main/datatables/?materialize=true`, {
      token: shop.owner.token,
      body: { name: 'parts', json_schema },
    })
    const serial = Buffer.from(crypto.getRandomValues(new Uint8Array(6000))).toString('base64')
    expect(await owner.post('parts/data/', { about: { serial: [serial], text: 'x'.repeat(9000) } })).toEqual(
      expect.objectContaining({
        status: 400,
        body: {
          error: 'Validation failed',
          details: { about: ['The value is too long for an index, which takes about 2600 bytes.'] },
          code: 'validation_failed',
        },
      }),
    )
  })

  it('return 422 for a trigram index if the database does not have pg_trgm', async () => {
    await app.sql('alter extension pg_trgm set schema public')
    const body = {
      name: 'notes',
      json_schema: {
        fields: [{ name: 'text', type: 'string' }],
        indexes: [{ name: 'text', fields: ['text'], method: 'trigram' }],
      },
    }
    const owner = ownerOf(app, shop, '/apps/shop/datasources/main/datatables/')
    const refused = {
      status: 422,
      body: {
        error: 'Trigram indexes are not available',
        detail:
          'This database does not have the extension pg_trgm, which indexes of the method "trigram" need. ' +
          'Remove these indexes from the schema, or ask the operator to install the extension.',
        code: 'not_supported',
      },
    }
    expect(await owner.post('?materialize=true', body)).toMatchObject(refused)
    await app.sql('alter extension pg_trgm set schema tessera')
    expect(await owner.post('?materialize=true', body)).toMatchObject({ status: 201 })
  })
})
