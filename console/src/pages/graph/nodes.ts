/** The records and the edges that are shown, as the API answers them and as the picture keeps them. */
import type { Table } from '../../session/queries.ts'
import { nameField } from '../data/editor/reference-input.tsx'
import type { DataRecord } from '../data/records.ts'
import type { ShownEdge } from './edge.ts'

/** The key of a record of a graph, as the API has it. */
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

/** The answer of a graph. */
export interface GraphAnswer {
  nodes: readonly DataRecord[]
  edges: readonly (Omit<ShownEdge, 'from' | 'to'> & { from: Key; to: Key })[]
}

/** An empty picture. */
export const nothing: Shown = { nodes: new Map(), edges: new Map() }

/** The most that a picture shows smoothly. */
export const nodesMax = 5_000
/** The most edges that a picture shows smoothly. */
export const edgesMax = 15_000

/** The field of the key, of which a table with edges has one. */
export const keyField = ({ primary_key: [key = 'id'] }: Table): string => key

/** The key that a text names, as a body of the API needs it. */
export function keyOf(table: Table, text: string): Key {
  const { type } = table.json_schema.fields.find(({ name }) => name === keyField(table)) ?? {}
  return type === 'integer' && Number.isSafeInteger(Number(text)) ? Number(text) : text
}

/** The fields that are read of each record: its key and its name. */
export function fieldsOf(table: Table): string[] {
  const name = nameField(table)
  return [...new Set([keyField(table), ...(name === undefined ? [] : [name])])]
}

/** Returns the label of a record: its name if it has one, otherwise its key. */
export function labelOf(table: Table, record: DataRecord): string {
  const name = record[nameField(table) ?? '']
  return name === undefined || name === null || name === '' ? String(record[keyField(table)]) : String(name)
}

/** Adds an answer to the picture. `opened`: the records whose neighbors were requested. */
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

/** Whether a picture has more records or edges than can be shown smoothly. */
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
