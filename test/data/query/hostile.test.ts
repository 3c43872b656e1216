/** Hostile names and values: they never become SQL, and never reach another table or site. */
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { type RelationshipGraph, relationshipGraph } from '../../../src/data/model/relationships.ts'
import { punctuation } from '../../../src/data/model/search-vector.ts'
import type { Table } from '../../../src/data/model/table.ts'
import { operators } from '../../../src/data/query/operators.ts'
import { totalModes } from '../../../src/data/query/parse/ast.ts'
import { renderList } from '../../../src/data/query/render/render-list.ts'
import { literal, render, type Sql } from '../../../src/kernel/db/sql.ts'
import { AppError } from '../../../src/kernel/errors.ts'
import { startApp, type TestApp } from '../../support/app.ts'
import { collection } from '../../support/collection.ts'
import { createShop, type Shop } from '../../support/fixtures.ts'
import { hostile } from '../../support/hostile-texts.ts'
import { countedBy, planOf } from '../../support/queries.ts'
import { runs } from '../../support/runs.ts'
import { seed } from '../../support/seed.ts'
import { tablesOf } from '../../support/tables.ts'
import { runInSite } from '../../support/tenant.ts'

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
  'fields',
  'search',
  'filters',
  'format',
  'as_of',
  '_total',
  '_annotate',
  '_distinct',
  '_language',
  '_highlight',
]
const flags = ['include_deleted', 'only_deleted', '_count', '_rank', '_fuzzy']
const field = fc.constantFrom(
  ...known,
  'about__a',
  'tags__0',
  'about__a__b',
  'about.a.b::number',
  'tags.0::date',
)
const operator = fc.constantFrom(...operators.keys())
const name = fc.oneof(
  fc.constantFrom(...parameters, ...flags),
  fc.tuple(field, operator).map(([one, other]) => `${one}__${other}`),
  field,
  hostile,
  fc.tuple(fc.constantFrom('about.', 'tags.'), hostile).map(([one, other]) => `${one}${other}::text`),
  fc.tuple(field, hostile).map(([one, other]) => `${one}__${other}`),
  fc.tuple(hostile, operator).map(([one, other]) => `${one}__${other}`),
  fc.tuple(field, hostile).map(([one, other]) => `${one}.${other}`),
  fc.tuple(hostile, field).map(([one, other]) => `${one}.${other}`),
)
/** Parameters that accept any text. */
const takers = [
  'title__matches',
  'artist.name__imatches',
  'made_at__within',
  'tags__overlaps',
  'about__a__matches',
  'title',
  'title__icontains',
  'title__nin',
  'artist.name__ne',
  'about__a',
  'about__a__contains',
  'tags__contains',
  'about__has_key',
  '_language',
  '_highlight',
  'search',
]
const tree: fc.Arbitrary<unknown> = fc.letrec<{ node: unknown }>((tie) => ({
  node: fc.oneof(
    { depthSize: 'small' },
    fc
      .tuple(
        name,
        fc.oneof(hostile, fc.integer(), fc.constant(null), fc.array(hostile, { maxLength: 3 }), fc.double()),
      )
      .map(([one, value]) => ({ [one]: value })),
    fc
      .tuple(fc.constantFrom('and', 'or'), fc.array(tie('node'), { maxLength: 3 }))
      .map(([one, nodes]) => ({ [one]: nodes })),
    tie('node').map((not) => ({ not })),
  ),
})).node
const inOrder = fc.tuple(
  fc.constantFrom('_sort', 'ordering', 'populate', 'fields'),
  fc.oneof(
    fc.array(fc.oneof(field, name, hostile), { maxLength: 4 }).map((names) => names.join()),
    hostile,
  ),
)
const questions = fc
  .dictionary(
    fc.oneof(fc.constantFrom('artist', 'restorer', 'shows', 'hangings'), hostile),
    fc.record(
      {
        filters: tree,
        ordering: fc.oneof(fc.constantFrom('-id.nullsfirst', 'name', 'wall,-show_id'), hostile),
        limit: fc.oneof(fc.nat(100), fc.double(), hostile),
        offset: fc.oneof(fc.nat(100), fc.double(), hostile),
        fields: fc.oneof(fc.constantFrom('id', 'name', '-id'), hostile),
        count: fc.oneof(fc.boolean(), hostile),
        populate: fc.oneof(fc.constantFrom('city', 'works'), hostile),
      },
      { requiredKeys: [] },
    ),
    { minKeys: 1, maxKeys: 2 },
  )
  .map((populate): [string, string] => ['populate', JSON.stringify(populate)])
const annotated = fc
  .array(
    fc.tuple(
      fc.oneof(
        fc.constantFrom(
          ...['count(shows)', 'avg(hangings.show_id)', 'price * 2', 'max(shows.city.name)', 'lower(title)'],
          ...[
            "string_agg(shows.name, ';')",
            'array_agg(distinct hangings.wall)',
            'array_agg(hangings.wall order by hangings.show_id desc)',
            'mode() within group (order by hangings.wall)',
            'count(distinct hangings.wall, hangings.show_id)',
            'artist.name',
            'count(artist)',
          ],
          ...[
            'count(shows.works.hangings)',
            'sum(price)',
            'count(*)',
            'min(hangings.wall) filter (where shows.id = 1)',
          ],
        ),
        fc
          .tuple(fc.constantFrom('count', 'max', 'lower', 'sum'), hostile)
          .map(([of, what]) => `${of}(${what})`),
        fc.tuple(hostile, fc.constantFrom('+', '=', '||'), hostile).map((parts) => parts.join(' ')),
      ),
      fc.oneof({ weight: 3, arbitrary: fc.constantFrom('n', 'm', 'o') }, { weight: 1, arbitrary: hostile }),
    ),
    { minLength: 1, maxLength: 3 },
  )
  .map((all): [string, string] => ['_annotate', all.map(([of, as]) => `${of} as ${as}`).join()])
const ofAnnotated = fc.oneof(
  fc
    .tuple(fc.constantFrom('n', 'm'), operator, hostile)
    .map(([one, other, value]): [string, string] => [`${one}__${other}`, value]),
  fc.constantFrom<[string, string]>(
    ['ordering', '-n'],
    ['_distinct', 'n'],
    ['fields', 'n,id'],
    ['n__gte', '0'],
    ['m__null', 'true'],
  ),
)
const searches: fc.Arbitrary<[string, string]> = fc
  .array(fc.oneof(hostile, fc.constantFrom('or', '-', '"', '*', 'mine*', "b'*", '\\*', ':*', '-"a')), {
    minLength: 1,
    maxLength: 6,
  })
  .map((parts) => ['search', parts.join(' ')])
const totals = fc.constantFrom(...totalModes).map((mode): [string, string] => ['_total', mode])
const pair = fc.oneof(
  { weight: 5, arbitrary: fc.tuple(name, hostile) },
  { weight: 2, arbitrary: fc.tuple(fc.constantFrom(...takers), hostile) },
  { weight: 1, arbitrary: tree.map((node): [string, string] => ['filters', JSON.stringify(node)]) },
  { weight: 1, arbitrary: inOrder },
  { weight: 2, arbitrary: searches },
  {
    weight: 1,
    arbitrary: fc.constantFrom<[string, string]>(['_language', 'german'], ['_highlight', 'title']),
  },
  { weight: 1, arbitrary: totals },
  { weight: 1, arbitrary: questions },
  { weight: 2, arbitrary: annotated },
  { weight: 1, arbitrary: ofAnnotated },
)

/** Generates queries with one to three parameters. */
function queries(count: number, from: number): string[] {
  const pairs = fc.sample(pair, { numRuns: count / 4, seed: from })
  return Array.from({ length: count }, (_, index) => {
    const first = pairs[index % pairs.length] as [string, string]
    const more = [1, 2].flatMap((step) =>
      index % (step + 2) === 0 ? [pairs[(index * 7 + step * 13) % pairs.length] as [string, string]] : [],
    )
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
  await app.request('POST', neighbour.data('works'), {
    token: neighbour.owner.token,
    body: { id: 7, title: 'canary work' },
  })
  const body = [1, 2, 3].map((id) => ({
    id,
    title: `mine ${id}`,
    price: id,
    about: { a: { b: 'x' } },
    tags: ['x'],
    artist_id: 1,
  }))
  expect(await app.request('POST', shop.data('works'), { token: shop.owner.token, body })).toMatchObject({
    status: 201,
  })
  const tables = tablesOf(collection.resources, Number(shop.schema.slice('site_'.length)))
  graph = relationshipGraph(tables)
  works = tables.get('works') as Table
})

/** Returns the SQL statement of a query, or undefined if the query returns 400. */
function statementOf(text: string): Sql | undefined {
  try {
    return renderList(planOf(works, graph, text))
  } catch (error) {
    if (error instanceof AppError && error.status === 400 && JSON.stringify(error.body).length < 1_000_000)
      return undefined
    throw new Error(`seed ${seed}: ${text.slice(0, 500)}`, { cause: error })
  }
}

const words = new Set(
  (
    'select case when then else end as from where and or not is null true false exists in any array unnest lower like ilike between count coalesce json_agg row_to_json' +
    ' to_json replace left join on order by desc nulls last limit offset distinct text bigint numeric boolean date timestamptz time uuid jsonb jsonb_typeof regconfig' +
    ' phraseto_tsquery to_tsquery tsquery ts_rank numnode ilike highlight immutable to_tsvector setweight _rank _highlight octet_length n total data  _page _record _value found counted count_rows _zones with materialized nullif _found _records _some left json jsonb_build_object' +
    ' tessera read_integer read_date read_time read_datetime read_uuid _more counts _whole _json lateral json_strip_nulls json_build_object json_array_length first _count' +
    ' refuse_answer bytes_within add_bytes add_text text_bytes texts_within translate regexp_replace ts_headline mode within bounded greatest pg_column_size' +
    ' _rows upper tstzrange daterange cross _computed _one avg max min sum string_agg array_agg to_jsonb group filter _distinct _n ordinality union all _among'
  ).split(' '),
)
const literals = new Set([
  ...['shows', 'hangings', 'artists', 'works', ',"_more":', '}'].map((text) => `'${text}'`),
  ...["'simple'", "''", "'A'", "'title'", "'total'", "'is'", "'exact'"],
  "'string'",
  "'number'",
  "'boolean'",
  "'{}'",
  "'[]'",
  "'g'",
  "'+00:00'",
  `'${' '.repeat(punctuation.length)}'`,
  "'Z'",
])

/** Expects the record to belong to this site. Omitted fields are not compared. */
const expectMine = ({ id, title }: { id?: number; title?: string }) =>
  expect(title ?? 'mine 0').toMatch(id === undefined ? /^mine \d$/ : `mine ${title === undefined ? 0 : id}`)

describe('hostile queries', () => {
  it('are rejected or become SQL without any of their text; Postgres runs many of these statements', async () => {
    const names = new Set([
      ...collection.resources.flatMap(({ schema }) => schema.fields.map((one) => one.name)),
      ...collection.resources.map((one) => `shop_${one.name}`),
    ])
    const isOurs = (identifier: string) =>
      names.has(identifier) ||
      /^(site_\d+|_row\d?|_via\d|_by\d|_of\d|_a\d|_key\d|_link\d|[nmo]|search_vector|_highlight|artist|restorer|hangings|shows|city|works|works_by_\w+|artists)$/.test(
        identifier,
      )
    const statements: Sql[] = []
    for (const text of queries(runs(1_500, 20_000), seed)) {
      const statement = statementOf(text)
      if (!statement) continue
      statements.push(statement)
      // The name of an annotation is a word, and appears in quotes.
      const annotated = new URLSearchParams(text).getAll('_annotate').join()
      const aliases = new Set([...annotated.matchAll(/\bas\s+(\w+)/gi)].map(([, alias]) => alias))
      const foreign = [
        ...[render(statement).text, countedBy(statement)?.text.replaceAll(/%\d+\$L/g, '')]
          .join()
          .replaceAll(literal(punctuation).strings.join(), '')
          .matchAll(/"([^"]*)"|('[^']*')|\$\d+|([a-z_]\w*)|[\s.,:()[\]*=<>@?|&#+!~]|\d+/gi),
      ].filter(
        ([token, identifier, constant, word]) =>
          (identifier !== undefined && !isOurs(identifier) && !aliases.has(identifier)) ||
          (constant !== undefined && !literals.has(constant)) ||
          (word !== undefined && !words.has(token)),
      )
      expect(foreign, `seed ${seed}: ${text.slice(0, 500)}`).toEqual([])
    }
    const run = runs(150, 2_000)
    expect(statements.length).toBeGreaterThan(run)

    for (let start = 0; start < run; start += 100) {
      const results = await runInSite(app, shop, statements.slice(start, start + 100))
      for (const index of statements.slice(start, start + 100).keys()) {
        const { data } = results.one<{ data: string }>(index)
        for (const record of JSON.parse(data)) expectMine(record)
      }
    }
  })

  it('return 200 or 400 over HTTP, and only records of the table', async () => {
    // One valid and one invalid query are included, because all of the others may be invalid.
    const some = ['search=mine', 'nothing=1', ...queries(runs(60, 1_200), seed + 1)]
    const statuses = new Map<number, number>()
    for (let start = 0; start < some.length; start += 10) {
      const answers = await Promise.all(
        some
          .slice(start, start + 10)
          .map((text) => app.request('GET', `${shop.data('works')}?${text}`, { token: shop.owner.token })),
      )
      for (const { status, body } of answers) {
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
        if (status === 400)
          expect(body).toEqual({
            error: 'Validation failed',
            details: expect.any(Object),
            code: 'validation_failed',
          })
        else for (const record of body.data) expectMine(record)
      }
    }
    expect([...statuses.keys()].toSorted()).toEqual([200, 400])
  })

  it('return 400 or 404 as ids, and 200 or 400 as parameters of a record', async () => {
    for (const text of fc.sample(hostile, { numRuns: runs(20, 300), seed })) {
      const id = encodeURIComponent(text.toWellFormed().slice(0, 2000))
      const path = `${shop.data('works')}${id === '.' || id === '..' ? 'x' : id}/`
      const alone = await app.request('GET', path, { token: shop.owner.token })
      expect([400, 404], `${id} ${alone.status}`).toContain(alone.status)
      const beside = await app.request(
        'GET',
        `${shop.data('works')}1/?${new URLSearchParams([['populate', text]])}`,
        { token: shop.owner.token },
      )
      expect([200, 400]).toContain(beside.status)
    }
  })
})
