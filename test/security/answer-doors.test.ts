/**
 * Answers with stored values beside the lists of records, which answer-size.test.ts asks: versions, edges,
 * walks, streams, batches, and the lists of what a site consists of. Each that would be too long is refused
 * before Postgres has made it, with little memory. T9.
 */
import { beforeAll, describe, expect, it } from 'vitest'
import { siteIdOf } from '../support/app.ts'
import { operations } from '../support/contract.ts'
import { addTables } from '../support/fixtures.ts'
import { sessionBytes } from '../support/session-memory.ts'
import { ask, createWorld, type World } from '../support/world.ts'

/** The most bytes of an answer with records, of records related to one, of a tree, and of any other rows. */
const limits = { records: 12_582_912, related: 3_145_728, tree: 8_388_608, rows: 25_165_824 }
const nodes = 200
const note = `repeat('x', 100000)`

let world: World

const refused = (of: keyof typeof limits) => ({
  error: 'Answer too large',
  detail: `The answer is longer than ${limits[of]} bytes of JSON. Request fewer records, or less of each.`,
  code: 'answer_too_large',
})

beforeAll(async () => {
  world = await createWorld()
  const { app, shop } = world
  const fields = [
    { name: 'id', type: 'integer' },
    { name: 'of_id', type: 'integer' },
    { name: 'note', type: 'string' },
    { name: 'size', type: 'integer' },
  ]
  const access = { rules: [{ name: 'all', who: 'anyone', can: ['read', 'create', 'update'] }] }
  const graph = { enabled: true, types: [{ name: 'leads', inverse: 'led_by' }] }
  const foreignKeys = [{ fields: 'of_id', reference: { resource: 'nodes', fields: 'id' } }]
  const schema = { fields, primaryKey: 'id', foreignKeys, history: true, graph, access }
  await addTables(app, shop, [{ name: 'nodes', schema }])
  await app.sql(
    `insert into ${shop.schema}.shop_nodes (id, of_id, note, size)
     select n, 1, ${note}, 0 from generate_series(1, ${nodes}) n`,
  )
  await app.sql(
    `insert into ${shop.schema}.shop_nodes_edges (id, from_id, to_id, type, metadata)
     select gen_random_uuid(), 1, n, 'leads', jsonb_build_object('note', ${note})
       from generate_series(2, ${nodes}) n`,
  )
  // Each transaction makes a version.
  for (let size = 1; size <= 70; size++)
    await app.sql(
      `update ${shop.schema}.shop_nodes set size = ${size}, note = ${note} || ${note} where id = 1`,
    )
})

const changes = Array.from({ length: nodes }, (_, index) => ({
  op: 'update',
  table: 'nodes',
  id: index + 1,
  data: { size: 1 },
}))

const csv = { accept: 'text/csv' }
const lines = { accept: 'application/x-ndjson' }
type Door = [
  name: string,
  limit: keyof typeof limits,
  path: string,
  asked?: { headers?: Record<string, string>; body?: unknown },
]
/** The requests, below the path of the app. */
const doors: Door[] = [
  ['a walk', 'records', 'datatables/nodes/data/1/?include=ancestors'],
  ['a list with walks', 'records', 'datatables/nodes/data/?include=both&page_size=200'],
  ['a tree', 'tree', 'datatables/nodes/data/1/?format=tree&include=ancestors'],
  ['the trees of all roots', 'tree', 'datatables/nodes/data/?format=tree'],
  ['a graph', 'records', 'datatables/nodes/data/1/?format=graph&include=ancestors'],
  ['the graph of all records', 'records', 'datatables/nodes/data/?format=graph'],
  ['edges', 'records', 'datatables/nodes/edges/?page_size=200'],
  ['versions', 'records', 'datatables/nodes/data/1/history/?page_size=100'],
  ['a list of an earlier time', 'records', 'datatables/nodes/data/?page_size=200&as_of=now'],
  [
    'lines of JSON with related records',
    'related',
    'datatables/nodes/data/?populate=nodes',
    { headers: lines },
  ],
  [
    'lines of groups',
    'records',
    'datatables/nodes/data/?_aggregate=array_agg(note)&_group_by=of_id',
    { headers: lines },
  ],
  ['CSV of groups', 'records', 'datatables/nodes/data/?_aggregate=max(note)&_group_by=id', { headers: csv }],
  ['a batch', 'records', 'batch/', { body: changes }],
]

describe('an answer that would be too long', () => {
  describe.each(['a member', 'a guest'])('for %s', (who) => {
    it.each(doors)('is 422 for %s', async (name, limit, path, { headers = {}, body } = {}) => {
      const { app, shop } = world
      const { status, body: answer } = await app.request(
        body === undefined ? 'GET' : 'POST',
        `${shop.api}/apps/shop/${path.replace('now', new Date().toISOString())}`,
        { headers, ...(who === 'a guest' ? {} : { token: shop.owner.token }), ...(body ? { body } : {}) },
      )
      // What guests may not ask at all.
      const closed = { versions: 401, 'a list of an earlier time': 400 }[name]
      if (who === 'a guest' && closed) expect(status).toBe(closed)
      else expect([status, answer]).toEqual([422, refused(limit)])
    })
  })
})

const text = `repeat('x', 300000)`
const json = `jsonb_build_object('text', ${text})`
/**
 * The lists of a site whose rows can have long values, with the table of their rows. Its first row is
 * copied; `n` is the number of a copy.
 */
const lists: [operation: string, table: string, changes: string, limit?: 'records'][] = [
  ['listApps', '_apps', `'slug', 'x' || n, 'name', 'x' || n, 'description', ${text}`],
  ['listDatasources', '_datasources', `'slug', 'x' || n, 'name', 'x' || n, 'description', ${text}`],
  [
    'listDatatables',
    '_datatables',
    `'name', 'x' || n, 'physical_table_name', 'x' || n, 'description', ${text}`,
  ],
  [
    'listFunctions',
    '_functions',
    `'slug', 'x' || n, 'name', 'x' || n, 'uuid', gen_random_uuid(), 'description', ${text}`,
  ],
  ['listDatasourceTables', '_datatables', `'name', 'x' || n`],
  ['listDatasourceDatatables', '_datatables', `'name', 'x' || n`],
  ['listDatatableOperations', '_operations', `'datatable_name', 'makers', 'sql', ${text}`],
  ['listDatasourceTableOperations', '_operations', `'datatable_name', 'makers'`],
  ['listInvocations', '_invocations', `'event_id', 1000 + n, 'params', ${json}`],
  [
    'listDeadLetters',
    '_invocations',
    `'id', 2000 + n, 'event_id', 2000 + n, 'status', 'FAILURE', 'error', ${text}`,
  ],
  ['listTags', '_tags', `'slug', 'x' || n, 'name', 'x' || n, 'description', ${text}`],
  [
    'listSecretTypes',
    '_secret_types',
    `'slug', 'x' || n, 'name', 'x' || n, 'type', 'custom', 'description', ${text}`,
  ],
  ['listSecrets', '_secrets', `'id', gen_random_uuid(), 'key', 'X' || n, 'created_by_username', ${text}`],
  ['listSecretHistory', '_secret_history', `'changes', ${json}`, 'records'],
  ['listQuestions', '_questions', `'name', 'x' || n, 'content', ${json}`],
  ['listDashboards', '_dashboards', `'name', 'x' || n, 'content', ${json}`],
]

describe('a page of a list that would be too long', () => {
  it.each(lists)('is 422 for %s', async (id, table, changed, limit) => {
    const { app, shop } = world
    const operation = operations.find(({ operationId }) => operationId === id)
    if (!operation) throw new Error(id)
    const of = `tenant.${table}`
    await app.sql(
      `insert into ${of} overriding system value
       select (jsonb_populate_record(null::${of}, to_jsonb(t) || jsonb_build_object('id', 1000 + n) ||
              jsonb_build_object(${changed}))).*
         from (select * from ${of} where site_id = $1 limit 1) t, generate_series(1, 100) n
       on conflict do nothing`,
      [siteIdOf(shop)],
    )
    const { status, body } = await ask(world, operation, { token: world.root.token, query: '?page_size=100' })
    expect([status, body]).toEqual([422, refused(limit ?? 'rows')])
  })
})

describe('a page of invocations with 9 MB each', () => {
  it('is 422', async () => {
    const { app, shop } = world
    await app.sql(
      `insert into tenant._invocations overriding system value
       select (jsonb_populate_record(null::tenant._invocations, to_jsonb(i) || jsonb_build_object(
                'id', 3000 + n, 'event_id', 3000 + n, 'function_slug', 'long',
                'params', repeat('x', 9000000)))).*
         from (select * from tenant._invocations where site_id = $1 limit 1) i, generate_series(1, 4) n`,
      [siteIdOf(shop)],
    )
    const { status, body } = await app.request('GET', `${shop.api}/invocations/?function_slug=long`, {
      token: world.root.token,
    })
    expect([status, body]).toEqual([422, refused('rows')])
  })
})

describe('a session of Postgres', () => {
  it('needs less than 64 MB for all of these answers, and for a stream of any length', async () => {
    const { app, shop } = world
    const { status, text: streamed } = await app.request(
      'GET',
      `${shop.api}/apps/shop/datatables/nodes/data/`,
      {
        token: shop.owner.token,
        headers: lines,
      },
    )
    expect([status, streamed.length > nodes * 100_000]).toEqual([200, true])
    const bytes = await sessionBytes(app)
    expect(bytes.length).toBeGreaterThan(0)
    expect(Math.max(...bytes)).toBeLessThan(64 * 1024 * 1024)
  })
})
