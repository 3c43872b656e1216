/**
 * Measures walks on 100,000 nodes with 300,000 edges, and on fully connected layers: the statements that the
 * service sends for a request, compared in the same run with the best statements written by hand.
 */

import type pg from 'pg'
import type { Client } from '../dev/client.ts'
import { parseGraphQuery } from '../src/data/graph/parse.ts'
import { planWalk, type WalkPlan } from '../src/data/graph/plan.ts'
import { renderInclude } from '../src/data/graph/render.ts'
import type { TableSchema } from '../src/data/model/schema-form.ts'
import { compileTable, type Table, type TableGraph } from '../src/data/model/table.ts'
import { planning } from '../src/data/query/plan/planning.ts'
import { Problems } from '../src/data/query/problems.ts'
import { render } from '../src/kernel/db/sql.ts'
import { median, report, type Stack, withStack } from './stack.ts'

const nodeCount = 100_000
const rowsEach = 10_000
const rounds = 41
/** The maximum ratio of our time to the time of the best statement by hand. */
const ratioMax = 2

interface Statement {
  text: string
  values: unknown[]
}

interface Edge {
  from_id: number
  to_id: number
  type: string
}

await withStack(run)

async function run({ client, api, schema, sql }: Stack): Promise<void> {
  const tables = `${api}/apps/bench/datatables/`
  const fields = [
    { name: 'id', type: 'integer' },
    { name: 'name', type: 'string' },
    { name: 'grade', type: 'integer' },
  ]
  const types = [
    { name: 'manager', inverse: 'reports', constraints: { max_outgoing: 1 } },
    { name: 'mentor', inverse: 'mentees' },
  ]
  await client.request('POST', `${tables}create_schema/?materialize=true`, {
    resources: [
      { name: 'people', schema: { fields, hierarchy: true, graph: { enabled: true, types } } },
      {
        name: 'hidden',
        schema: {
          fields: [...fields, { name: 'is_deleted', type: 'boolean' }],
          graph: { enabled: true, types },
        },
      },
      {
        name: 'layers',
        schema: {
          fields,
          hierarchy: true,
          graph: { enabled: true, types: [{ name: 'above', inverse: 'below' }] },
        },
      },
    ],
  })

  // A tree in which each node has four children, and two more edges from each node to any earlier node.
  const random = randomNumbers(7)
  const before = (node: number) => Math.floor(random() * node)
  const edges: Edge[] = []
  for (let node = 1; node < nodeCount; node++) {
    edges.push({ from_id: node, to_id: Math.floor((node - 1) / 4), type: 'manager' })
    const [a, b] = [before(node), before(node)]
    edges.push({ from_id: node, to_id: a, type: 'mentor' })
    if (b !== a) edges.push({ from_id: node, to_id: b, type: 'mentor' })
  }
  for (const table of ['people', 'hidden']) await load(client, tables, table, nodeCount, edges)
  const layered: Edge[] = []
  for (let layer = 1; layer < 10; layer++) {
    for (let from = 0; from < 100; from++)
      for (let to = 0; to < 100; to++)
        layered.push({ from_id: layer * 100 + from, to_id: (layer - 1) * 100 + to, type: 'above' })
  }
  await load(client, tables, 'layers', 1000, layered)
  await sql.query('vacuum analyze')

  const bushy = await nodeWithAbout(sql, 1000, `${schema}.bench_people_edges`)
  const byHand = (table: string, isVisible: string) => ({
    nodes: `${schema}.bench_${table}`,
    edges: `${schema}.bench_${table}_edges`,
    isVisible,
  })
  for (const [title, table, start, one, visible] of [
    ['descendants, depth 5, by all types', 'people', bushy, '', 'true'],
    ['descendants, depth 5, by the one type of a tree', 'people', 21, 'manager', 'true'],
    ['the same, of a table with soft delete', 'hidden', bushy, '', 'n.is_deleted is not true'],
  ] as const) {
    const query = `include=descendants&depth=5${one ? `&relationship_type=${one}` : ''}`
    const answered = await client.request<Lists>('GET', `${tables}${table}/data/${start}/?${query}`)
    const ours = await statementOf(client, schema, `${tables}${table}/`, start, query)
    await compare(sql, title, ours, handWritten(byHand(table, visible), start, one), reached(answered))
  }
  await once(
    client,
    '10 layers of 100, all connected: descendants, depth 10',
    `${tables}layers/data/0/?include=descendants&depth=10`,
    1,
  )
  await once(client, 'the same as a graph, of 80,100 edges', `${tables}layers/data/0/?format=graph`, 2)
  await once(client, 'the same as a tree, refused', `${tables}layers/data/?format=tree`, 2)
  await once(
    client,
    '100,000 nodes from all roots, as a tree',
    `${tables}people/data/?format=tree&relationship_type=manager`,
    5,
  )
}

async function load(
  client: Client,
  tables: string,
  table: string,
  nodes: number,
  edges: readonly Edge[],
): Promise<void> {
  const began = performance.now()
  for (let start = 0; start < nodes; start += rowsEach) {
    const rows = Array.from({ length: Math.min(rowsEach, nodes - start) }, (_, index) => start + index)
    await client.request(
      'POST',
      `${tables}${table}/data/`,
      rows.map((id) => ({ id, name: `Person ${id}`, grade: id % 10 })),
    )
  }
  const nodesDone = performance.now()
  for (let start = 0; start < edges.length; start += rowsEach)
    await client.request('POST', `${tables}${table}/edges/`, edges.slice(start, start + rowsEach))
  const seconds = (from: number, to: number) => `${((to - from) / 1000).toFixed(1)} s`
  console.log(
    `${table}: ${nodes} nodes in ${seconds(began, nodesDone)}, ${edges.length} edges in ${seconds(nodesDone, performance.now())}`,
  )
}

async function nodeWithAbout(sql: pg.Client, wanted: number, edges: string): Promise<number> {
  let best = { node: 0, distance: Infinity }
  for (let node = 20; node < 4000; node += 13) {
    const { rows } = await sql.query(
      `with recursive w (id, d) as (select ${node}::bigint, 0 union select e.from_id, d + 1 from w join ${edges} e on e.to_id = w.id where d < 5)
       select count(distinct id) - 1 as n from w`,
    )
    const distance = Math.abs(Number(rows[0]?.n) - wanted)
    if (distance < best.distance) best = { node, distance }
  }
  return best.node
}

/** Returns statements for the body of the response, written in several ways. */
function handWritten(
  { nodes, edges, isVisible }: { nodes: string; edges: string; isVisible: string },
  start: number,
  type: string,
): Statement[] {
  const ofType = type ? `and e.type = '${type}'` : ''
  const there = isVisible === 'true' ? '' : `join ${nodes} n on n.id = e.from_id and ${isVisible}`
  const lists = (found: string) => `
    select json_build_object('data', (select row_to_json(s) from (select n.* from ${nodes} n where n.id = $1) s),
      'reports', (select coalesce(json_agg(x order by _depth, id), '[]') from (select n.*, f.d as _depth, f.type as _relationship_type from ${found} f join ${nodes} n using (id) where f.type = 'manager') x),
      'mentees', (select coalesce(json_agg(x order by _depth, id), '[]') from (select n.*, f.d as _depth, f.type as _relationship_type from ${found} f join ${nodes} n using (id) where f.type = 'mentor') x))::text as data`
  const step = `from w join ${edges} e on e.to_id = w.id ${there}`
  return [
    // Collects each node at each depth, and takes the smallest depth at the end.
    `with recursive w (id, d, type) as (
       select $1::bigint, 0, null union select e.from_id, w.d + 1, e.type ${step} where w.d < 5 ${ofType}),
     f as materialized (select distinct on (id) id, d, type from w where id <> $1 order by id, d, type) ${lists('f')}`,
    // The same without the types, which are looked up after the nodes are known.
    `with recursive w (id, d) as (
       select $1::bigint, 0 union select e.from_id, w.d + 1 ${step} where w.d < 5 ${ofType}),
     m as materialized (select id, min(d) as d from w group by id),
     f as materialized (select m.id, m.d, (select min(e.type) from ${edges} e join m p on p.id = e.to_id and p.d = m.d - 1 where e.from_id = m.id ${ofType}) as type
                          from m where m.d > 0) ${lists('f')}`,
  ].map((text) => ({ text, values: [start] }))
}

/** Returns the statement that the service sends for a walk from a record. */
async function statementOf(
  client: Client,
  schema: string,
  path: string,
  start: number,
  query: string,
): Promise<Statement> {
  const found = await client.request<{
    id: number
    name: string
    json_schema: TableSchema
    schema_hash: string
    physical_table_name: string
  }>('GET', path)
  const table = compileTable(Number(schema.slice('site_'.length)), {
    ...found,
    is_materialized: true,
    datasource: { slug: 'main', providerType: 'flat_table' },
    source: null,
  }) as Table & { graph: TableGraph }
  const problems = new Problems()
  const asked = parseGraphQuery(new URLSearchParams(query), 'record', 10, problems)
  const plan = planWalk(planning(table, problems), table, asked, String(start))
  problems.throwIfAny()
  return render(renderInclude(plan as WalkPlan))
}

async function compare(
  sql: pg.Client,
  title: string,
  ours: Statement,
  hands: readonly Statement[],
  expected: string,
): Promise<void> {
  for (const hand of hands) {
    const { data } = (await sql.query(hand)).rows[0] as { data: string }
    if (reached(JSON.parse(data)) !== expected)
      throw new Error(`${title}: the statement written by hand answers something else`)
  }
  const [mine = 0, ...theirs] = await medians([ours, ...hands].map((statement) => () => sql.query(statement)))
  const figures = `${expected.split(',').length} nodes, ${mine.toFixed(1)} ms, by hand ${theirs.map((ms) => ms.toFixed(1)).join(' and ')} ms`
  report(title, figures, mine / Math.min(...theirs), ratioMax)
}

/**
 * Returns the median milliseconds of several works. They take turns, so that other work on the machine
 * affects all of them equally.
 */
async function medians(works: readonly (() => Promise<unknown>)[]): Promise<number[]> {
  const times = works.map((): number[] => [])
  for (let round = 0; round < rounds; round++) {
    for (const [index, work] of works.entries()) {
      const began = performance.now()
      await work()
      times[index]?.push(performance.now() - began)
    }
  }
  return times.map(median)
}

/** Values for the statement besides the record: lists of nodes. */
type Lists = Record<string, { id: number; _depth: number }[]>

/** Returns the nodes and their depths. */
function reached({ data: _, ...lists }: Lists): string {
  const nodes = Object.values(lists).flat()
  return nodes
    .map(({ id, _depth }) => `${id}/${_depth}`)
    .toSorted()
    .join()
}

/** Over HTTP, without a statement to compare with. */
async function once(client: Client, title: string, path: string, secondsMax: number): Promise<void> {
  const times: number[] = []
  let size = 0
  for (let run = 0; run < 5; run++) {
    const began = performance.now()
    const answer = await client.request('GET', path).catch((error: Error) => error.message)
    times.push(performance.now() - began)
    size = JSON.stringify(answer).length
  }
  report(title, `${(size / 1024).toFixed(0)} KiB over HTTP, in seconds`, median(times) / 1000, secondsMax)
}

/** Returns a function that returns random numbers, the same in every run. */
function randomNumbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32
    return state / 2 ** 32
  }
}
