/** The edges of a table, and walks along them. docs/guide/graphs.md. */
import type { CallOptions, Transport } from '../connection/transport.ts'
import type { AnyKey } from './keys.ts'
import { keyList } from './keys.ts'
import { filtersText } from './query.ts'
import type { WriteOptions } from './writes.ts'

/** An edge: it leads from one record to another. */
export interface Edge<Key, Type> {
  id: string
  from_id: Key
  to_id: Key
  type: Type
  metadata: Record<string, unknown>
  created_at: string
}

/** An edge to write. */
export interface NewEdge<Key, Type> {
  from_id: Key
  to_id: Key
  type: Type
  metadata?: Readonly<Record<string, unknown>> | undefined
}

/** The edges to list. */
export interface EdgeOptions<Key, Type> extends CallOptions {
  from?: readonly Key[] | undefined
  to?: readonly Key[] | undefined
  types?: readonly Type[] | undefined
  page?: number | undefined
  pageSize?: number | undefined
  /** `none`: the edges are not counted, and the total is null. */
  total?: 'exact' | 'none' | undefined
}

/** The depth and the edges of a traversal. */
export interface WalkOptions<Type> extends CallOptions {
  types?: readonly Type[] | undefined
  depth?: number | undefined
  /** The records to list. Others are traversed, but not listed. */
  where?: object | undefined
  fields?: readonly string[] | undefined
  ordering?: readonly string[] | undefined
}

/** How a traversal reached a record. */
export interface Reached {
  _depth: number
  /** Absent if the table has one type of edges. */
  _relationship_type?: string
}

/** A record of a tree, with the records below it. */
export type TreeNode<Item> = Item & {
  _depth: number
  _relationship_type?: string
  children: TreeNode<Item>[]
}

/** The nodes and edges of a graph. */
export interface Graph<Item, Key, Type> {
  nodes: (Item & { _depth: number | null })[]
  edges: { id: string; from: Key; to: Key; type: Type; metadata: Record<string, unknown> }[]
}

type AnyEdge = NewEdge<AnyKey, string>

/** Creates the calls for the edges at a path. */
export function edgesOf(transport: Transport, path: string) {
  const write = <Body>(
    method: 'POST' | 'PATCH' | 'DELETE',
    to: string,
    body: unknown,
    options: WriteOptions,
  ) =>
    transport.json<Body>({
      method,
      path: to,
      query: { dry_run: options.dryRun || undefined },
      body,
      key: options.idempotencyKey ?? true,
      signal: options.signal,
    })
  return {
    async list({ from, to, types, page, pageSize, total, signal }: EdgeOptions<AnyKey, string> = {}) {
      const ends = { from_id: from && keyList(from), to_id: to && keyList(to) }
      const query = { ...ends, types: types?.join(','), page, page_size: pageSize, _total: total }
      const answer = await transport.json<{ results: object[]; total: number | null }>({
        path,
        query,
        signal,
      })
      return { data: answer.results, total: answer.total }
    },
    async create(edges: readonly AnyEdge[], options: WriteOptions = {}) {
      return (await write<{ results: object[] }>('POST', path, edges, options)).results
    },
    async replace(id: string, edge: AnyEdge, options: WriteOptions = {}) {
      const to = `${path}${encodeURIComponent(id)}/`
      return (await write<{ data: object }>('PATCH', to, edge, options)).data
    },
    async delete(ids: readonly string[], options: WriteOptions = {}) {
      return (await write<{ deleted: number }>('DELETE', path, { edge_ids: ids }, options)).deleted
    },
  }
}

/** Creates the walks of a table. `one` returns the path of a record. */
export function walksOf(transport: Transport, path: string, one: (key: AnyKey) => string) {
  const ask = <Body>(key: AnyKey | undefined, options: WalkOptions<string>, form: Record<string, string>) =>
    transport.json<Body>({
      path: key === undefined ? path : one(key),
      query: {
        ...form,
        depth: options.depth,
        relationship_type: options.types?.join(','),
        filters: options.where && filtersText(options.where),
        fields: options.fields?.join(','),
        ordering: options.ordering?.join(','),
      },
      signal: options.signal,
    })
  type Direction = 'descendants' | 'ancestors' | 'both'
  return {
    async walk(key: AnyKey, include: Direction, options: WalkOptions<string> = {}) {
      const { data, ...related } = await ask<{ data: object }>(key, options, { include })
      return { record: data, related }
    },
    async tree(
      options: WalkOptions<string> & { from?: AnyKey | undefined; include?: Direction | undefined } = {},
    ) {
      const { from, include, ...rest } = options
      const answer = await ask<{ data: object | object[] }>(from, rest, {
        format: 'tree',
        ...(include ? { include } : {}),
      })
      return [answer.data].flat()
    },
    async graph(
      options: WalkOptions<string> & { from?: AnyKey | undefined; include?: Direction | undefined } = {},
    ) {
      const { from, include, ...rest } = options
      const form = { format: 'graph', ...(include ? { include } : {}) }
      return (await ask<{ data: object }>(from, rest, form)).data
    },
  }
}
