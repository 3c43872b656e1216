/** Tables of documents have the same API as other tables. D11. */
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { relationshipGraph } from '../../../src/data/model/relationships.ts'
import { renderList } from '../../../src/data/query/render/render-list.ts'
import { join, sql } from '../../../src/kernel/db/sql.ts'
import { startApp, type TestApp } from '../../support/app.ts'
import { addDocuments, createShop, ownerOf, type Shop } from '../../support/fixtures.ts'
import { planOf } from '../../support/queries.ts'
import { runs } from '../../support/runs.ts'
import { tableOf } from '../../support/tables.ts'
import { runInSite } from '../../support/tenant.ts'

let app: TestApp
let shop: Shop
let papers: (table: string) => string
let owner: ReturnType<typeof ownerOf>

const number = { type: 'integer' }
const items = {
  name: 'items',
  schema: {
    fields: [
      { name: 'id', ...number },
      { name: 'sku', type: 'string', constraints: { required: true, unique: true, pattern: '^[a-z]+$' } },
      { name: 'label', type: 'string', constraints: { required: true } },
      { name: 'n', ...number, default: 0, constraints: { minimum: 0 } },
      { name: 'is_deleted', type: 'boolean' },
    ],
    primaryKey: 'id',
    indexes: [{ name: 'by_label', fields: ['label', 'n'], unique: true }],
  },
}
const types = {
  name: 'types',
  schema: {
    fields: [
      { name: 'id', type: 'uuid' },
      { name: 'text', type: 'string' },
      { name: 'whole', type: 'integer' },
      { name: 'exact', type: 'number' },
      { name: 'flag', type: 'boolean' },
      { name: 'day', type: 'date' },
      { name: 'hour', type: 'time' },
      { name: 'moment', type: 'datetime' },
      { name: 'ref', type: 'uuid' },
      { name: 'thing', type: 'object' },
      { name: 'list', type: 'array' },
      { name: 'created_at', type: 'datetime' },
      { name: 'updated_at', type: 'datetime' },
    ],
    search_fields: [{ field: 'text', weight: 'A' }],
  },
}

beforeAll(async () => {
  app = await startApp()
  shop = await createShop(app, 'documents', { resources: [items] })
  papers = await addDocuments(app, shop, [items, types])
  owner = ownerOf(app, shop)
})

describe('a table of documents', () => {
  const all = {
    text: 'A "red" bridge',
    whole: '9007199254740993',
    exact: 1.5,
    flag: false,
    day: '0001-01-31',
    hour: '23:59:59.999999',
    moment: '9999-12-31T23:59:59.999999Z',
    ref: 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11',
    thing: { a: null, b: [1, { c: 2.5 }] },
    list: [1, 'b', null],
  }

  it('the fields of a record are in one column', async () => {
    const columns = await app.sql(
      `select column_name as name, data_type as type from information_schema.columns where table_schema = $1 and table_name = 'papers_items'`,
      [shop.schema],
    )
    expect(columns).toEqual([{ name: '_data', type: 'jsonb' }])
  })

  it('every type is returned as it was sent, defaults are filled in, and absent fields are null', async () => {
    const created = await app.request('POST', papers('types'), {
      token: shop.owner.token,
      body: JSON.stringify([all, {}]),
    })
    expect(created.status).toBe(201)
    const [full, empty] = created.body.data
    expect(full).toEqual({
      ...all,
      id: expect.any(String),
      created_at: expect.any(String),
      updated_at: expect.any(String),
    })
    expect(empty).toEqual({
      ...Object.fromEntries(Object.keys(all).map((name) => [name, null])),
      id: expect.any(String),
      created_at: full.created_at,
      updated_at: full.updated_at,
    })
    expect(empty.id).not.toBe(full.id)
    const [exact] = await app.sql(
      `select _data ->> 'whole' as whole from ${shop.schema}.papers_types where _data ->> 'id' = $1`,
      [full.id],
    )
    expect(exact).toEqual({ whole: all.whole })
    const conditions = {
      whole: all.whole,
      day__lte: '0001-01-31',
      hour__gt: '23:59:59',
      moment__gte: all.moment,
      ref: all.ref.toUpperCase(),
    }
    const found = await app.request('GET', `${papers('types')}?${new URLSearchParams(conditions)}`, {
      token: shop.owner.token,
    })
    expect(found.body.data).toEqual([full])
  })

  it('a search returns the best match first', async () => {
    const { body } = await app.request('GET', `${papers('types')}?search=bridge -blue`, {
      token: shop.owner.token,
    })
    expect(body.data).toMatchObject([{ text: all.text }])
    expect(
      (await app.request('GET', `${papers('types')}?search=bridge -red`, { token: shop.owner.token })).body
        .data,
    ).toEqual([])
  })

  it('every write changes updated_at and the ETag, and an old If-Match returns 412', async () => {
    const [record] = (
      await app.request('GET', `${papers('types')}?text__null=false`, { token: shop.owner.token })
    ).body.data
    const path = `${papers('types')}${record.id}/`
    const before = await app.request('GET', path, { token: shop.owner.token })
    const headers = { 'if-match': before.headers.get('etag') as string }
    const changed = await app.request('PATCH', path, {
      token: shop.owner.token,
      headers,
      body: { thing: null },
    })
    expect(changed).toMatchObject({
      status: 200,
      body: { data: { ...record, thing: null, updated_at: expect.not.stringMatching(record.updated_at) } },
    })
    expect(
      (await app.request('PATCH', path, { token: shop.owner.token, headers, body: { text: 'x' } })).status,
    ).toBe(412)
    expect(
      (
        await app.request('GET', `${papers('types')}?thing__null=true&page_size=9`, {
          token: shop.owner.token,
        })
      ).body.total,
    ).toBe(2)
  })

  it('a filter by a relationship returns 400 if no foreign key defines it', async () => {
    const { status, body } = await app.request('GET', `${papers('items')}?types.text=x`, {
      token: shop.owner.token,
    })
    expect([status, Object.keys(body.details)]).toEqual([400, ['types.text']])
  })

  it('a reference table in another app can show the table', async () => {
    const reference = { source_app_slug: 'papers', source_table_name: 'types' }
    expect((await owner.post('shop/datatables/import-reference/', reference)).status).toBe(201)
    const { body } = await app.request('GET', `${shop.data('types')}?text__icontains=BRIDGE`, {
      token: shop.owner.token,
    })
    expect(body.data).toMatchObject([{ text: all.text }])
    expect(
      (await app.request('POST', shop.data('types'), { token: shop.owner.token, body: {} })).status,
    ).toBe(403)
  })

  it.each([
    ['a unique field', 'sku=x', 'papers_items$sku$key'],
    ['an index of the schema', 'label=x&n__gt=1', 'papers_items$by_label$idx'],
    ['the order of the primary key', '_sort=id', 'papers_items$pkey'],
  ])('uses an index for %s', async (_, query, index) => {
    const table = tableOf('items', items.schema, Number(shop.schema.slice('site_'.length)), {
      app: 'papers',
      providerType: 'jsonb',
    })
    const statement = renderList(planOf(table, relationshipGraph(new Map()), query))
    const sorted = query.startsWith('_sort') ? ['enable_sort'] : []
    const settings = ['enable_seqscan', 'enable_bitmapscan', ...sorted].map(
      (name) => sql`set_config(${name}, 'off', true)`,
    )
    const results = await runInSite(app, shop, [sql`select ${join(settings)}`, sql`explain ${statement}`])
    expect(JSON.stringify(results.rows(1))).toContain(`using \\"${index}\\"`)
  })
})

const id = fc.integer({ min: 1, max: 5 })
const sku = fc.constantFrom('a', 'b', 'c', 'd', 'E')
const fields = {
  label: fc.constantFrom('x', 'y'),
  n: fc.integer({ min: -1, max: 3 }),
  is_deleted: fc.constantFrom(true, false, null),
}
const record = fc.record({ id, sku, ...fields }, { requiredKeys: [] })
const body = fc.oneof(record, fc.array(record, { maxLength: 4 }))
const flag = (name: string) => fc.constantFrom('', `&${name}=true`)
const request = fc.oneof(
  fc.record({ method: fc.constant('POST'), path: fc.constant(''), body }),
  fc.record({
    method: fc.constant('PATCH'),
    path: fc.tuple(id, flag('include_deleted')).map(([key, more]) => `${key}/?${more}`),
    body: record,
  }),
  fc.record({ method: fc.constant('PATCH'), path: flag('include_deleted').map((more) => `?${more}`), body }),
  fc.record({
    method: fc.constant('POST'),
    path: fc
      .tuple(fc.constantFrom('id', 'sku', 'label,n'), flag('include_deleted'))
      .map(([key, more]) => `upsert/?unique_fields=${key}${more}`),
    body,
  }),
  fc.record({
    method: fc.constant('DELETE'),
    path: fc.tuple(id, flag('hard_delete')).map(([key, more]) => `${key}/?${more}`),
  }),
  fc.record({
    method: fc.constant('DELETE'),
    path: fc.tuple(fc.array(id), flag('hard_delete')).map(([keys, more]) => `?ids=${keys}${more}`),
  }),
  fc.record({ method: fc.constant('DELETE'), path: fc.nat(3).map((n) => `?filter={"n__gte":${n}}`) }),
  fc.record({
    method: fc.constant('GET'),
    path: fc.constantFrom(
      '?ordering=-n,label&include_deleted=true',
      '?_aggregate=count(*),sum(n),max(sku)&_group_by=label',
      '2/',
      '?only_deleted=true&_count=true',
    ),
  }),
)

describe('a random sequence of requests', () => {
  it('gets the same answers for documents as for columns', async () => {
    const tables = [shop.data('items'), papers('items')]
    const sequences = runs(5, 60)
    let successes = 0
    const property = fc.asyncProperty(
      fc.array(request, { minLength: 20, maxLength: 20 }),
      async (requests) => {
        for (const name of ['shop_items', 'papers_items'])
          await app.sql(`truncate ${shop.schema}.${name} restart identity`)
        await app.sql(`select setval($1, 1, false)`, [`${shop.schema}."papers_items$seq"`])
        for (const { method, path, body: sent } of requests as {
          method: string
          path: string
          body?: unknown
        }[]) {
          const answers = []
          for (const table of tables) {
            const answer = await app.request(method, `${table}${path}`, {
              token: shop.owner.token,
              ...(sent === undefined ? {} : { body: sent }),
            })
            answers.push({ status: answer.status, body: answer.body })
          }
          expect(answers[1], `${method} ${path} ${JSON.stringify(sent)}`).toEqual(answers[0])
          successes += Number((answers[0]?.status ?? 500) < 300)
        }
      },
    )
    await fc.assert(property, { numRuns: sequences, endOnFailure: true })
    expect(successes).toBeGreaterThan(4 * sequences)
  })
})
