/** Postgres answers what the query means: generated queries of generated rows, beside an evaluator that shares nothing with the service. */
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Table } from '../../../src/data/datatables/table.ts'
import { type RelationshipGraph, relationshipGraph } from '../../../src/data/query/relationships.ts'
import { renderList } from '../../../src/data/query/render-list.ts'
import type { Sql } from '../../../src/db/sql.ts'
import { startApp, type TestApp } from '../../support/app.ts'
import { collection, documents, keyOfTable } from '../../support/collection.ts'
import { addDocuments, addRows, createShop, type Shop } from '../../support/fixtures.ts'
import { planOf } from '../../support/queries.ts'
import { evaluate, keyOf } from '../../support/query-evaluator.ts'
import { asQueryString, type Query, type Row, type Rows, someQuery, someRows } from '../../support/query-model.ts'
import { tablesOf } from '../../support/tables.ts'
import { runInSite } from '../../support/tenant.ts'

let app: TestApp
let shop: Shop
let rows: Rows
let tables: Map<string, Table>
let graph: RelationshipGraph
let papers: Table

const seed = Math.floor(Math.random() * 2 ** 31)

beforeAll(async () => {
  app = await startApp()
  shop = await createShop(app, 'reference', collection)
  rows = fc.sample(someRows, { numRuns: 1, seed })[0] as Rows
  await addRows(app, shop, rows, keyOfTable)
  tables = tablesOf(collection.resources, Number(shop.schema.slice('site_'.length)))
  graph = relationshipGraph(tables)
  const { resources } = documents(collection)
  const data = await addDocuments(app, shop, resources)
  expect(await app.request('POST', data('works'), { token: shop.owner.token, body: rows.works })).toMatchObject({ status: 201 })
  papers = tablesOf(resources, Number(shop.schema.slice('site_'.length)), { app: 'papers', providerType: 'jsonb' }).get('works') as Table
})

/** How many of the queries found anything, each of them what the evaluator finds. */
async function compared(queries: readonly Query[], statementOf: (query: Query) => Sql): Promise<number> {
  let found = 0
  for (let start = 0; start < queries.length; start += 100) {
    const batch = queries.slice(start, start + 100)
    const statements = batch.map(statementOf)
    const results = await runInSite(app, shop, statements)
    for (const [index, query] of batch.entries()) {
      const { data: text, total, has_more } = results.one<{ data: string; total: number | null; has_more: boolean | null }>(index)
      const keys = (JSON.parse(text) as Row[]).map((row) => keyOf(query.table, row))
      const wanted = evaluate(rows, query)
      const hasMore = query.offset + query.limit < wanted.total
      expect(
        // Without a total, whether there are more is all that is known.
        { keys, total: query.total === 'none' ? wanted.total : total, hasMore: has_more ?? hasMore },
        `seed ${seed}: ${query.table} ${decodeURIComponent(asQueryString(query))}`,
      ).toEqual({ ...wanted, hasMore })
      found += Number(wanted.total > 0)
    }
  }
  return found
}

describe('what a list answers', () => {
  // It would be no proof, were most of the answers empty.
  it('is what the query means: 2,000 queries by operators, trees, related records, orders and pages', async () => {
    const queries = fc.sample(someQuery, { numRuns: 2000, seed })
    const statementOf = (query: Query) => renderList(planOf(tables.get(query.table) as Table, graph, asQueryString(query)))
    expect(await compared(queries, statementOf)).toBeGreaterThan(700)
  }, 60_000)

  it('is the same where records are documents: 500 queries that ask for nothing related', async () => {
    const isPlain = (query: Query) => query.table === 'works' && !JSON.stringify(query).includes('"path":["')
    const queries = fc.sample(someQuery.filter(isPlain), { numRuns: 500, seed })
    const none = relationshipGraph(new Map([['works', papers]]))
    expect(await compared(queries, (query) => renderList(planOf(papers, none, asQueryString(query))))).toBeGreaterThan(150)
  }, 60_000)

  it('is the same for a client: 60 of them over HTTP', async () => {
    for (const query of fc.sample(someQuery, { numRuns: 60, seed: seed + 1 })) {
      const { body } = await app.request('GET', `${shop.data(query.table)}?${asQueryString(query)}`, { token: shop.owner.token })
      const { keys, total } = evaluate(rows, query)
      const said = { keys: body.data?.map((row: Row) => keyOf(query.table, row)), total: body.total, meta: body.meta }
      const { offset, limit } = query
      const context = `seed ${seed}: ${query.table} ${decodeURIComponent(asQueryString(query))}`
      const shown = query.total === 'none' ? null : total
      const is = query.total && { total_is: query.total === 'none' ? 'none' : 'exact' }
      expect(said, context).toEqual({ keys, total: shown, meta: { offset, limit, count: shown, has_more: offset + limit < total, ...is } })
    }
  })
})
