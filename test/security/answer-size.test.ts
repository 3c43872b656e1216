/**
 * Requests whose answers would be large: each is refused before Postgres makes the answer, at every operation
 * that answers with records, also for guests. The values compress 1 : 90, so that little is stored.
 * answer-doors.test.ts asks the others. T9.
 */
import { beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '../support/app.ts'
import { addDocuments, createShop, type Shop } from '../support/fixtures.ts'
import { sessionBytes } from '../support/session-memory.ts'

const text = 100_000
const makers = 10
const parts = 100

let app: TestApp
let shop: Shop
const paths: Record<string, (table: string) => string> = {}

/** Anybody may do what members may do. */
const access = { rules: [{ name: 'all', who: 'anyone', can: ['read', 'create', 'update'] }] }
const resources = [
  {
    name: 'owners',
    schema: {
      fields: [
        { name: 'id', type: 'integer' },
        { name: 'note', type: 'string' },
      ],
      primaryKey: 'id',
      access,
    },
  },
  {
    name: 'pieces',
    schema: {
      fields: [
        { name: 'id', type: 'integer' },
        { name: 'owner_id', type: 'integer' },
        { name: 'note', type: 'string' },
        { name: 'doc', type: 'object' },
        { name: 'size', type: 'number' },
      ],
      primaryKey: 'id',
      foreignKeys: [{ fields: 'owner_id', reference: { resource: 'owners', fields: 'id' } }],
      access,
    },
  },
]

const refusal = (bytes: number) => ({
  error: 'Answer too large',
  detail: `The answer is longer than ${bytes} bytes of JSON. Request fewer records, or less of each.`,
  code: 'answer_too_large',
})

beforeAll(async () => {
  app = await startApp()
  shop = await createShop(app, 'large')
  const { token } = shop.owner
  const made = await app.request('POST', `${shop.api}/apps/shop/datatables/create_schema/?materialize=true`, {
    token,
    body: { resources },
  })
  expect(made.status).toBe(201)
  paths.flat_table = shop.data
  paths.jsonb = await addDocuments(app, shop, resources)
  const rows = `generate_series(0, ${makers * parts - 1}) n`
  const note = `repeat('x', ${text})`
  await app.sql(
    `insert into ${shop.schema}.shop_owners (id, note) select n, 'owner' from generate_series(0, ${makers - 1}) n`,
  )
  await app.sql(
    `insert into ${shop.schema}.shop_pieces (id, owner_id, note, doc, size)
     select n, n / ${parts}, ${note}, '{}', 1 from ${rows}`,
  )
  await app.sql(
    `insert into ${shop.schema}.papers_owners (_data)
     select jsonb_build_object('id', n, 'note', 'owner') from generate_series(0, ${makers - 1}) n`,
  )
  await app.sql(
    `insert into ${shop.schema}.papers_pieces (_data)
     select jsonb_build_object('id', n, 'owner_id', n / ${parts}, 'note', ${note}, 'doc', '{}'::jsonb, 'size', 1)
       from ${rows}`,
  )
})

const ask = (method: string, path: string, body?: unknown, { isGuest = false } = {}) =>
  app.request(method, path, {
    ...(isGuest ? {} : { token: shop.owner.token }),
    ...(body === undefined ? {} : { body: body as object }),
  })

const ids = Array.from({ length: 200 }, (_, id) => ({ id, size: 2 }))

/** The operations that answer with records, each with a question for more than an answer may have. */
const doors: [name: string, method: string, table: string, query: string, body?: unknown][] = [
  ['a list', 'GET', 'pieces', '?page_size=200'],
  ['a list without a total', 'GET', 'pieces', '?page_size=200&_total=none'],
  ['a list with an estimate', 'GET', 'pieces', '?page_size=200&_total=estimated'],
  ['a list at a position', 'GET', 'pieces', '?page_size=200&after='],
  ['a list of one field', 'GET', 'pieces', '?page_size=200&fields=note'],
  ['a list with annotations', 'GET', 'pieces', '?page_size=200&_annotate=upper(note) as loud'],
  ['a list with related records', 'GET', 'owners', '?populate=pieces'],
  ['a list with related records of related records', 'GET', 'owners', '?populate=pieces.owner.pieces'],
  ['a record with related records', 'GET', 'owners', '1/?populate=pieces.owner.pieces'],
  ['a list with a referenced record', 'GET', 'pieces', '?page_size=200&populate=owner'],
  ['groups', 'GET', 'pieces', '?_aggregate=max(note)&_group_by=id&page_size=200'],
  [
    'groups with related records',
    'GET',
    'pieces',
    '?_aggregate=count(*)&_group_by=owner_id&populate=owner.pieces',
  ],
  ['an array of values', 'GET', 'pieces', '?_aggregate=array_agg(note)'],
  ['an array of values by group', 'GET', 'pieces', '?_aggregate=json_agg(note)&_group_by=size'],
  ['a sorted array of values', 'GET', 'pieces', '?_aggregate=array_agg(note order by id desc)'],
  [
    'a sorted array of different values',
    'GET',
    'pieces',
    '?_aggregate=array_agg(distinct concat(note,id) order by concat(note,id) desc) as x',
  ],
  ['a sorted text of values', 'GET', 'pieces', `?_aggregate=string_agg(note, '' order by size, id desc)`],
  ['a text of values', 'GET', 'pieces', `?_aggregate=string_agg(note)`],
  ['a list with lists of related values', 'GET', 'owners', '?_annotate=array_agg(pieces.note) as notes'],
  ['a change of many records', 'PATCH', 'pieces', '', ids],
  ['an upsert of many records', 'POST', 'pieces', 'upsert/?unique_fields=id', ids],
]

describe.each(['flat_table', 'jsonb'])('in a %s datasource, an answer that would be too long', (provider) => {
  describe.each([
    ['a member', false],
    ['a guest', true],
  ])('for %s', (_who, isGuest) => {
    it.each(doors)('is 422 for %s', async (_name, method, table, query, body) => {
      const path = (paths[provider] as (table: string) => string)(table)
      const answer = await ask(method, `${path}${encodeURI(query)}`, body, { isGuest })
      expect([answer.status, [refusal(12_582_912), refusal(3_145_728)]]).toEqual([
        422,
        expect.arrayContaining([answer.body]),
      ])
    })
  })

  it('leaves the records of a refused write unchanged', async () => {
    const path = (paths[provider] as (table: string) => string)('pieces')
    const { body } = await ask('GET', `${path}?size=2&_count=true`)
    expect(body.total).toBe(0)
  })
})

describe('16 answers at once that would be too long', () => {
  it('are refused with less than 64 MB in each session of Postgres', async () => {
    const path = shop.data('pieces')
    const answers = await Promise.all(Array.from({ length: 16 }, () => ask('GET', `${path}?page_size=200`)))
    // On a busy machine, a statement may reach its time limit first.
    const others = answers.filter(({ status }) => status !== 422 && status !== 503)
    expect(others.map(({ status }) => status)).toEqual([])
    const bytes = await sessionBytes(app)
    expect(bytes.length).toBeGreaterThan(0)
    expect(Math.max(...bytes)).toBeLessThan(64 * 1024 * 1024)
  })
})

describe('an answer of ten megabytes', () => {
  it('is sent, also if the record after it would make it too long', async () => {
    const page = await ask('GET', `${shop.data('pieces')}?page_size=100`)
    expect([page.status, page.body.data?.length]).toEqual([200, 100])
    await app.sql(`update ${shop.schema}.shop_pieces set note = repeat('x', 9000000) where id = 100`)
    const again = await ask('GET', `${shop.data('pieces')}?page_size=100`)
    expect([again.status, again.body.data?.length]).toEqual([200, 100])
  })
})
