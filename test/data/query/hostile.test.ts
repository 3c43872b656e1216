/** Names and values that mean harm: nothing of them is ever SQL, and nothing of another table or site is ever answered. */
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Table } from '../../../src/data/datatables/table.ts'
import { totalModes } from '../../../src/data/query/ast.ts'
import { operators } from '../../../src/data/query/operators.ts'
import { type RelationshipGraph, relationshipGraph } from '../../../src/data/query/relationships.ts'
import { renderList } from '../../../src/data/query/render-list.ts'
import { render, type Sql } from '../../../src/db/sql.ts'
import { AppError } from '../../../src/errors.ts'
import { startApp, type TestApp } from '../../support/app.ts'
import { collection } from '../../support/collection.ts'
import { createShop, type Shop } from '../../support/fixtures.ts'
import { planOf } from '../../support/queries.ts'
import { tablesOf } from '../../support/tables.ts'
import { runInSite } from '../../support/tenant.ts'

const seed = Math.floor(Math.random() * 2 ** 31)

const harm = [
  ...[
    "'",
    '"',
    "''",
    '""',
    '`',
    '\\',
    "\\'",
    '--',
    '/*',
    '*/',
    ';',
    '$1',
    '$$',
    '\0',
    '\n',
    '%',
    '_',
    '?',
    ':',
    '::',
    '(',
    ')',
    '{',
    '}',
    '[',
    ']',
    ',',
    '.',
    '|',
    '&',
    '#',
  ],
  ...["' or '1'='1", "'; drop table shop_works; --", '" or 1=1 --', "') union select name from shop_artists --", '1; select pg_sleep(10)'],
  ...[
    'id" from "site_1"."shop_artists',
    "price'::text",
    "E'\\x27",

    '{{7*7}}',
    '%27%20or%201=1',
    "a'||(select 1)||'",
    'null',
    'true',
    'NaN',
    'Infinity',
    '-0',
    '1e309',
    '0x10',
  ],
  ...['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'valueOf', '__defineGetter__', '__lookupSetter__'],
  ...['public.users', 'pg_catalog.pg_class', 'current_user', 'version()', 'xmin', 'ctid', 'tableoid', 'search_vector', '_row', '_page'],
  ...['＇', '＂', 'ʼ', '´', '‘', '“', '\u202e', '\u200b', '\ufeff', '\ud800', '\udfff', '😀', 'ß', 'İ', 'ﬃ', '\u0301', '９', '٣'],
  ...[
    '9223372036854775808',
    '-9223372036854775809',
    '2026-13-45',
    '0000-00-00',
    '99999-01-01',
    'infinity',
    '24:00:00',
    '1/0',
    '[[[[',
    '{"a":',
    '{"a":{"a":1}}',
    '[null]',
    '""',
  ],
]
const anything = fc.array(fc.nat(0x10ffff), { minLength: 1, maxLength: 6 }).map((points) => String.fromCodePoint(...points))
const piece = fc.oneof({ weight: 8, arbitrary: fc.constantFrom(...harm) }, { weight: 2, arbitrary: anything })
const long = fc.constantFrom(...harm, 'a', '0', 'é').map((text) => text.repeat(Math.ceil(65_536 / text.length)).slice(0, 65_536))
const hostile = fc.oneof(
  { weight: 200, arbitrary: fc.array(piece, { minLength: 1, maxLength: 4 }).map((pieces) => pieces.join('')) },
  { weight: 1, arbitrary: long },
)

const known = [
  'id',
  'title',
  'price',
  'year',
  'sold',
  'made_at',
  'hour',
  'code',
  'about',
  'tags',
  'is_deleted',
  'artist.name',
  'artist.city.name',
  'shows.name',
]
const parameters = [
  'page',
  'page_size',
  'limit',
  'offset',
  '_start',
  '_end',
  '_sort',
  '_order',
  'ordering',
  'populate',
  'search',
  'filters',
  'format',
  '_total',
]
const flags = ['include_deleted', 'only_deleted', '_count']
const field = fc.constantFrom(...known, 'about__a', 'tags__0', 'about__a__b')
const operator = fc.constantFrom(...operators.keys())
const name = fc.oneof(
  fc.constantFrom(...parameters, ...flags),
  fc.tuple(field, operator).map(([one, other]) => `${one}__${other}`),
  field,
  hostile,
  fc.tuple(field, hostile).map(([one, other]) => `${one}__${other}`),
  fc.tuple(hostile, operator).map(([one, other]) => `${one}__${other}`),
  fc.tuple(field, hostile).map(([one, other]) => `${one}.${other}`),
  fc.tuple(hostile, field).map(([one, other]) => `${one}.${other}`),
)
/** What takes any text. */
const takers = [
  'title',
  'title__icontains',
  'title__nin',
  'artist.name__ne',
  'about__a',
  'about__a__contains',
  'tags__contains',
  'about__has_key',
  'search',
]
const tree: fc.Arbitrary<unknown> = fc.letrec<{ node: unknown }>((tie) => ({
  node: fc.oneof(
    { depthSize: 'small' },
    fc
      .tuple(name, fc.oneof(hostile, fc.integer(), fc.constant(null), fc.array(hostile, { maxLength: 3 }), fc.double()))
      .map(([one, value]) => ({ [one]: value })),
    fc.tuple(fc.constantFrom('and', 'or'), fc.array(tie('node'), { maxLength: 3 })).map(([one, nodes]) => ({ [one]: nodes })),
    tie('node').map((not) => ({ not })),
  ),
})).node
const inOrder = fc.tuple(
  fc.constantFrom('_sort', 'ordering', 'populate'),
  fc.oneof(
    fc.array(fc.oneof(field, hostile), { maxLength: 4 }).map((names) => names.join()),
    hostile,
  ),
)
const totals = fc.constantFrom(...totalModes).map((mode): [string, string] => ['_total', mode])
const pair = fc.oneof(
  { weight: 5, arbitrary: fc.tuple(name, hostile) },
  { weight: 2, arbitrary: fc.tuple(fc.constantFrom(...takers), hostile) },
  { weight: 1, arbitrary: tree.map((node): [string, string] => ['filters', JSON.stringify(node)]) },
  { weight: 1, arbitrary: inOrder },
  { weight: 1, arbitrary: totals },
)

/** Of one to three parameters each. */
function queries(count: number, from: number): string[] {
  const pairs = fc.sample(pair, { numRuns: count / 4, seed: from })
  return Array.from({ length: count }, (_, index) => {
    const first = pairs[index % pairs.length] as [string, string]
    const more = [1, 2].flatMap((step) => (index % (step + 2) === 0 ? [pairs[(index * 7 + step * 13) % pairs.length] as [string, string]] : []))
    return new URLSearchParams([first, ...more]).toString()
  })
}

let app: TestApp
let shop: Shop
let graph: RelationshipGraph
let works: Table

beforeAll(async () => {
  app = await startApp()
  shop = await createShop(app, 'hostile', collection)
  const neighbour = await createShop(app, 'neighbour', collection)
  const canary = (id: number) => ({ id, name: `canary ${id}` })
  for (const { owner, data } of [shop, neighbour]) {
    await app.request('POST', data('cities'), { token: owner.token, body: [canary(1)] })
    await app.request('POST', data('artists'), { token: owner.token, body: [canary(1), canary(2)] })
  }
  await app.request('POST', neighbour.data('works'), { token: neighbour.owner.token, body: { id: 7, title: 'canary work' } })
  const body = [1, 2, 3].map((id) => ({ id, title: `mine ${id}`, price: id, about: { a: { b: 'x' } }, tags: ['x'], artist_id: 1 }))
  expect(await app.request('POST', shop.data('works'), { token: shop.owner.token, body })).toMatchObject({ status: 201 })
  const tables = tablesOf(collection.resources, Number(shop.schema.slice('site_'.length)))
  graph = relationshipGraph(tables)
  works = tables.get('works') as Table
})

/** The statement of a query, or undefined for a 400. */
function statementOf(text: string): Sql | undefined {
  try {
    return renderList(planOf(works, graph, text))
  } catch (error) {
    if (error instanceof AppError && error.status === 400 && JSON.stringify(error.body).length < 1_000_000) return undefined
    throw new Error(`seed ${seed}: ${text.slice(0, 500)}`, { cause: error })
  }
}

const words = new Set(
  (
    'select case when then else end as from where and or not is null true false exists in any array unnest lower like ilike between count coalesce json_agg row_to_json' +
    ' to_json replace left join on order by desc nulls last limit offset distinct text bigint numeric boolean date timestamptz time uuid jsonb jsonb_typeof regconfig' +
    ' websearch_to_tsquery ts_rank octet_length n total data _page _record _value has_more with materialized nullif _found _records _some left json' +
    ' _more counts _whole _json lateral json_strip_nulls json_build_object json_array_length'
  ).split(' '),
)
const literals = new Set([
  ...['shows', 'hangings', 'artists', ',"_more":', '}'].map((text) => `'${text}'`),
  "'string'",
  "'number'",
  "'boolean'",
  "'{}'",
  "'[]'",
  "'+00:00'",
  "'Z'",
])

describe('10,000 queries that mean harm', () => {
  it('are refused, or become text of our own alone; and a thousand of those Postgres runs', async () => {
    const names = new Set([
      ...collection.resources.flatMap(({ schema }) => schema.fields.map((one) => one.name)),
      ...collection.resources.map((one) => `shop_${one.name}`),
    ])
    const isOurs = (identifier: string) =>
      names.has(identifier) ||
      /^(site_\d+|_row\d?|_via\d|_by\d|search_vector|artist|restorer|hangings|shows|city|works_by_\w+|artists)$/.test(identifier)
    const statements: Sql[] = []
    for (const text of queries(10_000, seed)) {
      const statement = statementOf(text)
      if (!statement) continue
      statements.push(statement)
      const foreign = [...render(statement).text.matchAll(/"([^"]*)"|('[^']*')|\$\d+|([a-z_]\w*)|[\s.,:()[\]*=<>@?|&#+]|\d+/gi)].filter(
        ([token, identifier, literal, word]) =>
          (identifier !== undefined && !isOurs(identifier)) ||
          (literal !== undefined && !literals.has(literal)) ||
          (word !== undefined && !words.has(token)),
      )
      expect(foreign, `seed ${seed}: ${text.slice(0, 500)}`).toEqual([])
    }
    expect(statements.length).toBeGreaterThan(1000)

    for (let start = 0; start < 1000; start += 100) {
      const results = await runInSite(app, shop, statements.slice(start, start + 100))
      for (const index of statements.slice(start, start + 100).keys()) {
        const { data } = results.one<{ data: string }>(index)
        for (const { id, title } of JSON.parse(data)) expect(title).toBe(`mine ${id}`)
      }
    }
  }, 60_000)

  it('are answered with 200 or 400, and with records of the table alone: 240 of them over HTTP', async () => {
    const some = queries(240, seed + 1)
    const statuses = new Map<number, number>()
    for (let start = 0; start < some.length; start += 10) {
      const answers = await Promise.all(
        some.slice(start, start + 10).map((text) => app.request('GET', `${shop.data('works')}?${text}`, { token: shop.owner.token })),
      )
      for (const { status, body } of answers) {
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
        if (status === 400) expect(body).toEqual({ error: 'Validation failed', details: expect.any(Object) })
        else for (const { id, title } of body.data) expect(title).toBe(`mine ${id}`)
      }
    }
    expect([...statuses.keys()].toSorted()).toEqual([200, 400])
  })

  it('in the place of an id, and beside one, too', async () => {
    for (const text of fc.sample(hostile, { numRuns: 30, seed })) {
      const id = encodeURIComponent(text.toWellFormed().slice(0, 2000))
      const path = `${shop.data('works')}${id === '.' || id === '..' ? 'x' : id}/`
      const alone = await app.request('GET', path, { token: shop.owner.token })
      expect([400, 404], `${id} ${alone.status}`).toContain(alone.status)
      const beside = await app.request('GET', `${shop.data('works')}1/?${new URLSearchParams([['populate', text]])}`, { token: shop.owner.token })
      expect([200, 400]).toContain(beside.status)
    }
  })
})
