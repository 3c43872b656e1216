/** Generated queries on generated rows, compared with an evaluator that shares no code with the service. */
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { tableAsOf, type VersionedTable } from '../../../src/data/model/history.ts'
import { type RelationshipGraph, relationshipGraph } from '../../../src/data/model/relationships.ts'
import type { Table } from '../../../src/data/model/table.ts'
import { type ListRow, renderList } from '../../../src/data/query/render/render-list.ts'
import { totalOf } from '../../../src/data/records/total.ts'
import type { Sql } from '../../../src/kernel/db/sql.ts'
import { startApp, type TestApp } from '../../support/app.ts'
import { collection, documents, keyOfTable } from '../../support/collection.ts'
import { addDocuments, addRows, createShop, type Shop } from '../../support/fixtures.ts'
import { planOf } from '../../support/queries.ts'
import { evaluate } from '../../support/query-evaluator.ts'
import { someQuery } from '../../support/query-generator.ts'
import type { Query, Row, Rows } from '../../support/query-model.ts'
import { asQueryString } from '../../support/query-writer.ts'
import { someRows } from '../../support/row-generator.ts'
import { runs } from '../../support/runs.ts'
import { seed } from '../../support/seed.ts'
import { tablesOf } from '../../support/tables.ts'
import { runInSite } from '../../support/tenant.ts'

let app: TestApp
let shop: Shop
let rows: Rows
let tables: Map<string, Table>
let graph: RelationshipGraph
let papers: Table

beforeAll(async () => {
  app = await startApp()
  shop = await createShop(app, 'reference', collection)
  rows = fc.sample(someRows, { numRuns: 1, seed })[0] as Rows
  await addRows(app, shop, rows, keyOfTable)
  tables = tablesOf(collection.resources, Number(shop.schema.slice('site_'.length)))
  graph = relationshipGraph(tables)
  const { resources } = documents(collection)
  const data = await addDocuments(app, shop, resources)
  expect(
    await app.request('POST', data('works'), { token: shop.owner.token, body: rows.works }),
  ).toMatchObject({ status: 201 })
  papers = tablesOf(resources, Number(shop.schema.slice('site_'.length)), {
    app: 'papers',
    providerType: 'jsonb',
  }).get('works') as Table
})

/** Runs queries, and compares each with the evaluator. Returns the number of queries that found anything. */
async function compared(
  queries: readonly Query[],
  statementOf: (query: Query) => Sql,
  site = shop,
): Promise<number> {
  let found = 0
  for (let start = 0; start < queries.length; start += 100) {
    const batch = queries.slice(start, start + 100)
    const statements = batch.map(statementOf)
    const results = await runInSite(app, site, statements)
    for (const [index, query] of batch.entries()) {
      const row = results.one<ListRow>(index)
      const records = JSON.parse(row.data) as Row[]
      const wanted = evaluate(rows, query)
      const isNone = query.total === 'none'
      const { total, hasMore } = totalOf({ ...query, total: isNone ? 'none' : undefined }, row)
      expect(
        { data: records, total, hasMore },
        `seed ${seed}: ${query.table} ${decodeURIComponent(asQueryString(query))}`,
      ).toEqual({
        data: wanted.data,
        total: isNone ? null : wanted.total,
        hasMore: query.offset + query.limit < wanted.total,
      })
      found += Number(wanted.total > 0)
    }
  }
  return found
}

describe('the result of a list', () => {
  // The test proves nothing if most answers are empty.
  it("equals the evaluator's: operators, trees, related records, orders and pages", async () => {
    const queries = fc.sample(someQuery, { numRuns: runs(300, 6_000), seed })
    const statementOf = (query: Query) =>
      renderList(planOf(tables.get(query.table) as Table, graph, asQueryString(query)))
    expect(await compared(queries, statementOf)).toBeGreaterThan(runs(100, 2_000))
  })

  it("equals the evaluator's for documents, without related records", async () => {
    const isPlain = (query: Query) =>
      query.table === 'works' &&
      query.populate.length === 0 &&
      !/"(?:path|scope)":\["/.test(JSON.stringify(query))
    const queries = fc.sample(someQuery.filter(isPlain), { numRuns: runs(100, 2_000), seed })
    const none = relationshipGraph(new Map([['works', papers]]))
    expect(
      await compared(queries, (query) => renderList(planOf(papers, none, asQueryString(query)))),
    ).toBeGreaterThan(runs(30, 600))
  })

  it.each(['flat_table', 'jsonb'])(
    "equals the evaluator's for a time in the past in a %s datasource, regardless of later writes",
    async (providerType) => {
      const resources = collection.resources.map(({ name, schema }) => ({
        name,
        schema: { ...schema, history: true },
      }))
      const isFlat = providerType === 'flat_table'
      const past = await createShop(app, isFlat ? 'past' : 'past-papers', isFlat ? { resources } : undefined)
      const data = isFlat ? past.data : await addDocuments(app, past, resources)
      await addRows(app, { owner: past.owner, data }, rows, keyOfTable)
      const [{ at } = { at: '' }] = await app.sql<{ at: string }>('select clock_timestamp()::text as at')
      const change = (method: string, path: string, body?: unknown) =>
        app.request(method, path, { token: past.owner.token, ...(body === undefined ? {} : { body }) })
      const all = (key: string) => `filter=${encodeURIComponent(JSON.stringify({ [`${key}__gte`]: 0 }))}`
      await change('DELETE', `${data('hangings')}?${all('work_id')}`)
      await change('PATCH', `${data('artists')}?${all('id')}`, { name: 'Nobody', is_deleted: true })
      await change('PATCH', `${data('works')}?${all('id')}`, { price: 1, artist_id: null, tags: [] })
      const site = Number(past.schema.slice('site_'.length))
      const where = isFlat ? {} : { app: 'papers', providerType }
      const pastTables = new Map(
        [...tablesOf(resources, site, where)].map(([name, table]) => [
          name,
          tableAsOf(table as VersionedTable, at),
        ]),
      )
      const pastGraph = relationshipGraph(pastTables)
      const queries = fc.sample(someQuery, { numRuns: runs(100, 2_000), seed: seed + 3 })
      const statementOf = (query: Query) =>
        renderList(planOf(pastTables.get(query.table) as Table, pastGraph, asQueryString(query)))
      expect(await compared(queries, statementOf, past)).toBeGreaterThan(runs(30, 600))
    },
  )

  it('is complete if it is read in pages with cursors, from its beginning and from its end', async () => {
    for (const query of fc.sample(someQuery, { numRuns: runs(30, 600), seed: seed + 2 })) {
      const wanted = evaluate(rows, { ...query, offset: 0, limit: 1000 })
      const limit = Math.min(Math.max(query.limit, 3), 20)
      for (const parameter of ['after', 'before'] as const) {
        const pages: Row[][] = []
        for (let cursor: string | null = ''; cursor !== null; ) {
          const seek = parameter === 'after' ? { after: cursor } : { before: cursor }
          const asked = asQueryString({ ...query, limit }, seek)
          const { body } = await app.request('GET', `${shop.data(query.table)}?${asked}`, {
            token: shop.owner.token,
          })
          const context = `seed ${seed}: ${query.table} ${decodeURIComponent(asked)}`
          expect(body.total, context).toBe(query.total === 'none' ? null : wanted.total)
          pages.push(body.data)
          cursor = parameter === 'after' ? body.meta.next : body.meta.previous
        }
        const all = parameter === 'after' ? pages : pages.toReversed()
        expect(all.flat(), `seed ${seed}: ${decodeURIComponent(asQueryString(query))}`).toEqual(wanted.data)
      }
    }
  })

  it('is complete in a stream of JSON lines', async () => {
    for (const query of fc.sample(someQuery, { numRuns: runs(30, 600), seed: seed + 3 })) {
      const wanted = evaluate(rows, { ...query, offset: 0, limit: 1000 })
      const asked = asQueryString({ ...query, offset: 0, limit: 1000, way: 'limit' })
      const { text } = await app.request('GET', `${shop.data(query.table)}?${asked}`, {
        token: shop.owner.token,
        headers: { accept: 'application/x-ndjson' },
      })
      const lines = text.split('\n').slice(0, -1)
      const context = `seed ${seed}: ${query.table} ${decodeURIComponent(asked)}`
      expect(
        lines.map((line) => JSON.parse(line) as Row),
        context,
      ).toEqual(wanted.data)
    }
  })

  it("equals the evaluator's over HTTP", async () => {
    for (const query of fc.sample(someQuery, { numRuns: runs(20, 400), seed: seed + 1 })) {
      const { body } = await app.request('GET', `${shop.data(query.table)}?${asQueryString(query)}`, {
        token: shop.owner.token,
      })
      const { data, total } = evaluate(rows, query)
      const said = {
        data: body.data,
        total: body.total,
        meta: body.meta,
      }
      const { offset, limit } = query
      const context = `seed ${seed}: ${query.table} ${decodeURIComponent(asQueryString(query))}`
      const shown = query.total === 'none' ? null : total
      const total_is = query.total === 'none' ? 'none' : 'exact'
      expect(said, context).toEqual({
        data,
        total: shown,
        meta: { offset, limit, count: shown, has_more: offset + limit < total, total_is },
      })
    }
  })
})
