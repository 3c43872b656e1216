/** Generated rules on generated rows: guests see what an evaluator allows that shares no code with the service. */
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '../../support/app.ts'
import { collection, keyOfTable } from '../../support/collection.ts'
import { addRows, createShop, type Shop } from '../../support/fixtures.ts'
import { evaluate } from '../../support/query-evaluator.ts'
import {
  asFilter,
  asQueryString,
  type Node,
  type Query,
  type Row,
  type Rows,
  someQuery,
  someRows,
} from '../../support/query-model.ts'
import { runs } from '../../support/runs.ts'
import { scaled } from '../../support/scaled.ts'
import { seed } from '../../support/seed.ts'

const tables = collection.resources.map(({ name }) => name)

let app: TestApp
let shop: Shop
let rows: Rows

beforeAll(async () => {
  app = await startApp()
  shop = await createShop(app, 'guests', collection)
  rows = fc.sample(someRows, { numRuns: 1, seed })[0] as Rows
  await addRows(app, shop, rows, keyOfTable)
})

/** A query that only chooses records. */
const plain = (table: string, tree: Node): Query => ({
  table,
  tree,
  annotations: [],
  distinct: [],
  populate: [],
  fields: [],
  filters: [],
  sort: [],
  offset: 0,
  limit: 1_000_000,
  way: 'limit',
  total: undefined,
  deleted: 'excluded',
  language: undefined,
})

/** The trees of filters of generated queries, without operators that rules do not take. */
const someTrees = (table: string, count: number): Node[] =>
  fc
    .sample(
      someQuery.filter(
        (query) =>
          query.table === table &&
          query.tree !== undefined &&
          query.annotations.length === 0 &&
          !/"operator":"(within|i?matches)"/.test(JSON.stringify(query.tree)),
      ),
      { numRuns: count, seed: seed + 1 },
    )
    .map(({ tree }) => tree as Node)

/** What guests see: the records that one of the trees of their table lets pass. */
const visibleRows = (trees: ReadonlyMap<string, readonly Node[]>): Rows =>
  Object.fromEntries(
    tables.map((table) => {
      const { keys } = evaluate(rows, plain(table, { or: trees.get(table) ?? [] }))
      const isKey = new Set(keys)
      const all = rows[table] as readonly Row[]
      return [table, all.filter((row) => isKey.has(keyTextOf(table, row)))]
    }),
  )

/** The key of a row, as the evaluator writes it. */
const keyTextOf = (table: string, row: Row): string =>
  evaluate({ ...rows, [table]: [row] }, { ...plain(table, { and: [] }), deleted: 'included' })
    .keys[0] as string

async function setRules(trees: ReadonlyMap<string, readonly Node[]>): Promise<void> {
  for (const [table, all] of trees) {
    const rules = all.map((tree, index) => ({
      name: `rule ${index}`,
      who: index === 0 ? 'anyone' : 'signed-in',
      can: ['read'],
      where: asFilter(tree),
    }))
    const path = `${shop.api}/apps/shop/datatables/${table}/access/`
    const { status, body } = await app.request('PUT', path, { token: shop.owner.token, body: { rules } })
    expect([status, body], `seed ${seed}`).toEqual([200, { rules }])
  }
}

describe('what a guest reads', () => {
  it(
    'is what the rules allow, whatever is asked: lists, totals, related records, annotations',
    async () => {
      const stranger = await app.user('stranger')
      const rounds = runs(6, 250)
      const asked = fc.sample(
        someQuery.filter(({ deleted }) => deleted === 'excluded'),
        { numRuns: rounds * 10, seed: seed + 2 },
      )
      const trees = new Map(tables.map((table) => [table, someTrees(table, rounds * 2)]))
      let found = 0
      for (let round = 0; round < rounds; round++) {
        const rulesOf = (count: number) =>
          new Map(
            tables.map((table) => [table, (trees.get(table) ?? []).slice(round * 2, round * 2 + count)]),
          )
        await setRules(rulesOf(2))
        for (const { token, seen } of [
          { token: undefined, seen: visibleRows(rulesOf(1)) },
          { token: stranger.token, seen: visibleRows(rulesOf(2)) },
        ]) {
          for (const query of asked.slice(round * 10, round * 10 + 5)) {
            const text = asQueryString(query)
            const { status, body } = await app.request('GET', `${shop.data(query.table)}?${text}`, {
              ...(token === undefined ? {} : { token }),
            })
            const wanted = evaluate(seen, query)
            const total = query.total === 'none' ? null : wanted.total
            const rules = JSON.stringify(Object.fromEntries(rulesOf(2)))
            expect(
              { status, data: body.data, total: body.total },
              `seed ${seed}, ${token ? 'signed in' : 'anyone'}: ${query.table} ${decodeURIComponent(text)} ${rules}`,
            ).toEqual({ status: 200, data: wanted.data, total })
            found += Number(wanted.total > 0)
          }
        }
      }
      // The test would prove nothing if most answers were empty.
      expect(found).toBeGreaterThan(rounds)
    },
    scaled(400_000),
  )
})
