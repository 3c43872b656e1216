/** The indexes of a schema: which filters, orders and searches use them in Postgres. D6. */
import { beforeAll, describe, expect, it } from 'vitest'
import { type RelationshipGraph, relationshipGraph } from '../../../src/data/model/relationships.ts'
import type { Table } from '../../../src/data/model/table.ts'
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
    { name: 'title', type: 'string' },
    { name: 'about', type: 'object' },
  ],
  primaryKey: 'id',
  indexes: [
    { name: 'title', fields: ['title'], method: 'trigram' },
    { name: 'about', fields: ['about'], method: 'gin' },
    { name: 'power', fields: ['about.power::number'] },
    { name: 'seen', fields: ['about.seen::datetime'] },
    { name: 'maker', fields: ['about.maker.name::string'], method: 'trigram' },
    { name: 'tags', fields: ['about.tags'], method: 'gin' },
  ],
  search_fields: ['title'],
}
const resources = [{ name: 'tools', schema }]

/** The values of a row. `n` is its number. */
const values = `'Item ' || md5(n::text) || case when n % 500 = 0 then ' Hammer' else '' end as title,
  jsonb_build_object('power', n, 'seen', '2026-01-01T00:00:00Z', 'tags', jsonb_build_array('t' || n),
                     'maker', jsonb_build_object('name', 'Maker ' || md5((n * 7)::text))) as about`
const rows = `generate_series(1, 8000) n, lateral (select ${values}) _row`

let app: TestApp
let shop: Shop
const tables = new Map<string, { table: Table; graph: RelationshipGraph }>()

beforeAll(async () => {
  app = await startApp()
  shop = await createShop(app, 'indexes', { resources })
  await addDocuments(app, shop, resources)
  await app.sql(
    `insert into ${shop.schema}.shop_tools (id, title, about) select n, title, about from ${rows}`,
  )
  await app.sql(
    `insert into ${shop.schema}.papers_tools (_data)
       select jsonb_build_object('id', n, 'title', title, 'about', about) from ${rows}`,
  )
  const siteId = Number(shop.schema.slice('site_'.length))
  for (const [providerType, name] of [
    ['flat_table', 'shop'],
    ['jsonb', 'papers'],
  ] as const) {
    // Vacuum moves new entries of a GIN index from its pending list into its tree.
    await app.sql(`vacuum analyze ${shop.schema}.${name}_tools`)
    const table = tablesOf(resources, siteId, { app: name, providerType }).get('tools') as Table
    tables.set(providerType, { table, graph: relationshipGraph(new Map([['tools', table]])) })
  }
})

/** Returns the indexes that Postgres uses for a query, without the name of the table. */
async function indexesUsed(providerType: string, query: string): Promise<string[]> {
  const { table, graph } = tables.get(providerType) as NonNullable<ReturnType<typeof tables.get>>
  const plan = planOf(table, graph, `${query}&_total=none`)
  const explained = await runInSite(app, shop, [sql`explain (format json) ${renderList(plan)}`])
  const names = [...JSON.stringify(explained.one(0)).matchAll(/Index Name\W+([\w$]+)/g)]
  return [...new Set(names.map(([, name]) => (name as string).split('$')[1] ?? ''))].sort()
}

const filters = (tree: unknown) => `filters=${encodeURIComponent(JSON.stringify(tree))}`

describe.each(['flat_table', 'jsonb'])('the indexes of a %s table', (providerType) => {
  it.each([
    ['title__icontains=hammer', 'title'],
    ['title__contains=Hammer', 'title'],
    ['title__iendswith=HAMMER', 'title'],
    ['title__istartswith=item%20c4ca42', 'title'],
    ['title__icontains=hammer&ordering=-id', 'title'],
    [filters({ about__maker__name__icontains: 'c4ca42' }), 'maker'],
    ['about__maker__name__istartswith=maker%20c4ca42', 'maker'],
    ['about__power__gt=7990', 'power'],
    ['about__power__between=5,10', 'power'],
    [filters({ about__power: 5 }), 'power'],
    ['ordering=about.power::number&page_size=5', 'power'],
    [`about__contains=${encodeURIComponent('{"power": 5}')}`, 'about'],
    [filters({ about__tags__contains: ['t5'] }), 'tags'],
    ['search=hammer', 'search_idx'],
    ['search=c4ca4*', 'search_idx,words_idx'],
    [filters({ or: [{ search: 'hammer' }, { about__power: 5 }] }), 'power,search_idx'],
    ['search=hamner&_fuzzy=true', 'search_idx,title'],
  ])('%s uses the index %s', async (query, index) => {
    expect((await indexesUsed(providerType, query)).join()).toBe(index)
  })
})
