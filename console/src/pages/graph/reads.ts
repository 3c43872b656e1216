/** The requests of the graph page. */
import { queryOptions } from '@tanstack/react-query'
import { UnprocessableError } from '../../../../client/src/index.ts'
import type { Edge } from '../../../../client/src/records/graph.ts'
import { queryClient } from '../../session/client.ts'
import type { Table } from '../../session/queries.ts'
import { type DataRecord, type Source, tableOf } from '../data/records.ts'
import type { ShownEdge } from './edge.ts'
import { fieldsOf, type GraphAnswer, type Key, keyField, labelOf } from './nodes.ts'
import type { ReadEdges } from './path.ts'

const keyOfGraph = ({ site, app, table }: Source) => [site, 'graph', app, table]

/** Discards cached data of a graph whose edges have changed. */
const forgetGraph = (source: Source): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: keyOfGraph(source) })

/** A record of the tree. */
export interface Branch {
  id: Key
  label: string
  /** Whether it has children, as far as known. */
  hasMore: boolean
}

interface Node extends DataRecord {
  children: Node[]
}

interface WalkOptions {
  types?: string[]
  fields: string[]
  depth?: number
  from?: Key
  include?: 'both'
  signal: AbortSignal
}

const calls = (source: Source) =>
  tableOf(source) as unknown as {
    tree(options: WalkOptions): Promise<Node[]>
    graph(options: WalkOptions): Promise<GraphAnswer>
  }

/**
 * The roots of a tree, or the children of a record. Loads one more level than is shown, to know which records
 * can be opened; if that is too large for a response, all records can be opened.
 */
export const branchesQuery = (source: Source, table: Table, type: string, from?: Key) =>
  queryOptions({
    queryKey: [...keyOfGraph(source), 'tree', type, from ?? null],
    async queryFn({ signal }): Promise<Branch[]> {
      const options = {
        types: [type],
        fields: fieldsOf(table),
        signal,
        ...(from === undefined ? {} : { from }),
      }
      const depth = from === undefined ? 0 : 1
      const read = async (more: number) => {
        const nodes = await calls(source).tree({ ...options, depth: depth + more })
        const level = from === undefined ? nodes : (nodes[0]?.children ?? [])
        return level.map((node) => ({
          id: node[keyField(table)] as Key,
          label: labelOf(table, node),
          hasMore: more === 0 || node.children.length > 0,
        }))
      }
      try {
        return await read(1)
      } catch (error) {
        if (!(error instanceof UnprocessableError)) throw error
        return read(0)
      }
    },
  })

/** Loads a record with its neighbors, by edges of these types. */
export const readAround = (
  source: Source,
  table: Table,
  from: Key,
  types: readonly string[],
  signal: AbortSignal,
): Promise<GraphAnswer> =>
  calls(source).graph({
    from,
    include: 'both',
    depth: 1,
    types: [...types],
    fields: fieldsOf(table),
    signal,
  })

/** Counts the records of the table. Infinity: more than are counted. */
export const countRecords = async (source: Source, signal: AbortSignal): Promise<number> =>
  (await tableOf(source).count({ signal })) ?? Number.POSITIVE_INFINITY

/** Reads all records with their edges. */
export const readAll = (source: Source, table: Table, signal: AbortSignal): Promise<GraphAnswer> =>
  calls(source).graph({ fields: fieldsOf(table), signal })

/** Reads records by their keys, without edges. */
export async function readRecords(
  source: Source,
  table: Table,
  keys: readonly string[],
  signal: AbortSignal,
): Promise<GraphAnswer> {
  const where = { [`${keyField(table)}__in`]: keys }
  const options = { where, fields: fieldsOf(table), pageSize: keys.length, total: 'none', signal }
  return { nodes: (await tableOf(source).list(options as object)).data as DataRecord[], edges: [] }
}

const pageSize = 1_000
/** The maximum number of keys in an address. */
const keysMax = 100

/** Returns a function that reads the edges of these types for a search. */
export const edgeReader =
  (source: Source, types: readonly string[], signal: AbortSignal): ReadEdges =>
  async (keys, end) => {
    const steps = []
    for (let first = 0; first < keys.length; first += keysMax) {
      const some = keys.slice(first, first + keysMax)
      for (let page = 1; ; page++) {
        const { data } = await tableOf(source).edges.list({
          ...(end === 'from' ? { from: some } : { to: some }),
          types: [...types],
          page,
          pageSize,
          total: 'none',
          signal,
        })
        for (const { id, from_id, to_id, type, metadata } of data)
          steps.push({ id, from: String(from_id), to: String(to_id), type, metadata })
        if (data.length < pageSize) break
      }
    }
    return steps
  }

/** The data to create an edge. */
interface EdgeInput {
  from: Key
  to: Key
  type: string
  metadata?: Record<string, unknown>
}

export async function makeEdge(source: Source, { from, to, type, metadata }: EdgeInput): Promise<ShownEdge> {
  const edge = { from_id: from, to_id: to, type, ...(metadata ? { metadata } : {}) }
  const [made] = (await tableOf(source).edges.create([edge] as never)) as unknown as [Edge<Key, string>]
  await forgetGraph(source)
  return { id: made.id, from: String(made.from_id), to: String(made.to_id), type, metadata: made.metadata }
}

/** Deletes an edge. */
export async function dropEdge(source: Source, id: string): Promise<void> {
  await tableOf(source).edges.delete([id])
  await forgetGraph(source)
}
