/**
 * Measures pages of the edges that access rules show to a guest, compared with pages of all edges for a
 * member.
 */
import { isDeepStrictEqual } from 'node:util'
import type { Client } from '../../dev/client.ts'
import { compare, type Stack } from '../stack.ts'

const nodes = 50_000
/** Owners of nodes. Each owns the same number. */
const owners = 500
/** The distances from a node to the other ends of its edges. Two of them have the same owner. */
const steps = [7, owners, 1009, 3 * owners]

const integer = (name: string) => ({ name, type: 'integer' })
const byOwner = { name: 'by_owner', fields: ['owner_id'] }
const resources = [
  {
    name: 'regions',
    schema: { fields: [integer('id'), integer('owner_id')], primaryKey: 'id', indexes: [byOwner] },
  },
  {
    name: 'places',
    schema: {
      fields: [
        integer('id'),
        integer('owner_id'),
        integer('region_id'),
        { name: 'open', type: 'boolean' },
        { name: 'is_deleted', type: 'boolean' },
      ],
      primaryKey: 'id',
      foreignKeys: [{ fields: 'region_id', reference: { resource: 'regions', fields: 'id' } }],
      graph: { enabled: true, types: [{ name: 'leads', inverse: 'from' }] },
      indexes: [byOwner],
    },
  },
]

/** Creates nodes with edges to nodes before and after them. Nine of ten nodes are open. */
export async function prepareEdges({ client, api, sql, schema }: Stack, id: number): Promise<void> {
  await client.request('POST', `${api}/apps/bench/datatables/create_schema/?materialize=true`, {
    resources,
  })
  const owner = `case when i % ${owners} = 0 then ${id} else -(i % ${owners}) end`
  await sql.query(`insert into ${schema}.bench_regions (id, owner_id)
    select i, ${owner} from generate_series(1, ${nodes / 10}) i`)
  await sql.query(`insert into ${schema}.bench_places (id, owner_id, region_id, open)
    select i, ${owner}, 1 + i % ${nodes / 10}, i % 10 <> 3
      from generate_series(1, ${nodes}) i`)
  await sql.query(`insert into ${schema}.bench_places_edges (id, from_id, to_id, type)
    select gen_random_uuid(), i, 1 + (i - 1 + step) % ${nodes}, 'leads'
      from generate_series(1, ${nodes}) i, unnest(array[${steps}]) step`)
}

const rules: readonly [what: string, where: object, shown: (end: string, id: number) => string][] = [
  ['most', { open: true }, (end) => `${end}.open`],
  ['few', { owner_id: { $: 'user.id' } }, (end, id) => `${end}.owner_id = ${id}`],
]
const pages: readonly [kind: string, query: string, offset: number][] = [
  ['the first with its total', '', 0],
  ['the first', '_total=none', 0],
  ['the 500th with its total', 'page=500', 9980],
  ['the 500th', 'page=500&_total=none', 9980],
]

interface EdgeList {
  data: { id: string }[]
  total: number | null
}

export async function compareEdges(stack: Stack, guest: Client, id: number): Promise<void> {
  const { client, api, sql, schema } = stack
  const table = `${api}/apps/bench/datatables/places`
  for (const [what, where, shown] of rules) {
    await client.request('PUT', `${table}/access/`, {
      rules: [{ name: 'seen', who: 'signed-in', can: ['read'], where }],
    })
    const from = `from ${schema}.bench_places_edges e
      join ${schema}.bench_places a on a.id = e.from_id join ${schema}.bench_places b on b.id = e.to_id
     where ${shown('a', id)} and ${shown('b', id)}`
    const { rows } = await sql.query<{ count: string }>(`select count(*) ${from}`)
    const total = Number(rows[0]?.count)
    console.log(`${total.toLocaleString('en')} of ${(nodes * steps.length).toLocaleString('en')} edges`)
    for (const [kind, query, offset] of pages) {
      const page = (who: Client) => () =>
        who.request<EdgeList>('GET', `${table}/edges/?page_size=20&${query}`)
      const answer = await page(guest)()
      const { rows: wanted } = await sql.query<{ id: string }>(
        `select e.id ${from} order by from_id, type, to_id limit 20 offset ${offset}`,
      )
      if (
        !isDeepStrictEqual(
          answer.data.map((edge) => edge.id),
          wanted.map((edge) => edge.id),
        ) ||
        (answer.total !== null && answer.total !== total)
      )
        throw new Error(`the guest reads other edges: ${JSON.stringify(answer)}`)
      await compare(`${what} of the edges: ${kind}`, 7, page(guest), page(client), 1000, 'a member')
    }
  }
}
