/** Related records and foreign keys in MongoDB are those of flat tables. Spec: Records; D6, R4, R5, R10, R18. */
import { beforeAll, describe, expect, it } from 'vitest'
import { startApp } from '../support/app.ts'
import { runs } from '../support/runs.ts'
import { createDesk, type Desk } from './desk.ts'

let desk: Desk

const integer = (name: string, more: object = {}) => ({ name, type: 'integer', ...more })
const string = (name: string, more: object = {}) => ({ name, type: 'string', ...more })
const key = (fields: string[], resource: string, onDelete?: string, to = ['id']) => ({
  fields,
  reference: { resource, fields: to },
  ...(onDelete && { 'x-actions': { onDelete } }),
})

/** The same tables in MongoDB and in Postgres. */
const tables: Record<string, object> = {
  makers: {
    fields: [integer('id'), string('name'), string('code', { constraints: { unique: true } })],
    primaryKey: 'id',
  },
  parts: {
    fields: [
      integer('id'),
      string('name'),
      integer('maker_id'),
      integer('part_of'),
      string('origin'),
      { name: 'is_deleted', type: 'boolean' },
    ],
    primaryKey: 'id',
    foreignKeys: [
      key(['maker_id'], 'makers'),
      key(['part_of'], '', 'SET NULL'),
      key(['origin'], 'makers', 'RESTRICT', ['code']),
    ],
  },
  reviews: {
    fields: [integer('id'), integer('part_id', { constraints: { required: true } }), integer('stars')],
    primaryKey: 'id',
    foreignKeys: [key(['part_id'], 'parts', 'CASCADE')],
  },
  tags: { fields: [string('name')], primaryKey: 'name' },
  tagged: {
    fields: [integer('part_id'), string('tag')],
    primaryKey: ['part_id', 'tag'],
    foreignKeys: [key(['part_id'], 'parts', 'CASCADE'), key(['tag'], 'tags', 'RESTRICT', ['name'])],
  },
  answers: {
    fields: [integer('id'), integer('review_id')],
    primaryKey: 'id',
    foreignKeys: [key(['review_id'], 'reviews', 'SET NULL')],
  },
}

const records: [table: string, rows: object[]][] = [
  ['makers', [1, 2, 3].map((id) => ({ id, name: `maker ${id}`, code: `m${id}` }))],
  [
    'parts',
    [
      { id: 1, name: 'one', maker_id: 1, origin: 'm2' },
      { id: 2, name: 'two', maker_id: 1, part_of: 1 },
      { id: 3, name: 'three', maker_id: 2, part_of: 1 },
      { id: 4, name: 'four' },
      { id: 5, name: 'five', maker_id: 2, is_deleted: true },
    ],
  ],
  ['reviews', [5, 3, 4, 1, 5].map((stars, n) => ({ id: n + 1, part_id: (n % 3) + 1, stars }))],
  ['tags', ['new', 'old', 'rare'].map((name) => ({ name }))],
  [
    'tagged',
    [
      { part_id: 1, tag: 'new' },
      { part_id: 1, tag: 'rare' },
      { part_id: 2, tag: 'new' },
    ],
  ],
  ['answers', [1, 2].map((id) => ({ id, review_id: id }))],
]

const paths = { ours: '/apps/shop', theirs: '/apps/plain' }

beforeAll(async () => {
  desk = await createDesk(await startApp(), 'desk-relations')
  await desk.ask('POST', '/apps/', { name: 'plain' })
  await desk.ask('POST', '/apps/plain/datasources/', {
    name: 'Docs',
    slug: 'docs',
    provider_type: 'flat_table',
  })
  for (const [name, json_schema] of Object.entries(tables))
    for (const app of Object.values(paths)) {
      const path = `${app}/datasources/docs/datatables/?materialize=true`
      const made = await desk.ask('POST', path, { name, json_schema })
      expect([made.status, made.body]).toEqual([201, expect.objectContaining({ name })])
    }
  for (const [table, rows] of records)
    for (const app of Object.values(paths))
      expect((await desk.ask('POST', `${app}/datatables/${table}/data/`, rows)).status).toBe(201)
})

/** Sends a request to both, and expects the same answer. */
async function same(method: string, path: string, body?: unknown) {
  const [ours, theirs] = [
    await desk.ask(method, `${paths.ours}/datatables/${path}`, body),
    await desk.ask(method, `${paths.theirs}/datatables/${path}`, body),
  ]
  expect([ours.status, ours.body]).toEqual([theirs.status, theirs.body])
  return ours
}

describe('related records', () => {
  it.each([
    'parts/data/?populate=maker',
    'parts/data/1/?populate=*',
    'parts/data/?populate=maker,reviews&fields=id',
    'makers/data/?populate=parts.reviews,parts_by_origin',
    'parts/data/?populate=tags&ordering=-id',
    'tags/data/?populate=parts.maker',
    'parts/data/?fields=name,maker.name,reviews.stars',
    'reviews/data/?populate=part.part_of',
    'parts/data/?maker.name=maker 1',
    'parts/data/?maker.name__ne=maker 1',
    'parts/data/?maker.name__null=true',
    'parts/data/?reviews.stars__gte=4',
    'parts/data/?reviews.stars__gte=4&reviews.stars__lte=4&_count=true',
    'parts/data/?tags.name=rare',
    'makers/data/?parts.reviews.stars=5',
    'makers/data/?filters={"not":{"parts.name":"two"}}',
    'makers/data/?filters={"or":[{"parts.tags.name":"new"},{"id":3}]}&ordering=-id',
    'parts/data/?maker.name=maker 1&_group_by=maker_id&_aggregate=count(*)',
    'parts/data/?include_deleted=true&populate=maker',
  ])('%s', async (path) => {
    expect((await same('GET', path)).status).toBe(200)
  })

  it('with filters, an order, a range and counts', async () => {
    const question = (more: object) =>
      `makers/data/?${new URLSearchParams({ populate: JSON.stringify({ parts: more }) })}`
    for (const more of [
      { limit: 1, sort: '-id', count: true },
      { filters: { name: 'two' } },
      { offset: 1, sort: 'name' },
    ])
      await same('GET', question(more))
  })

  it('cannot be sorted or aggregated by', async () => {
    for (const query of ['ordering=maker.name', '_annotate=count(reviews) as n']) {
      const { status, body } = await desk.ask('GET', `${paths.ours}/datatables/parts/data/?${query}`)
      expect([query, status, body.code ?? body]).toEqual([query, 422, 'not_supported'])
    }
  })
})

describe('a foreign key', () => {
  it('is refused between datasources', async () => {
    await desk.ask('POST', '/apps/shop/datasources/', {
      name: 'F',
      slug: 'flat',
      provider_type: 'flat_table',
    })
    const schema = { ...tables.reviews, foreignKeys: [key(['part_id'], 'parts')] }
    const path = '/apps/shop/datasources/flat/datatables/?materialize=true'
    const { status, body } = await desk.ask('POST', path, { name: 'outside', json_schema: schema })
    expect([status, body.code]).toEqual([422, 'not_supported'])
    expect(body.detail).toContain('in the same datasource')
  })

  it.each<[string, string, unknown?]>([
    ['POST', 'parts/data/', { id: 10, maker_id: 99 }],
    [
      'POST',
      'parts/data/',
      [
        { id: 10, maker_id: 1 },
        { id: 11, maker_id: 98 },
      ],
    ],
    ['POST', 'reviews/data/', { id: 10, part_id: 5 }],
    ['PATCH', 'parts/data/1/', { maker_id: 99 }],
    ['PATCH', 'parts/data/1/', { origin: 'none' }],
    ['PUT', 'parts/data/1/', { name: 'x', maker_id: 99 }],
    ['PATCH', 'makers/data/2/', { code: 'other' }],
    ['DELETE', 'makers/data/1/'],
    ['DELETE', 'tags/data/new/'],
    ['POST', 'parts/data/', { id: 20, part_of: 20, name: 'of itself' }],
    ['PATCH', 'parts/data/20/', { part_of: null }],
    ['PATCH', 'makers/data/3/', { code: 'free' }],
    ['DELETE', 'makers/data/3/'],
  ])('%s %s %j', async (method, path, body) => {
    await same(method, path, body)
  })

  it('deletes and empties what its rule says, in one transaction', async () => {
    await same('DELETE', 'parts/data/1/?hard_delete=true')
    for (const table of ['parts', 'reviews', 'tagged', 'answers', 'tags']) await same('GET', `${table}/data/`)
  })
})

describe('a deleted table with a foreign key', () => {
  const both = (method: string, path: string) =>
    Promise.all(Object.values(paths).map((app) => desk.ask(method, `${app}/datatables/${path}`)))
  const statuses = async (method: string, path: string) =>
    (await both(method, path)).map(({ status }) => status)

  it('is restored only while its references lead somewhere', async () => {
    expect(await statuses('DELETE', 'answers/')).toEqual([204, 204])
    expect(await statuses('POST', 'answers/restore/')).toEqual([200, 200])
    expect(await statuses('DELETE', 'answers/')).toEqual([204, 204])
    expect(await statuses('DELETE', 'reviews/data/2/')).toEqual([204, 204])
    expect(await statuses('POST', 'answers/restore/')).toEqual([422, 422])
  })

  it('is deleted and restored together with those that reference it', async () => {
    expect(await statuses('DELETE', 'tags/')).toEqual([409, 409])
    expect(await statuses('DELETE', 'tags/?cascade=true')).toEqual([204, 204])
    expect(await statuses('GET', 'tagged/data/')).toEqual([404, 404])
    expect(await statuses('POST', 'tagged/restore/')).toEqual([200, 200])
    await same('GET', 'tagged/data/?populate=tag')
    expect(await statuses('DELETE', 'tags/?cascade=true&purge=true')).toEqual([204, 204])
  })
})

const rounds = runs(4, 500)

it(
  `20 writers that create children and delete parents, ${rounds} rounds: no dangling reference`,
  async () => {
    const send = (method: string, path: string, body?: unknown) =>
      desk.ask(method, `${paths.ours}/datatables/${path}`, body)
    const owner = integer('owner_id', { constraints: { required: true } })
    const children = { pets: 'CASCADE', houses: 'RESTRICT' }
    await desk.table('owners', { fields: [integer('id')], primaryKey: 'id' })
    for (const [name, rule] of Object.entries(children))
      await desk.table(name, {
        fields: [integer('id'), owner],
        primaryKey: 'id',
        foreignKeys: [key(['owner_id'], 'owners', rule)],
      })
    const answers = new Map<string, number>()
    for (let round = 0; round < rounds; round++) {
      const first = round * 3
      expect(
        (
          await send(
            'POST',
            'owners/data/',
            [0, 1, 2].map((n) => ({ id: first + n })),
          )
        ).status,
      ).toBe(201)
      await Promise.all(
        Array.from({ length: 20 }, async (_, writer) => {
          const id = first + (writer % 3)
          const path = `${writer % 2 === 0 || id === first ? 'pets' : 'houses'}/data/`
          const { status } =
            writer % 5 === 4
              ? await send('DELETE', `owners/data/${id}/`)
              : await send('POST', path, { id: round * 20 + writer, owner_id: id })
          answers.set(`${writer % 5 === 4 ? 'delete' : 'create'} ${status}`, 1)
        }),
      )
    }
    for (const name of Object.keys(children)) {
      const { body } = await send('GET', `${name}/data/?owner.id__null=true&_count=true`)
      expect([name, body.total]).toEqual([name, 0])
    }
    // On a busy machine, a write may wait for its record for longer than the service does.
    const possible = [
      'create 201',
      'create 400',
      'delete 204',
      'delete 403',
      'delete 404',
      'create 503',
      'delete 503',
    ]
    expect([...answers.keys()].filter((answer) => !possible.includes(answer))).toEqual([])
  },
  120_000 + 2_000 * rounds,
)
