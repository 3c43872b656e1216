/** The types of edges that a table declares. docs/guide/graphs.md. */
import type { Table } from '../../session/queries.ts'

/** A type of edges, and the name of these edges in the other direction. */
export interface EdgeType {
  name: string
  inverse: string
}

interface GraphMembers {
  hierarchy?: boolean
  graph?: { enabled: boolean; types?: { name: string; inverse?: string }[] }
}

/** Returns the types of a table's edges. A table without any has no graph. */
export function edgeTypesOf({ json_schema }: Table): EdgeType[] {
  const { hierarchy, graph } = json_schema as GraphMembers
  const types = graph?.enabled ? (graph.types ?? []) : []
  if (types.length === 0) return hierarchy ? [{ name: 'parent', inverse: 'children' }] : []
  return types.map(({ name, inverse }) => ({ name, inverse: inverse ?? `${name}_inverse` }))
}
