/** Lists of a guest under access rules on a million records, beside a manager who asks the same with filters. */
import { type Client, signIn } from '../dev/client.ts'
import { compare, type Stack, withStack } from './stack.ts'

const rows = 1_000_000
const projects = 10_000
/** Each has as many records as the others: Postgres plans a view for an average caller. */
const owners = 1_000
const password = 'Quiet-river-58'

const integer = (name: string) => ({ name, type: 'integer' })
const to = (fields: string, resource: string) => ({ fields, reference: { resource, fields: 'id' } })
const resources = [
  {
    name: 'projects',
    schema: {
      fields: [integer('id'), integer('owner_id')],
      primaryKey: 'id',
      indexes: [{ name: 'by_owner', fields: ['owner_id'] }],
    },
  },
  {
    name: 'tasks',
    schema: {
      fields: [
        integer('id'),
        integer('project_id'),
        integer('owner_id'),
        { name: 'kind', type: 'string' },
        { name: 'due', type: 'datetime' },
        { name: 'price', type: 'number' },
        { name: 'title', type: 'string' },
      ],
      primaryKey: 'id',
      foreignKeys: [to('project_id', 'projects')],
      indexes: [
        { name: 'by_owner', fields: ['owner_id', 'id'] },
        { name: 'by_title', fields: ['title'], method: 'trigram' },
      ],
    },
  },
]

/** Leakproof operators use indexes inside a view of guests; the others are tried after the rule. */
const questions: readonly [kind: string, query: string, most: number][] = [
  ['the first page', '_total=none', 1.3],
  ['the first page with its total', 'ordering=-id', 1.3],
  ['an equality of text', 'kind=kind 3&_total=none', 1.3],
  ['a range of time', 'due__gte=2026-06-01T00:00:00Z&_total=none', 1.3],
  ['a range of bigint', 'id__gte=500000&_total=none', 1.3],
  ['icontains', 'title__icontains=abc1&_total=none', 1000],
  ['a range of numeric', 'price__gte=99&_total=none', 1000],
]

/** What entering as a guest and its signed claims cost beside lists of 10 ms. */
const entry = 0.2

await withStack(async (stack) => {
  const { client, api, sql, schema, url } = stack
  await client.request('POST', '/api/users/', { username: 'guest', email: 'guest@example.com', password })
  const guest = await signIn(url.href, 'guest', password)
  const { id } = await guest.request<{ id: number }>('GET', '/api/users/me/')
  await client.request('POST', `${api}/apps/bench/datatables/create_schema/?materialize=true`, { resources })
  await sql.query(`insert into ${schema}.bench_projects
    select i, case when i % ${owners} = 0 then ${id} else -(i % ${owners}) end from generate_series(1, ${projects}) i`)
  await sql.query(`insert into ${schema}.bench_tasks
    select i, 1 + (i * 7) % ${projects}, case when i % ${owners} = 0 then ${id} else -(i % ${owners}) end, 'kind ' || i % 40,
           timestamptz '2026-01-01' + i * interval '1 minute', (i % 1000) / 10.0, 'task ' || md5(i::text)
      from generate_series(1, ${rows}) i`)
  await sql.query('vacuum analyze')
  console.log(`${rows.toLocaleString('en')} records`)

  await under(
    stack,
    guest,
    'a related hop',
    { 'project.owner_id': { $: 'user.id' } },
    `project.owner_id=${id}`,
  )
  await under(stack, guest, 'the own records', { owner_id: { $: 'user.id' } }, `owner_id=${id}`)
})

/** Compares the lists of a guest under a rule with those of a manager with the same filter. */
async function under(
  stack: Stack,
  guest: Client,
  what: string,
  where: object,
  filter: string,
): Promise<void> {
  const { client, api } = stack
  const table = `${api}/apps/bench/datatables/tasks`
  await client.request('PUT', `${table}/access/`, {
    rules: [{ name: 'seen', who: 'signed-in', can: ['read'], where }],
  })
  for (const [kind, query, most] of questions) {
    const ask = (who: Client, more: string) => () =>
      who.request('GET', `${table}/data/?page_size=20&${query}${more}`)
    await compare(`${what}: ${kind}`, 15, ask(guest, ''), ask(client, `&${filter}`), most + entry)
  }
}
