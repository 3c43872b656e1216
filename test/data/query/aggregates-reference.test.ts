/** Aggregations compared with SQL statements that are written independently of the service. */
import { neon } from '@neondatabase/serverless'
import fc from 'fast-check'
import { beforeAll, describe, expect, inject, it } from 'vitest'
import { type RelationshipGraph, relationshipGraph } from '../../../src/data/model/relationships.ts'
import type { Table } from '../../../src/data/model/table.ts'
import type { DatabaseFailure } from '../../../src/kernel/db/failures.ts'
import type { Sql } from '../../../src/kernel/db/sql.ts'
import { type AggregateQuery, someAggregateQuery } from '../../support/aggregate-model.ts'
import { createSite, type Site, startApp, type TestApp } from '../../support/app.ts'
import { collection, documents, keyOfTable } from '../../support/collection.ts'
import { addDocuments, addRows } from '../../support/fixtures.ts'
import { aggregationSql } from '../../support/queries.ts'
import type { Rows } from '../../support/query-model.ts'
import { someRows } from '../../support/row-generator.ts'
import { runs } from '../../support/runs.ts'
import { seed } from '../../support/seed.ts'
import { tablesOf } from '../../support/tables.ts'
import { runInSite } from '../../support/tenant.ts'

let app: TestApp
let site: Site
let works: Table
let papers: Table
let graph: RelationshipGraph

const data = (table: string) => `${site.api}/apps/shop/datatables/${table}/data/`

beforeAll(async () => {
  app = await startApp()
  site = await createSite(app, 'aggregates')
  const { token } = site.owner
  await app.request('POST', `${site.api}/apps/`, { token, body: { name: 'shop' } })
  const made = await app.request('POST', `${site.api}/apps/shop/datatables/create_schema/?materialize=true`, {
    token,
    body: collection,
  })
  expect(made.status).toBe(201)
  const rows = fc.sample(someRows, { numRuns: 1, seed })[0] as Rows
  await addRows(app, { ...site, data }, rows, keyOfTable)
  const { resources } = documents(collection)
  const dataOf = await addDocuments(app, site, resources)
  expect(await app.request('POST', dataOf('works'), { token, body: rows.works })).toMatchObject({
    status: 201,
  })
  papers = tablesOf(resources, Number(site.schema.slice('site_'.length)), {
    app: 'papers',
    providerType: 'jsonb',
  }).get('works') as Table
  const tables = tablesOf(collection.resources, Number(site.schema.slice('site_'.length)))
  works = tables.get('works') as Table
  graph = relationshipGraph(tables)
})

const queryString = ({ parameters }: AggregateQuery) => new URLSearchParams(parameters).toString()

/** Writes a datetime as the service does, with Z at the end. */
const asShown = (rows: unknown) => JSON.parse(JSON.stringify(rows).replaceAll('+00:00"', 'Z"'))

/** Runs queries, and compares each with its SQL statement. Returns the number of rows. */
async function compared(
  queries: readonly AggregateQuery[],
  statementOf: (query: AggregateQuery) => Sql,
): Promise<number> {
  const direct = neon(superuserUrl())
  const context = (query: AggregateQuery) => `seed ${seed}: ${JSON.stringify(query.parameters, undefined, 1)}`
  const ask = (batch: readonly AggregateQuery[]) =>
    direct.transaction([
      direct.query("select set_config('timezone', 'UTC', true)"),
      ...batch.flatMap(({ rows, total }) => [
        direct.query(rows),
        direct.query(total ?? 'select null as total'),
      ]),
    ])

  async function foundIn(batch: readonly AggregateQuery[]): Promise<number> {
    const ours = await runInSite(app, site, batch.map(statementOf)).catch((failure) => failure)
    if (ours instanceof Error) {
      // Random numbers can leave the range of bigint. Then both sides must fail.
      if (batch.length > 1)
        return (
          (await foundIn(batch.slice(0, batch.length / 2))) + (await foundIn(batch.slice(batch.length / 2)))
        )
      const theirs = await ask(batch).catch((failure) => failure)
      expect([(ours as DatabaseFailure).sqlstate, theirs.code], context(batch[0] as AggregateQuery)).toEqual([
        '22003',
        '22003',
      ])
      return 0
    }
    const theirs = await ask(batch)
    let found = 0
    for (const [index, query] of batch.entries()) {
      const { data: text, counted } = ours.one(index)
      const [{ rows } = { rows: null }] = theirs[1 + 2 * index] as { rows: unknown }[]
      const [{ total: wanted } = { total: null }] = theirs[2 + 2 * index] as { total: unknown }[]
      const said = query.total ? JSON.parse(text) : [JSON.parse(text)]
      expect({ rows: said, total: counted?.total ?? null }, context(query)).toEqual({
        rows: asShown(rows),
        total: wanted,
      })
      found += said.length
    }
    return found
  }

  let found = 0
  for (let start = 0; start < queries.length; start += 50)
    found += await foundIn(queries.slice(start, start + 50))
  return found
}

describe('an aggregation', () => {
  it('returns the same as its SQL statement: expressions, groups, _having, orders and pages', async () => {
    const queries = fc.sample(someAggregateQuery(site.schema), { numRuns: runs(150, 2_000), seed })
    expect(
      await compared(queries, (query) => aggregationSql(works, graph, queryString(query))),
    ).toBeGreaterThan(queries.length)
  })

  it('of documents returns the same, without related records', async () => {
    const isPlain = ({ parameters }: AggregateQuery) =>
      !/artist|restorer|populate/.test(JSON.stringify(parameters))
    const queries = fc.sample(someAggregateQuery(site.schema).filter(isPlain), {
      numRuns: runs(150, 2_000),
      seed,
    })
    const none = relationshipGraph(new Map([['works', papers]]))
    expect(
      await compared(queries, (query) => aggregationSql(papers, none, queryString(query))),
    ).toBeGreaterThan(queries.length)
  })
})

function superuserUrl(): string {
  const url = new URL(inject('superuserUrl'))
  url.pathname = new URL(app.databaseUrl).pathname
  return url.href
}
