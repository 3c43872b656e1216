/**
 * Measures lists of a guest under access rules on a million records, compared with the same lists of a
 * manager who uses filters.
 */
import { isDeepStrictEqual } from 'node:util'
import type { Client } from '../../dev/client.ts'
import { compare, type Stack } from '../stack.ts'

const rows = 1_000_000
const projects = 10_000
/** Each owner has the same number of records, because Postgres plans a view for an average caller. */
const owners = 1_000

const integer = (name: string) => ({ name, type: 'integer' })
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
        { name: 'code', type: 'uuid' },
        { name: 'day', type: 'date' },
        { name: 'due', type: 'datetime' },
        { name: 'price', type: 'number' },
        { name: 'title', type: 'string' },
        { name: 'labels', type: 'array' },
      ],
      primaryKey: 'id',
      foreignKeys: [{ fields: 'project_id', reference: { resource: 'projects', fields: 'id' } }],
      search_fields: ['title'],
      indexes: [
        { name: 'by_owner', fields: ['owner_id', 'id'] },
        { name: 'by_title', fields: ['title'], method: 'trigram' },
        { name: 'by_labels', fields: ['labels'], method: 'gin' },
      ],
    },
  },
]

/** Creates the records. Their other fields do not depend on their owner and project. */
export async function prepareLists(stack: Stack, id: number): Promise<void> {
  const { client, api, sql, schema } = stack
  await client.request('POST', `${api}/apps/bench/datatables/create_schema/?materialize=true`, { resources })
  const owner = `case when i % ${owners} = 0 then ${id} else -(i % ${owners}) end`
  await sql.query(
    `insert into ${schema}.bench_projects select i, ${owner} from generate_series(1, ${projects}) i`,
  )
  const restore = await dropSlowIndexes(stack)
  await sql.query(`
    insert into ${schema}.bench_tasks (id, project_id, owner_id, kind, code, day, due, price, title, labels)
    select i, 1 + (i * 7) % ${projects}, ${owner}, 'kind ' || n % 40, md5(i::text)::uuid,
           date '2026-01-01' + n % 365, timestamptz '2026-01-01' + i * interval '1 minute',
           (n * 37 % 1000) / 10.0, 'task word' || n % 50 || ' ' || md5(i::text),
           jsonb_build_array('label ' || n % 50, 'label ' || 50 + n % 7)
      from (select i, i / ${owners} as n from generate_series(1, ${rows}) i) _numbers`)
  for (const definition of restore) await sql.query(definition)
}

/** Drops the indexes that are faster to create after the rows. Returns the statements that create them. */
async function dropSlowIndexes({ sql, schema }: Stack): Promise<string[]> {
  const { rows: found } = await sql.query<{ indexname: string; indexdef: string }>(
    "select indexname, indexdef from pg_indexes where schemaname = $1 and indexdef like '%USING gin%'",
    [schema],
  )
  for (const { indexname } of found) await sql.query(`drop index ${schema}."${indexname}"`)
  await sql.query("set maintenance_work_mem = '256MB'")
  return found.map(({ indexdef }) => indexdef)
}

/**
 * Leakproof operators use indexes inside a view of guests; the others are checked on every record that the
 * rule allows, so their limit only ensures that they end.
 */
const questions: readonly [kind: string, query: string, most: number][] = [
  ['the first page', '_total=none', 1.3],
  ['the first page with its total', 'ordering=-id', 1.3],
  ['an equality of text', 'kind=kind 3&_total=none', 1.3],
  ['a range of text', 'kind__gte=kind 35&_total=none', 1.3],
  ['a range of uuid', 'code__lt=20000000-0000-0000-0000-000000000000&_total=none', 1.3],
  ['a range of date', 'day__gte=2026-10-01&_total=none', 1.3],
  ['a range of timestamptz', 'due__gte=2026-06-01T00:00:00Z&_total=none', 1.3],
  ['a range of bigint', 'id__gte=500000&_total=none', 1.3],
  ['icontains', 'title__icontains=abc&_total=none', 1000],
  ['search', 'search=word7&_total=none', 1000],
  ['containment', 'filters={"labels__contains": ["label 7"]}&_total=none', 1000],
  ['a range of numeric', 'price__gte=95&_total=none', 1000],
]

/** The share that entering as a guest, with signed claims, may add to lists of 10 ms. */
const entry = 0.2

/** Compares the lists under each of the rules. */
export async function compareLists(stack: Stack, guest: Client, id: number): Promise<void> {
  console.log(`${rows.toLocaleString('en')} records`)
  const hop = { 'project.owner_id': { $: 'user.id' } }
  await under(stack, guest, 'a related hop', hop, `project.owner_id=${id}`)
  await under(stack, guest, 'the own records', { owner_id: { $: 'user.id' } }, `owner_id=${id}`)
}

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
      who.request<{ data: unknown[] }>('GET', `${table}/data/?page_size=20&${query}${more}`)
    const [guests, managers] = [ask(guest, ''), ask(client, `&${filter}`)]
    const [seen, wanted] = [await guests(), await managers()]
    if (seen.data.length === 0 || !isDeepStrictEqual(seen, wanted))
      throw new Error(`${what}: ${kind}: the guest reads other records than the manager, or none`)
    await compare(`${what}: ${kind}`, 15, guests, managers, most + entry, 'a manager')
  }
}
