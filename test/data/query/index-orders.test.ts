/** Orders whose records without a value are placed elsewhere than in an index, and indexes with directions. */
import { beforeAll, describe, expect, it } from 'vitest'
import { relationshipGraph } from '../../../src/data/model/relationships.ts'
import { renderList } from '../../../src/data/query/render/render-list.ts'
import { sql } from '../../../src/kernel/db/sql.ts'
import { startApp, type TestApp } from '../../support/app.ts'
import { addDocuments, createShop, type Shop } from '../../support/fixtures.ts'
import { planOf } from '../../support/queries.ts'
import { tablesOf } from '../../support/tables.ts'
import { runInSite } from '../../support/tenant.ts'

const schema = {
  fields: [
    { name: 'id', type: 'integer' },
    { name: 'kind', type: 'string', constraints: { required: true } },
    { name: 'seen_at', type: 'datetime' },
    { name: 'is_deleted', type: 'boolean' },
  ],
  primaryKey: 'id',
  indexes: [
    { name: 'by_time', fields: ['seen_at'] },
    { name: 'by_kind', fields: ['kind', 'seen_at'], descending: ['seen_at'] },
  ],
}
const resources = [{ name: 'events', schema }]
/** Every third record has no time, and the hundredth ones are deleted. */
const rows = `select n as id, 'kind ' || n % 4 as kind,
    case when n % 3 > 0 then timestamptz '2026-01-01Z' + n * interval '1 minute' end as seen_at,
    n % 100 = 0 as is_deleted
  from generate_series(1, 3000) n`
const all = Array.from({ length: 3000 }, (_, index) => index + 1).filter((id) => id % 100 > 0)
const [withTime, without] = [all.filter((id) => id % 3 > 0), all.filter((id) => id % 3 === 0)]

let app: TestApp
let shop: Shop
let paths: Record<string, string>

beforeAll(async () => {
  app = await startApp()
  shop = await createShop(app, 'index-orders', { resources })
  const inDocuments = await addDocuments(app, shop, resources)
  paths = { flat_table: shop.data('events'), jsonb: inDocuments('events') }
  await app.sql(`insert into ${shop.schema}.shop_events ${rows}`)
  await app.sql(`insert into ${shop.schema}.papers_events select to_jsonb(r) from (${rows}) r`)
  await app.sql(`vacuum analyze ${shop.schema}.shop_events`)
  await app.sql(`vacuum analyze ${shop.schema}.papers_events`)
})

describe.each(['flat_table', 'jsonb'])('an order in a %s table', (providerType) => {
  const newest = [...withTime.toReversed(), ...without]

  it.each([
    ['ordering=-seen_at&limit=3', newest.slice(0, 3)],
    ['ordering=-seen_at&limit=4&offset=500', newest.slice(500, 504)],
    ['ordering=-seen_at&limit=6&offset=1977', newest.slice(1977, 1983)],
    ['ordering=-seen_at&limit=3&offset=2500', newest.slice(2500, 2503)],
    ['ordering=-seen_at&limit=3&offset=2968', newest.slice(2968)],
    ['ordering=seen_at.nullsfirst&limit=3', without.slice(0, 3)],
    ['ordering=seen_at.nullsfirst&limit=4&offset=988', [...without.slice(988), ...withTime.slice(0, 2)]],
    ['ordering=-seen_at&kind=kind%201&limit=2', [2993, 2989]],
    ['ordering=-seen_at&id__lte=4', [4, 2, 1, 3]],
  ])('places records without a value, on every page: %s', async (query, ids) => {
    const { body } = await app.request('GET', `${paths[providerType]}?${query}&fields=id`, {
      token: shop.owner.token,
    })
    expect(body.data.map(({ id }: { id: number }) => id)).toEqual(ids)
  })

  it.each<[query: string, index: string, most?: number]>([
    ['ordering=-seen_at', 'by_time'],
    ['ordering=-seen_at&limit=5&offset=100', 'by_time'],
    ['ordering=-seen_at&after=', 'by_time'],
    ['ordering=-seen_at&fields=id', 'by_time'],
    ['ordering=kind,-seen_at', 'by_kind'],
    ['ordering=-kind,seen_at.nullsfirst', 'by_kind', 300],
    // The index has those without a value in no order.
    ['ordering=seen_at.nullsfirst', 'by_time', 1000],
  ])('%s is that of the index %s: nothing but its last terms is sorted', async (query, index, most = 200) => {
    const site = Number(shop.schema.slice('site_'.length))
    const name = providerType === 'jsonb' ? 'papers' : 'shop'
    const table = tablesOf(resources, site, { app: name, providerType }).get('events')
    if (!table) throw new Error('no table')
    const keyset = query.includes('after=') ? { parameter: 'after' as const, position: undefined } : undefined
    const graph = relationshipGraph(new Map([['events', table]]))
    const list = renderList(planOf(table, graph, `${query}&_total=none`, keyset))
    const results = await runInSite(app, shop, [sql`explain (analyze, format json) ${list}`])
    const explained = JSON.stringify(results.rows(0))
    expect([...explained.matchAll(/Index Name\W+[\w]+\$(\w+)\$/g)].map(([, one]) => one)).toContain(index)
    // No scan has read more than the records before the page and a few others.
    const read = [...explained.matchAll(/Relation Name.*?Actual Rows\W+(\d+)/g)].map(([, n]) => Number(n))
    expect(Math.max(...read)).toBeLessThan(most)
  })
})

describe('a count in a table with soft deletion', () => {
  const explain = async (query: string) => {
    const [row] = await app.sql(`explain (format json) ${query}`)
    return (row as { 'QUERY PLAN': [{ Plan: Record<string, unknown> }] })['QUERY PLAN'][0].Plan
  }

  it('reads the index alone, whose last value is the mark, with and without the deleted records', async () => {
    // Other tests of the server can keep a vacuum from seeing that every row is visible to all.
    await app.sql(
      `update pg_class set relallvisible = relpages where oid = '${shop.schema}.shop_events'::regclass`,
    )
    for (const mark of ['and is_deleted is not true', '']) {
      const plan = await explain(
        `select count(*) from ${shop.schema}.shop_events where kind = 'kind 1' and seen_at < '2026-01-01T05:00Z' ${mark}`,
      )
      expect(JSON.stringify(plan)).toContain('"Node Type":"Index Only Scan"')
      expect(JSON.stringify(plan)).toContain('$by_kind$')
    }
  })

  it('of documents is estimated from what Postgres knows of the mark', async () => {
    const plan = await explain(
      `select from ${shop.schema}.papers_events where (_data ->> 'is_deleted')::boolean is not true`,
    )
    expect(Math.abs(Number(plan['Plan Rows']) - all.length)).toBeLessThan(all.length / 20)
  })
})
