/** The shown records and edges, in the form of the API and in the form of the picture. */
import type { Table } from '../../session/queries.ts'
import { nameField } from '../data/editor/reference-input.tsx'
import type { DataRecord } from '../data/records.ts'
import type { ShownEdge } from './edge.ts'

/** The key of a record of a graph in the API. */
export type Key = string | number

/** A record in the picture. */
interface ShownNode {
  id: Key
  label: string
  /** Whether all neighbors were loaded. */
  isOpen: boolean
}

/** The content of the picture: records by the text of their key, and edges by their id. */
export interface Shown {
  nodes: ReadonlyMap<string, ShownNode>
  edges: ReadonlyMap<string, ShownEdge>
}

/** The response with a graph. */
export interface GraphAnswer {
  nodes: readonly DataRecord[]
  edges: readonly (Omit<ShownEdge, 'from' | 'to'> & { from: Key; to: Key })[]
}

/** An empty picture. */
export const nothing: Shown = { nodes: new Map(), edges: new Map() }

/** The maximum number of records that a picture shows smoothly. */
export const nodesMax = 5_000
/** The maximum number of edges that a picture shows smoothly. */
export const edgesMax = 15_000

/** Returns the key field. A table with edges has exactly one. */
export const keyField = ({ primary_key: [key = 'id'] }: Table): string => key

/** Returns the key for a text in the form of the API. */
export function keyOf(table: Table, text: string): Key {
  const { type } = table.json_schema.fields.find(({ name }) => name === keyField(table)) ?? {}
  return type === 'integer' && Number.isSafeInteger(Number(text)) ? Number(text) : text
}

/** Returns the fields to read of each record: its key and its name. */
export function fieldsOf(table: Table): string[] {
  const name = nameField(table)
  return [...new Set([keyField(table), ...(name === undefined ? [] : [name])])]
}

/** Returns the label of a record: its name if it has one, otherwise its key. */
export function labelOf(table: Table, record: DataRecord): string {
  const name = record[nameField(table) ?? '']
  return name === undefined || name === null || name === '' ? String(record[keyField(table)]) : String(name)
}

/** Adds a response to the picture. `opened`: the records whose neighbors were requested. */
export function addAnswer(
  shown: Shown,
  table: Table,
  { nodes, edges }: GraphAnswer,
  opened: readonly string[],
): Shown {
  const key = keyField(table)
  const all = new Map(shown.nodes)
  for (const record of nodes) {
    const id = record[key] as Key
    const text = String(id)
    const isOpen = opened.includes(text) || (all.get(text)?.isOpen ?? false)
    all.set(text, { id, label: labelOf(table, record), isOpen })
  }
  const allEdges = new Map(shown.edges)
  for (const edge of edges) allEdges.set(edge.id, { ...edge, from: String(edge.from), to: String(edge.to) })
  return { nodes: all, edges: allEdges }
}

/** Returns whether a picture has more records or edges than can be shown smoothly. */
export const isTooLarge = ({ nodes, edges }: Shown): boolean => nodes.size > nodesMax || edges.size > edgesMax

/** Removes an edge from the picture. */
export function withoutEdge(shown: Shown, id: string): Shown {
  const edges = new Map(shown.edges)
  edges.delete(id)
  return { ...shown, edges }
}

/** Returns the picture with only some edge types. All records stay. */
export const ofTypes = (shown: Shown, types: ReadonlySet<string>): Shown => ({
  nodes: shown.nodes,
  edges: new Map([...shown.edges].filter(([, { type }]) => types.has(type))),
})
