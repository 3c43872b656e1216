/** Generated rules on generated rows: guests see what an independent evaluator allows. */
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { anyone } from '../../../src/kernel/standing.ts'
import { startApp, type TestApp, type User } from '../../support/app.ts'
import { collection, keyOfTable } from '../../support/collection.ts'
import {
  addDocuments,
  addRows,
  addTables,
  createShop,
  removeRows,
  type Shop,
} from '../../support/fixtures.ts'
import { asGuest, guestContext, guestOf, written } from '../../support/guests.ts'
import { evaluate } from '../../support/query-evaluator.ts'
import { someQuery } from '../../support/query-generator.ts'
import type { Node, Query, Row, Rows } from '../../support/query-model.ts'
import { asFilter, asQueryString } from '../../support/query-writer.ts'
import { someRows } from '../../support/row-generator.ts'
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
})

async function setRows(next: Rows): Promise<void> {
  rows = next
  // A token is valid for 15 minutes, and all rounds together can take longer.
  shop = { ...shop, owner: await app.signedIn(shop.owner) }
  await removeRows(
    app,
    shop,
    tables.map((table) => ['shop', table]),
  )
  await addRows(app, shop, rows, keyOfTable)
}

/** Returns a query that only filters records. */
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

/** Returns filters of generated queries, without operators that rules do not allow. */
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

/** An access rule: which records it shows, and which of their fields. Undefined means all fields. */
interface Reading {
  tree: Node
  fields: readonly string[] | undefined
}
type Readings = ReadonlyMap<string, readonly Reading[]>

/** Returns what guests see: each record that a rule shows, with the fields of the rules that show it. */
const visibleRows = (rules: Readings): Rows =>
  Object.fromEntries(
    tables.map((table) => {
      const giving = (rules.get(table) ?? []).map(({ tree, fields }) => ({
        keys: new Set(evaluate(rows, plain(table, tree)).keys),
        fields,
      }))
      const seen = (rows[table] as readonly Row[]).flatMap((row): Row[] => {
        const mine = giving.filter(({ keys }) => keys.has(keyTextOf(table, row)))
        const isGiven = (name: string) => mine.some(({ fields }) => !fields || fields.includes(name))
        const shown = Object.entries(row).map(([name, value]) => [name, isGiven(name) ? value : null])
        return mine.length > 0 ? [Object.fromEntries(shown)] : []
      })
      return [table, seen]
    }),
  )

const fieldsOf = (table: string): string[] =>
  collection.resources
    .flatMap(({ name, schema }): readonly { name: string }[] => (name === table ? schema.fields : []))
    .map(({ name }) => name)

/** Generates the fields of rules: the primary key and some others. */
const someFields = (table: string, count: number): string[][] =>
  fc.sample(
    fc.subarray(fieldsOf(table)).map((some) => [...new Set([...keyOfTable(table), ...some])]),
    { numRuns: count, seed: seed + 3 },
  )

/** Returns the key of a row in the form of the evaluator. */
const keyTextOf = (table: string, row: Row): string =>
  evaluate({ ...rows, [table]: [row] }, { ...plain(table, { and: [] }), deleted: 'included' })
    .keys[0] as string

async function setRules(readings: Readings): Promise<void> {
  for (const [table, all] of readings) {
    const rules = all.map(({ tree, fields }, index) => ({
      name: `rule ${index}`,
      who: index === 0 ? 'anyone' : 'signed-in',
      can: ['read'],
      where: asFilter(tree),
      ...(fields ? { fields } : {}),
    }))
    const path = `${shop.api}/apps/shop/datatables/${table}/access/`
    const { status, body } = await app.request('PUT', path, { token: shop.owner.token, body: { rules } })
    expect([status, body.rules], `seed ${seed}`).toEqual([200, rules])
  }
}

/**
 * Expects counts, sums, groups, distinct values, CSV, JSON lines and single records to show only what the
 * guest sees.
 */
async function expectEqualForms(seen: Rows, { table }: Query, token: string | undefined): Promise<void> {
  const caller = token === undefined ? {} : { token }
  const read = async (rest: string) => {
    const { status, body } = await app.request('GET', `${shop.data(table)}${rest}`, caller)
    return { status, body }
  }
  const [key = 'id', ...others] = keyOfTable(table)
  const linesOf = async (accept: string) => {
    const path = `${shop.data(table)}?fields=${key}&limit=1000`
    const response = await app.open('GET', path, { ...caller, headers: { accept } })
    const text = new TextDecoder().decode(await response.arrayBuffer())
    return text.split(/\r?\n/).filter((line) => line !== '')
  }
  const sorted = (values: unknown[]) => values.map(String).sort()
  const { data, total } = evaluate(seen, plain(table, { and: [] }))
  const keys = sorted(data.map((record) => record[key]))
  const different = [...new Set(keys)]
  const groups = different.map((one) => `${one}: ${keys.filter((other) => other === one).length}`)
  const counted = await read('?_count=true')
  const grouped = await read(`?_group_by=${key}&_aggregate=count(*) as n&limit=1000`)
  const distinct = await read(`?_distinct=${key}&fields=${key}&limit=1000`)
  const summed = { cities: 'population', works: 'year' }[table]
  const sums = summed && (await read(`?_aggregate=sum(${summed}) as sum,count(${summed}) as n`))
  const values = summed ? (seen[table] ?? []).map((row) => row[summed]).filter((one) => one !== null) : []
  const [header, ...cells] = await linesOf('text/csv')
  const lines = await linesOf('application/x-ndjson')
  const found = (answer: typeof grouped) => answer.body.data.map((one: Record<string, unknown>) => one[key])
  const context = `seed ${seed}, ${token ? 'signed in' : 'anyone'}: ${table}`
  expect(
    {
      count: counted.body.total,
      sums: sums && [Number(sums.body.aggregates.sum), sums.body.aggregates.n],
      groups: grouped.body.data.map((one: Record<string, unknown>) => `${one[key]}: ${one.n}`).sort(),
      distinct: sorted(found(distinct)),
      header,
      csv: sorted(cells.map((value) => value.replaceAll('"', ''))),
      lines: sorted(lines.map((line) => JSON.parse(line)[key])),
    },
    context,
  ).toEqual({
    count: total,
    sums: summed && [values.reduce<number>((sum, one) => sum + Number(one), 0), values.length],
    groups: groups.sort(),
    distinct: different,
    header: key,
    csv: keys,
    lines: keys,
  })
  if (others.length > 0) return
  for (const row of (rows[table] ?? []).slice(0, 4)) {
    const name = keyTextOf(table, row)
    const one = await read(`${name}/`)
    const wanted = keys.includes(String(row[key])) ? 200 : 404
    expect([name, one.status, one.body.data?.[key]], context).toEqual([
      name,
      wanted,
      wanted === 200 ? row[key] : undefined,
    ])
  }
}

/** Expects the guest role in Postgres to see the same records, with values in the same fields. */
async function expectEqualInPostgres(seen: Rows, table: string, user: User | undefined): Promise<void> {
  const ctx = guestContext(app, shop, user)
  const standing = { ...anyone, signedIn: user !== undefined }
  const names = fieldsOf(table)
  const columns = names.map((name) =>
    keyOfTable(table).includes(name) ? `"${name}"` : `"${name}" is not null as "${name}"`,
  )
  const view = `"${guestOf(shop)}"."shop_${table}"`
  const found = await asGuest(ctx, standing, [written(`select ${columns.join()} from ${view}`)])
  const wanted = (seen[table] ?? []).map((row) =>
    Object.fromEntries(
      names.map((name) => [
        name,
        keyOfTable(table).includes(name) ? row[name] : (row[name] ?? null) !== null,
      ]),
    ),
  )
  const sorted = (all: readonly object[]) => all.map((one) => JSON.stringify(one)).sort()
  const context = `seed ${seed}, ${user ? 'signed in' : 'anyone'}, in Postgres: ${table}`
  expect(sorted(found.rows()), context).toEqual(sorted(wanted))
}

describe('a guest', () => {
  it(
    'reads exactly what the rules allow: lists, totals, sums, related records, annotations, and in Postgres itself',
    async () => {
      let stranger = await app.user('stranger')
      const rounds = runs(6, 500)
      const asked = fc.sample(
        someQuery.filter(({ deleted }) => deleted === 'excluded'),
        { numRuns: rounds * 10, seed: seed + 2 },
      )
      const trees = new Map(tables.map((table) => [table, someTrees(table, rounds * 2)]))
      const shown = new Map(tables.map((table) => [table, someFields(table, rounds)]))
      let found = 0
      for (const [round, some] of fc.sample(someRows, { numRuns: rounds, seed }).entries()) {
        await setRows(some)
        stranger = await app.signedIn(stranger)
        // The first rule shows all fields, so that queries may name any field.
        const rulesOf = (count: number): Readings =>
          new Map(
            tables.map((table) => [
              table,
              (trees.get(table) ?? []).slice(round * 2, round * 2 + count).map((tree, index) => ({
                tree,
                fields: index === 0 ? undefined : shown.get(table)?.[round],
              })),
            ]),
          )
        await setRules(rulesOf(2))
        for (const { user, seen } of [
          { user: undefined, seen: visibleRows(rulesOf(1)) },
          { user: stranger, seen: visibleRows(rulesOf(2)) },
        ]) {
          const token = user?.token
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
          const query = asked[round * 10] as Query
          await expectEqualForms(seen, query, token)
          await expectEqualInPostgres(seen, query.table, user)
        }
      }
      // The test proves nothing if most answers are empty.
      expect(found).toBeGreaterThan(rounds / 3)
    },
    scaled(1_200_000),
  )
})

interface Paper {
  id: number
  colour: string | null
  size: number
}
interface Version {
  number: number
  operation: 'create' | 'update' | 'delete'
  paper: Paper
}
interface Part {
  where: object
  has(paper: Paper): boolean
}

const papersTable = {
  name: 'papers',
  schema: {
    fields: [
      { name: 'id', type: 'integer' },
      { name: 'colour', type: 'string' },
      { name: 'size', type: 'integer' },
    ],
    primaryKey: 'id',
    history: true,
  },
}
const paperFields = ['id', 'colour', 'size'] as const

interface Rule {
  who: 'anyone' | 'signed-in'
  can: ('read' | 'history')[]
  part: Part
  fields: string[] | undefined
}

const someRules: fc.Arbitrary<Rule[]> = fc.array(
  fc.record<Rule>({
    who: fc.constantFrom('anyone', 'signed-in'),
    can: fc.constantFrom(['read'], ['read', 'history'], ['read', 'history']),
    part: fc.constantFrom<Part>(
      { where: { colour: 'red' }, has: ({ colour }) => colour === 'red' },
      { where: { not: { colour: 'red' } }, has: ({ colour }) => colour !== 'red' },
      { where: { size__gt: 4 }, has: ({ size }) => size > 4 },
      { where: { size__lte: 6 }, has: ({ size }) => size <= 6 },
      { where: {}, has: () => true },
    ),
    fields: fc.constantFrom(undefined, undefined, ['id', 'colour'], ['id', 'size']),
  }),
  { minLength: 1, maxLength: 3 },
)

const someChanges = fc.array(
  fc.record({
    id: fc.integer({ min: 1, max: 6 }),
    isRemoval: fc.integer({ min: 0, max: 5 }).map((n) => n === 0),
    colour: fc.constantFrom('red', 'blue', null),
    size: fc.nat(9),
  }),
  { minLength: 40, maxLength: 40 },
)

/** Returns the versions of a paper that a guest sees. Returns undefined if the paper is deleted. */
function versionsSeen(versions: readonly Version[], rules: readonly Rule[]) {
  const last = versions.at(-1)
  if (!last || last.operation === 'delete') return undefined
  const names = paperFields.filter((name) => rules.some(({ fields }) => !fields || fields.includes(name)))
  const shown = versions.flatMap(({ number, operation, paper }) => {
    const giving = rules.filter(({ part }) => part.has(paper) && part.has(last.paper))
    const isGiven = (name: string) => giving.some(({ fields }) => !fields || fields.includes(name))
    const record = Object.fromEntries(names.map((name) => [name, isGiven(name) ? paper[name] : null]))
    return giving.length > 0 ? [{ number, operation, record }] : []
  })
  return shown
    .map(({ number, operation, record }) => {
      const before = shown.find((one) => one.number === number - 1 && one.operation !== 'delete')?.record
      const isGone = operation === 'delete'
      const changed = before && !isGone ? names.filter((name) => before[name] !== record[name]) : null
      return { number, operation, changed, changed_by: null, record: isGone ? null : record }
    })
    .toReversed()
}

/** Makes the same random changes in all places. Returns the versions that they create, by record. */
async function changePapers(places: readonly string[]): Promise<ReadonlyMap<number, readonly Version[]>> {
  const versions = new Map<number, Version[]>()
  const [changes = []] = fc.sample(someChanges, { numRuns: 1, seed })
  for (const { isRemoval, ...paper } of changes) {
    const all = versions.get(paper.id) ?? []
    versions.set(paper.id, all)
    const last = all.at(-1)
    const present = last?.operation === 'delete' ? undefined : last?.paper
    // Skips changes that would change nothing.
    if (present ? present.colour === paper.colour && present.size === paper.size : isRemoval) continue
    const change = present && isRemoval ? ('delete' as const) : ('update' as const)
    const operation = present ? change : ('create' as const)
    all.push({ number: all.length + 1, operation, paper: (isRemoval && present) || paper })
    for (const place of places) {
      const path = operation === 'create' ? place : `${place}${paper.id}/`
      const method = { create: 'POST', update: 'PATCH', delete: 'DELETE' }[operation]
      const body = operation === 'delete' ? {} : { body: paper }
      const { status } = await app.request(method, path, { token: shop.owner.token, ...body })
      expect([path, status]).toEqual([path, { create: 201, update: 200, delete: 204 }[operation]])
    }
  }
  return versions
}

/** Returns the versions of an answer without their times. */
const toldOf = (data: readonly Record<string, unknown>[]) =>
  data.map(({ valid_from: _from, valid_to: _to, ...version }) => version)

describe('a guest who reads versions', () => {
  it(
    'sees those for which a rule allows both the version and the current record',
    async () => {
      await addTables(app, shop, [papersTable])
      const stranger = await app.user('historian')
      const places = [shop.data('papers'), (await addDocuments(app, shop, [papersTable]))('papers')]
      const versions = await changePapers(places)
      let found = 0
      const expectSeen = async (place: string, rules: readonly Rule[], guest: string | undefined) => {
        const giving = rules.filter(({ who, can }) => (guest || who === 'anyone') && can.includes('history'))
        for (const [id, all] of versions) {
          const { status, body } = await app.request(
            'GET',
            `${place}${id}/history/`,
            guest ? { token: guest } : {},
          )
          const context = `seed ${seed}, ${guest ? 'signed in' : 'anyone'}: ${id} by ${JSON.stringify(rules)}`
          const seen = giving.length > 0 ? (versionsSeen(all, giving) ?? []) : []
          found += seen.length
          const refused = guest ? 403 : 401
          const missing = giving.length > 0 ? 404 : refused
          if (seen.length === 0) expect(status, context).toBe(missing)
          else expect([status, toldOf(body.data), body.total], context).toEqual([200, seen, seen.length])
        }
      }
      for (const [index, rules] of fc.sample(someRules, { numRuns: runs(8, 120), seed }).entries()) {
        const place = places[index % 2] as string
        const body = {
          rules: rules.map(({ part: { where }, fields, ...rule }, number) => {
            return { name: `rule ${number}`, ...rule, where, ...(fields ? { fields } : {}) }
          }),
        }
        const token = shop.owner.token
        const set = await app.request('PUT', place.replace('/data/', '/access/'), { token, body })
        expect([set.status, set.body.rules], `seed ${seed}`).toEqual([200, body.rules])
        for (const guest of [undefined, stranger.token]) await expectSeen(place, rules, guest)
      }
      // The test proves nothing if most answers are empty.
      expect(found).toBeGreaterThan(5)
    },
    scaled(200_000),
  )
})
