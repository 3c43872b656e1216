/**
 * Measures schema changes of a table of a million records: how long they block concurrent reads and writes.
 * D8.
 */
import { report, type Stack, withStack } from './stack.ts'

const rows = 1_000_000
const id = { name: 'id', type: 'integer' }
const name = { name: 'name', type: 'string' }
const n = { name: 'n', type: 'integer' }
const code = { name: 'code', type: 'string' }
const note = { name: 'note', type: 'string' }
const with_ = (field: object, constraints: object) => ({ ...field, constraints })

/** The schema changes, in order. */
const changes = [
  ['adds a field', { fields: [id, name, n, code, note] }],
  [
    'adds an index',
    { fields: [id, name, n, code, note], indexes: [{ name: 'by_n', fields: ['n', 'name'] }] },
  ],
  ['adds a rule', { fields: [id, name, with_(n, { minimum: 0 }), code, note] }],
  ['makes a field unique', { fields: [id, name, n, with_(code, { unique: true }), note] }],
  ['makes a field required', { fields: [id, with_(name, { required: true }), n, code, note] }],
] as const

/** The changes of a table with columns that batches make. */
const inBatches = [
  ['changes a type', { fields: [id, name, { name: 'n', type: 'number' }, code, note] }],
  ['begins a history', { fields: [id, name, { name: 'n', type: 'number' }, code, note], history: true }],
] as const

await withStack(
  async (stack) => {
    const { client, api, sql, schema } = stack
    await client.request('POST', `${api}/apps/bench/datasources/`, {
      name: 'Documents',
      slug: 'documents',
      provider_type: 'jsonb',
    })
    for (const [table, query] of [
      ['sales', ''],
      ['papers', '&datasource=documents'],
    ] as const) {
      const start = { fields: [id, name, n, code], primaryKey: 'id' }
      const path = `${api}/apps/bench/datatables/`
      await client.request('POST', `${path}create_schema/?materialize=true${query}`, {
        resources: [{ name: table, schema: start }],
      })
      const generated = `select i as id, 'name ' || i as name, i % 1000 as n, 'code ' || i as code from generate_series(1, ${rows}) i`
      await sql.query(
        `insert into ${schema}.bench_${table} ${query ? `select to_jsonb(g) from (${generated}) g` : generated}`,
      )
      await sql.query('vacuum analyze')
      const quiet = await meanwhile(stack, table, () => new Promise((done) => setTimeout(done, 2000)))
      console.log(
        `${table}: ${rows.toLocaleString('en')} records; when nothing changes, the longest request takes ${quiet.longest.toFixed()} ms`,
      )
      for (const [title, json_schema] of query ? changes : [...changes, ...inBatches]) {
        const { longest, requests, took } = await meanwhile(stack, table, () =>
          client.request('PUT', `${path}${table}/?allow_data_loss=true`, {
            json_schema: { ...json_schema, primaryKey: 'id' },
          }),
        )
        const figures = `${(took / 1000).toFixed(1)} s, ${requests} requests meanwhile, the longest ${longest.toFixed()} ms`
        report(`${table}: ${title}`, figures, longest / 1000, 1)
      }
    }
  },
  { CHANGE_WAIT_MS: '3600000' },
)

/** Runs two readers and one writer without a pause while `work` runs. */
async function meanwhile({ client, api }: Stack, table: string, work: () => Promise<unknown>) {
  const path = `${api}/apps/bench/datatables/${table}/data/`
  let [working, longest, requests] = [true, 0, 0]
  const loop = async (request: () => Promise<unknown>) => {
    while (working) {
      const began = performance.now()
      await request()
      longest = Math.max(longest, performance.now() - began)
      requests++
    }
  }
  const someId = () => 1 + Math.floor(Math.random() * rows)
  const loops = [
    loop(() => client.request('GET', `${path}${someId()}/`)),
    loop(() => client.request('GET', `${path}?id__gte=${someId()}&ordering=id&page_size=20`)),
    loop(() => client.request('PATCH', `${path}${someId()}/`, { n: 5 })),
  ]
  const began = performance.now()
  await work().finally(() => {
    working = false
  })
  const took = performance.now() - began
  await Promise.all(loops)
  return { longest, requests, took }
}
