/**
 * Members that a record has when it is read, and that cannot be written. They are ignored, so that a client
 * can send a record as it was read. W8.
 */
import type { Catalog } from '../../catalog/load-catalog.ts'
import { childrenMember } from '../../model/graph-schema.ts'
import { relationshipsOf } from '../../model/relationships.ts'
import type { Table } from '../../model/table.ts'
import type { Demands } from './validate.ts'

/** The table of a write, as the caller reads it. */
interface Read {
  catalog: Pick<Catalog, 'relationships'>
  shown: Table
}

/**
 * Recognizes such members: related records, the nodes of a graph, and what a query adds, whose name begins
 * with an underscore. No field's name does.
 */
export function isRead({ catalog: { relationships }, shown }: Read): NonNullable<Demands['isIgnored']> {
  const { byName } = relationshipsOf(relationships, shown)
  const labels = shown.graph?.types.flatMap(({ name, inverse }) => [name, inverse]) ?? []
  const nodes = new Set(shown.graph ? [childrenMember, ...labels] : [])
  return (name, value) =>
    /^_[a-z]/.test(name) || ((byName.has(name) || nodes.has(name)) && typeof value === 'object')
}
