/**
 * Guests learn nothing about data that no rule shows them: two sites that differ only in hidden records and
 * hidden fields give equal responses to every request.
 */
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { operators } from '../../src/data/query/operators.ts'
import { startApp, type TestApp } from '../support/app.ts'
import { addDocuments, addTables, createShop, type Shop } from '../support/fixtures.ts'
import { runs } from '../support/runs.ts'
import { seed } from '../support/seed.ts'

const to = (fields: string, resource: string) => ({ fields, reference: { resource, fields: 'id' } })
const resources = [
  {
    name: 'teams',
    schema: {
      fields: [
        { name: 'id', type: 'integer' },
        { name: 'name', type: 'string' },
        { name: 'budget', type: 'number' },
      ],
      primaryKey: 'id',
    },
  },
  {
    name: 'posts',
    schema: {
      fields: [
        { name: 'id', type: 'integer' },
        { name: 'title', type: 'string' },
        { name: 'secret', type: 'string', constraints: { unique: true } },
        { name: 'score', type: 'integer' },
        { name: 'about', type: 'object' },
        { name: 'open', type: 'boolean' },
        { name: 'team_id', type: 'integer' },
        { name: 'vault_id', type: 'integer' },
        { name: 'parent_id', type: 'integer' },
        { name: 'is_deleted', type: 'boolean' },
      ],
      primaryKey: 'id',
      foreignKeys: [to('team_id', 'teams'), to('vault_id', 'vaults'), to('parent_id', '')],
      search_fields: ['title', 'secret'],
      graph: { enabled: true, types: [{ name: 'next' }] },
      history: true,
    },
  },
  {
    name: 'vaults',
    schema: {
      fields: [
        { name: 'id', type: 'integer' },
        { name: 'code', type: 'string' },
      ],
      primaryKey: 'id',
    },
  },
]

const rules = {
  teams: [{ name: 'names', who: 'anyone', can: ['read'], where: { id__lte: 3 }, fields: ['id', 'name'] }],
  posts: [
    {
      name: 'open',
      who: 'anyone',
      can: ['read', 'history'],
      where: { open: true },
      fields: ['id', 'title', 'about', 'team_id', 'parent_id'],
    },
    { name: 'of three', who: 'signed-in', can: ['read'], where: { 'team.budget__gte': 0, team_id: 3 } },
  ],
}

/** Returns the records of a site. Guests see the same for every value of `hidden`. */
function recordsOf(hidden: string): Record<string, object[]> {
  const isFirst = hidden === 'first'
  const secretOf = (id: number) => `${hidden} secret ${isFirst ? id : 1000 - id}`
  return {
    teams: [1, 2, 3].map((id) => ({ id, name: `team ${id}`, budget: isFirst ? id : 100 - id })),
    vaults: (isFirst ? [1, 2] : [1, 2, 3, 4]).map((id) => ({ id, code: secretOf(id) })),
    posts: [
      ...Array.from({ length: 12 }, (_, n) => ({
        id: n + 1,
        title: `post ${n + 1} ${n % 2 ? 'red' : 'blue'}`,
        secret: secretOf(n),
        score: isFirst ? n : 50 - n,
        about: { colour: n % 3 ? 'red' : 'blue', size: n },
        open: true,
        team_id: (n % 2) + 1,
        vault_id: isFirst ? 1 : 2,
        parent_id: n > 3 ? 1 : null,
      })),
      ...(isFirst ? [101, 103] : [102, 103, 104, 105]).map((id) => ({
        id,
        title: `${hidden} hidden red`,
        secret: secretOf(id),
        score: id,
        about: { colour: hidden },
        open: id === 103,
        team_id: 1,
        parent_id: 2,
        is_deleted: id === 103,
      })),
    ],
  }
}

const edgesSeen = [
  [1, 2],
  [4, 1],
  [5, 1],
]
/** The edges with a hidden record at one end. */
const edgesHidden: Record<string, number[][]> = {
  first: [
    [1, 101],
    [101, 3],
    [101, 2],
  ],
  second: [
    [1, 102],
    [104, 105],
    [2, 104],
    [104, 6],
  ],
}

/** Each site has the tables twice: as tables, and as documents. */
const places = ['shop', 'papers'] as const
type AppName = (typeof places)[number]

/** The ids of edges by site and app: those that guests see, and three others. */
const edgeIds = new Map<string, { seen: string[]; hidden: string[] }>()

let app: TestApp
let sites: [Shop, Shop]
let token: string

beforeAll(async () => {
  app = await startApp()
  token = (await app.user('stranger')).token
  sites = [await makeSite('first'), await makeSite('second')]
})

async function makeSite(name: string): Promise<Shop> {
  const shop = await createShop(app, `${name}-site`)
  await addTables(app, shop, resources)
  await addDocuments(app, shop, resources)
  for (const place of places) await fill(shop, place, name)
  return shop
}

/** Creates the records, edges and rules of an app. */
async function fill(shop: Shop, place: AppName, name: string): Promise<void> {
  const tables = `${shop.api}/apps/${place}/datatables/`
  const send = async (method: string, path: string, body: unknown) => {
    const answer = await app.request(method, `${tables}${path}`, { token: shop.owner.token, body })
    expect([path, answer.status, answer.status < 300 ? '' : answer.body]).toEqual([path, answer.status, ''])
  }
  for (const [table, records] of Object.entries(recordsOf(name)))
    await send('POST', `${table}/data/`, records)
  const edges = [...edgesSeen, ...(edgesHidden[name] ?? [])]
  await send(
    'POST',
    'posts/edges/',
    edges.map(([from_id, to_id]) => ({ from_id, to_id, type: 'next' })),
  )
  // Changes a hidden field of a visible record, and a record that was not visible before.
  await send('PATCH', 'posts/data/5/', { score: name === 'first' ? 1000 : 2000 })
  await send('PATCH', 'posts/data/6/', { open: false, title: `${name} draft` })
  await send('PATCH', 'posts/data/6/', { open: true, title: 'post 6 red' })
  const { body: listed } = await app.request('GET', `${tables}posts/edges/`, { token: shop.owner.token })
  // A list sorts edges by their ends. Here they are in the order of their creation.
  const idOf = ([from, to]: number[]): string =>
    listed.data.find((one: { from_id: number; to_id: number }) => one.from_id === from && one.to_id === to).id
  edgeIds.set(`${shop.slug} ${place}`, {
    seen: edgesSeen.map(idOf),
    hidden: (edgesHidden[name] ?? []).slice(0, 3).map(idOf),
  })
  for (const [table, some] of Object.entries(rules)) await send('PUT', `${table}/access/`, { rules: some })
}

const field = fc.constantFrom(
  ...[
    'id',
    'title',
    'secret',
    'score',
    'about',
    'open',
    'team_id',
    'vault_id',
    'parent_id',
    'is_deleted',
    'xmin',
  ],
  ...['team.name', 'team.budget', 'vault.code', 'vault.id', 'parent.secret', 'posts.secret', 'parent.score'],
  ...[
    'posts.vault.code',
    'posts.id',
    'search_vector',
    '_search_vector',
    '_data',
    'about__colour',
    'posts.title',
  ],
)
const operator = fc.constantFrom('', ...[...operators.keys()].map((name) => `__${name}`))
const value = fc.constantFrom(
  ...[
    '1',
    '103',
    '0',
    'true',
    'red',
    'blue',
    'first secret 1',
    'second',
    'secret',
    'x',
    '',
    '1,2',
    'post 1 blue',
  ],
)
const member = fc.tuple(field, operator).map((parts) => parts.join(''))
const leaf = fc.tuple(member, value).map(([name, text]): unknown => ({ [name]: text }))
const tree = fc.oneof(
  leaf,
  fc.tuple(leaf, leaf).map((both): unknown => ({ or: both })),
  leaf.map((one): unknown => ({ not: one })),
  value.map((text): unknown => ({ search: text })),
)
const expression = fc.oneof(
  fc.constant('count(*) as n'),
  fc
    .tuple(fc.constantFrom('count', 'sum', 'max', 'min', 'avg', 'string_agg', 'array_agg'), field)
    .map(([of, name]) => `${of}(${name}) as n`),
  field.map((name) => `${name} as n`),
  field.map((name) => `coalesce(${name}, 0) + 1 as n`),
)
const relationship = fc.constantFrom(
  'team',
  'vault',
  'parent',
  'posts',
  'teams',
  'vaults',
  'parent.vault',
  'posts.team',
)
const parameter: fc.Arbitrary<[string, string]> = fc.oneof(
  fc.tuple(member, value),
  fc.tuple(
    fc.constantFrom('filters', 'filter'),
    tree.map((one) => JSON.stringify(one)),
  ),
  fc.tuple(fc.constantFrom('ordering', '_sort', 'fields', '_distinct', '_group_by', '_highlight'), field),
  fc.tuple(fc.constantFrom('_aggregate', '_annotate'), expression),
  fc.tuple(fc.constant('populate'), relationship),
  fc
    .tuple(relationship, tree)
    .map(([name, filters]): [string, string] => [
      'populate',
      JSON.stringify({ [name]: { filters, count: true } }),
    ]),
  fc
    .tuple(relationship, field, field)
    .map(([name, order, shown]): [string, string] => [
      'populate',
      JSON.stringify({ [name]: { ordering: order, fields: `id,${shown}`, limit: 2 } }),
    ]),
  fc.tuple(fc.constant('search'), value),
  fc.tuple(fc.constant('_language'), fc.constantFrom('german', 'simple', 'none')),
  fc.constantFrom<[string, string]>(
    ...([
      ['_total', 'estimated'],
      ['_total', 'none'],
      ['_count', 'true'],
      ['_rank', 'true'],
      ['_fuzzy', 'true'],
      ['include_deleted', 'true'],
      ['only_deleted', 'true'],
      ['as_of', '2026-01-01T00:00:00Z'],
      ['include', 'next'],
      ['depth', '2'],
      ['relationship_type', 'next'],
      ['format', 'graph'],
      ['page_size', '3'],
      ['limit', '0'],
      ['after', ''],
      ['page', '2'],
      ['_envelope', 'false'],
    ] as [string, string][]),
  ),
)
const query = fc.array(parameter, { maxLength: 3 }).map((all) => new URLSearchParams(all).toString())
const path = fc.oneof(
  { weight: 6, arbitrary: query.map((text) => `datatables/posts/data/?${text}`) },
  { weight: 1, arbitrary: query.map((text) => `datatables/teams/data/?${text}`) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.constantFrom('1', '2', '101', '102', '103', '104', 'x', '999'), query)
      .map(([key, text]) => `datatables/posts/data/${key}/?${text}`),
  },
  {
    weight: 2,
    arbitrary: fc
      .constantFrom(
        ...[
          'vaults/data/',
          'vaults/data/1/',
          'none/data/',
          'posts/',
          'posts/access/',
          'posts/data/1/history/',
        ],
        ...[
          'posts/edges/?page_size=2',
          'posts/edges/?page_size=2&_total=none',
          'posts/edges/?from_id=1,101',
          'posts/edges/?to_id=2,102&types=next',
        ],
        ...['posts/data/5/history/', 'posts/data/6/history/?operation=update', 'posts/data/6/history/'],
        ...['posts/data/1/?include=both&depth=9', 'posts/data/2/?format=graph', 'posts/data/?format=tree'],
        ...['posts/edges/', 'posts/schema/', 'posts/operation-history/', 'posts/data/101/history/'],
      )
      .map((rest) => `datatables/${rest}`),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom('', 'stats/', 'access/', 'datasources/', 'datatables/', 'openapi.json'),
  },
)
const place = fc.constantFrom(...places)
const request: fc.Arbitrary<Asked> = fc.record({
  place,
  method: fc.oneof(
    { weight: 8, arbitrary: fc.constant('GET') },
    { weight: 1, arbitrary: fc.constantFrom('HEAD', 'POST', 'PATCH', 'PUT', 'DELETE', 'OPTIONS') },
  ),
  path,
  accept: fc.constantFrom('application/json', 'application/json', 'text/csv', 'application/x-ndjson'),
  headers: fc.oneof(
    { weight: 6, arbitrary: fc.constant({}) },
    {
      weight: 1,
      arbitrary: fc.constantFrom<Record<string, string>>(
        { 'if-none-match': '*' },
        { 'x-view-as': '1' },
        { prefer: 'count=estimated' },
        { range: '0-1' },
      ),
    },
  ),
  isSignedIn: fc.boolean(),
})

interface Asked {
  place: AppName
  method: string
  path: string
  accept: string
  isSignedIn: boolean
  headers?: Record<string, string>
  body?: unknown
}

/** Names that rules show to nobody, and names that they show only to signed-in callers. */
const namesHidden = ['budget', 'vaults']
const namesOfSignedIn = ['secret', 'score']

/** Returns the hidden names in a response whose request did not contain them. */
function namesTold({ path: rest, body, method, isSignedIn }: Asked, text: string): string[] {
  const sent = body ?? (method === 'GET' ? null : usualBody)
  const asked = decodeURIComponent(rest.replaceAll('+', ' ')) + JSON.stringify(sent)
  const hidden = isSignedIn ? namesHidden : [...namesHidden, ...namesOfSignedIn]
  return hidden.filter((name) => text.includes(name) && !asked.includes(name))
}

/** Returns the content of a response without the parts that differ between any two requests. */
async function told(shop: Shop, asked: Asked) {
  const { place, method, path: rest, accept, isSignedIn, headers = {} } = asked
  const body = asked.body ?? (method === 'DELETE' ? undefined : usualBody)
  const hasBody = method !== 'GET' && method !== 'HEAD' && method !== 'OPTIONS' && body !== undefined
  // Edges have different ids in each site.
  const ofSite = (one: string) =>
    one.replace(/edge:(seen|hidden):(\d)/g, (_, kind: 'seen' | 'hidden', index) => {
      const ids = edgeIds.get(`${shop.slug} ${place}`)?.[kind] ?? []
      return ids[Number(index)] ?? ''
    })
  const response = await app.open(method, `${shop.api}/apps/${place}/${ofSite(rest)}`, {
    ...(isSignedIn ? { token } : {}),
    headers: { accept, ...headers },
    ...(hasBody ? { body: JSON.parse(ofSite(JSON.stringify(body))) as object } : {}),
  })
  const text = await response.text()
  const links = /"(next|previous)":"[^"]*"/g
  return {
    status: response.status,
    type: response.headers.get('content-type'),
    total: response.headers.get('x-total-count'),
    text: text
      .replace(links, '"$1":…')
      .replace(/"(valid_from|valid_to|created_at)" ?: ?"[^"]*"/g, '"$1":…')
      .replace(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g, '…')
      .replace(/"etag" ?: ?"[^,}]*"/g, '"etag":…')
      .replaceAll(shop.slug, 'site'),
  }
}

const usualBody = { id: 101, title: 'x', secret: 'first secret 1', vault_id: 9 }

const given = ['title', 'about', 'team_id', 'parent_id']

/** Rules that let guests write posts. */
const writing = [
  { name: 'edit', who: 'anyone', can: ['update', 'delete'], where: { open: true }, fields: { write: given } },
  { name: 'make', who: 'anyone', can: ['create'], set: { open: true }, fields: { write: given } },
  { name: 'connect', who: 'anyone', can: ['edges'], where: { id__in: [1, 2, 4, 5, 6, 101, 104] } },
  { name: 'connect red', who: 'signed-in', can: ['edges'], where: { 'team.budget__gte': 0, id__gt: 6 } },
  {
    name: 'of two',
    who: 'signed-in',
    can: ['create', 'update'],
    where: { team_id: 2 },
    fields: { write: ['title', 'team_id', 'score'] },
  },
]

const key = fc.constantFrom(1, 2, 3, 4, 5, 6, 7, 8, 9, 101, 102, 103, 104, 105, 501, 999)
/** Mostly allowed values. */
const fitting = fc.record(
  {
    title: fc.constantFrom('post', 'first hidden red', 'red', null),
    about: fc.constantFrom({ colour: 'first' }, null),
    // Not 3: a rule shows all fields of the posts of that team.
    team_id: fc.constantFrom(1, 1, 2, 2, 4, null),
    parent_id: fc.oneof(key, fc.constant(null)),
  },
  { requiredKeys: [] },
)
/** Values with nested new records. */
const nested = fc.oneof(
  fc
    .tuple(fitting, fitting)
    .map(([{ parent_id: _, ...inner }, outer]) => ({ ...inner, parent: outer as object })),
  fc
    .tuple(fitting, fc.array(fitting, { maxLength: 2 }))
    .map(([outer, all]) => ({ ...outer, posts: all.map(({ parent_id: _, ...inner }) => inner) })),
  fitting.map((record) => ({ ...record, team: { name: 'new', budget: 5 } })),
)
/** Values that are not allowed. */
const odd = fc.record(
  {
    id: key,
    title: fc.constantFrom('x', 5),
    secret: fc.constantFrom('first secret 1', 'second secret 999', 'new'),
    score: fc.constantFrom(1, { $add: 1 }, { $multiply: 0 }, { $add: '9223372036854775787' }, 'x', {
      $: 'score',
    }),
    about: fc.constantFrom([], 'first'),
    open: fc.boolean(),
    vault_id: fc.constantFrom(1, 2, 3, 9),
    is_deleted: fc.boolean(),
    vault: fc.constant({ code: 'first secret 1' }),
    posts: fc.constant([{ title: 'x' }]),
  },
  { requiredKeys: [] },
)
const posted = fc.oneof({ weight: 5, arbitrary: fitting }, { weight: 1, arbitrary: odd })
const batchPath = 'batch/'
const edgesPath = 'datatables/posts/edges/'
const keyed = fc.tuple(posted, key).map(([record, id]) => ({ ...record, id }))
const listed = fc.array(keyed, { minLength: 1, maxLength: 3 })
const filter = tree.map((one) => `?filter=${encodeURIComponent(JSON.stringify(one))}`)
const ofKey = key.map((one) => `${one}/`)

const edgeName = fc
  .tuple(fc.constantFrom('seen', 'seen', 'hidden'), fc.constantFrom(0, 1, 2))
  .map(([kind, index]) => `edge:${kind}:${index}`)
const edge = fc.record({
  from_id: fc.oneof({ weight: 3, arbitrary: fc.constantFrom(1, 2, 4, 5, 6) }, { weight: 1, arbitrary: key }),
  to_id: fc.oneof({ weight: 3, arbitrary: fc.constantFrom(1, 2, 4, 5, 6) }, { weight: 1, arbitrary: key }),
  type: fc.constantFrom('next', 'next', 'next', 'none'),
})
/** An operation of a batch. Some use values of earlier ones. */
const table = fc.oneof(
  { weight: 20, arbitrary: fc.constant('posts') },
  { weight: 1, arbitrary: fc.constantFrom('teams', 'vaults', 'none') },
)
const taken = fc.constantFrom('a.id', 'b.id', 'a.title', 'a.secret', 'a.score', 'c.id', 'a.vault_id')
const reference = taken.map((text) => ({ $: text }))
const data = fc.oneof(
  { weight: 4, arbitrary: fitting as fc.Arbitrary<object> },
  { weight: 2, arbitrary: posted },
  {
    weight: 2,
    arbitrary: fc.tuple(fitting, reference).map(([record, from]): object => ({ ...record, title: from })),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(fitting, reference).map(([record, from]): object => ({ ...record, parent_id: from })),
  },
)
const id = fc.oneof(
  { weight: 5, arbitrary: key as fc.Arbitrary<unknown> },
  { weight: 1, arbitrary: reference },
)
const seenKey = fc.constantFrom(1, 2, 4, 5, 6, 7, 8)
const operation: fc.Arbitrary<object> = fc.oneof(
  fc.record(
    { op: fc.constant('create'), table, data, as: fc.constantFrom('a', 'b') },
    { requiredKeys: ['op', 'table', 'data'] },
  ),
  fc.record({ op: fc.constant('update'), table, id: seenKey, data: fitting }),
  fc.record({ op: fc.constant('create'), table: fc.constant('posts'), data: fitting }),
  fc.record({ op: fc.constant('update'), table, id, data }),
  fc.record({
    op: fc.constant('upsert'),
    table: fc.constant('posts'),
    unique_fields: fc.constantFrom(['id'], ['secret']),
    data: keyed,
  }),
  fc.record({ op: fc.constant('delete'), table, id, hard_delete: fc.boolean() }),
  fc.record({ op: fc.constant('create_edge'), table: fc.constant('posts'), data: edge }),
  fc.record({ op: fc.constant('delete_edge'), table: fc.constant('posts'), id: edgeName }),
)

/** The method, the target and the body of a hostile write. */
const hostile: fc.Arbitrary<[method: string, target: string, body: unknown]> = fc.oneof(
  fc.tuple(fc.constant('POST'), fc.constant(batchPath), fc.array(operation, { minLength: 1, maxLength: 3 })),
  fc.tuple(fc.constant('POST'), fc.constant(batchPath), fc.array(operation, { minLength: 1, maxLength: 2 })),
  fc.tuple(fc.constant('POST'), fc.constant(''), fc.oneof(nested, fc.array(nested, { maxLength: 2 }))),
  fc.tuple(fc.constant('POST'), fc.constant(edgesPath), fc.array(edge, { minLength: 1, maxLength: 2 })),
  fc.tuple(
    fc.constant('PATCH'),
    edgeName.map((name) => `${edgesPath}${name}/`),
    edge,
  ),
  fc.tuple(
    fc.constant('DELETE'),
    fc.constant(edgesPath),
    fc.array(edgeName, { minLength: 1, maxLength: 2 }).map((edge_ids) => ({ edge_ids })),
  ),
  fc.tuple(fc.constant('POST'), fc.constant(''), fc.oneof(posted, fc.array(posted, { maxLength: 3 }))),
  fc.tuple(fc.constantFrom('PATCH', 'PATCH', 'PUT'), ofKey, posted),
  fc.tuple(fc.constant('PATCH'), filter, posted),
  fc.tuple(fc.constant('PATCH'), fc.constant(''), listed),
  fc.tuple(
    fc.constant('DELETE'),
    fc.oneof(
      ofKey,
      key.map((one) => `?ids=1,${one}`),
      filter,
    ),
    fc.constant(undefined),
  ),
  fc.tuple(
    fc.constant('POST'),
    fc.constantFrom('upsert/?unique_fields=secret', 'upsert/?unique_fields=id', '1/history/'),
    posted,
  ),
)
const option = fc.oneof(
  { weight: 5, arbitrary: fc.constant('') },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      'return=minimal',
      'return=records',
      'hard_delete=true',
      'expect=2',
      'limit=1',
      'limit=1&ordering=-title',
      'limit=2&ordering=team.name,-id',
      'limit=1&ordering=-secret',
      'limit=1&ordering=parent.score',
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      'include_deleted=true',
      'atomic=false',
      'on_conflict=ignore',
      'populate=vault',
      'populate=parent',
      'populate=posts,team',
    ),
  },
)
const hostileWrite: fc.Arbitrary<Asked> = fc
  .record({
    place,
    hostile,
    option,
    // A deletion by a filter would leave few records for the next requests.
    dry: fc.oneof(
      { weight: 1, arbitrary: fc.constant('') },
      { weight: 9, arbitrary: fc.constant('dry_run=true') },
    ),
    isSignedIn: fc.boolean(),
  })
  .map(({ place, hostile: [method, rest, body], option: more, dry, isSignedIn }) => {
    const isOther = rest.startsWith(batchPath) || rest.startsWith(edgesPath)
    // Most options exist for records only.
    const query = [isOther && !more.startsWith('return') ? '' : more, dry]
      .filter((part) => part !== '')
      .join('&')
    const mark = rest.includes('?') ? '&' : '?'
    const path = `${isOther ? '' : 'datatables/posts/data/'}${rest}${query === '' ? '' : `${mark}${query}`}`
    return { place, method, path, accept: 'application/json', isSignedIn, body }
  })

describe('a guest', () => {
  it('gets equal responses for any hidden records and fields', async () => {
    let shown = 0
    for (const asked of fc.sample(request, { numRuns: runs(80, 3_000), seed })) {
      const [first, second] = await Promise.all(sites.map((shop) => told(shop, asked)))
      const what = `seed ${seed}: ${asked.place} ${asked.method} ${decodeURIComponent(asked.path)} ${asked.isSignedIn ? 'signed in' : ''}`
      expect(first?.status, `${what} ${first?.text}`).toBeLessThan(500)
      expect(second, what).toEqual(first)
      expect(namesTold(asked, first?.text ?? ''), what).toEqual([])
      shown += Number(first?.status === 200)
    }
    // The test would prove nothing if every request was refused.
    expect(shown).toBeGreaterThan(runs(12, 500))
  })

  it('gets equal responses to writes, too, for any hidden records and fields', async () => {
    for (const { api, owner } of sites)
      for (const place of places) {
        const body = {
          rules: [...rules.posts.map((rule, n) => ({ ...rule, name: `read ${n}` })), ...writing],
        }
        const path = `${api}/apps/${place}/datatables/posts/access/`
        expect((await app.request('PUT', path, { token: owner.token, body })).status).toBe(200)
      }
    // The numbers of new records reveal how many there were, so they are made equal here.
    for (const { schema } of sites)
      await app.sql(
        `select setval(format('%I.%I', schemaname, sequencename)::regclass, 500)
           from pg_sequences where schemaname = '${schema}' and sequencename like '%posts%'`,
      )
    const allowed = new Map([batchPath, edgesPath, 'datatables/posts/data/'].map((form) => [form, 0]))
    for (const asked of fc.sample(hostileWrite, { numRuns: runs(150, 3_000), seed: seed + 1 })) {
      const [first, second] = await Promise.all(sites.map((shop) => told(shop, asked)))
      const what = `seed ${seed}: ${asked.place} ${asked.method} ${decodeURIComponent(asked.path)} ${JSON.stringify(asked.body)} ${asked.isSignedIn ? 'signed in' : ''}`
      expect(first?.status, `${what} ${first?.text}`).toBeLessThan(500)
      expect(second, what).toEqual(first)
      expect(namesTold(asked, first?.text ?? ''), what).toEqual([])
      const isAllowed = first?.status === 200 || first?.status === 201
      const form = [...allowed.keys()].find((one) => asked.path.startsWith(one)) ?? ''
      allowed.set(form, (allowed.get(form) ?? 0) + Number(isAllowed))
    }
    // The test would prove nothing if every write was refused.
    for (const [form, count] of allowed) expect([form, count > runs(2, 10)]).toEqual([form, true])
  })
})
