/**
 * What a record has when it is read, apart from its own values. A client can send it as it was read. W8, R14.
 */
import type { Catalog } from '../../catalog/load-catalog.ts'
import type { Field } from '../../model/field.ts'
import { childrenMember } from '../../model/graph-schema.ts'
import { relationshipsOf } from '../../model/relationships.ts'
import type { Table } from '../../model/table.ts'
import { isObject } from './operations.ts'

/** The table of a write, as the caller reads it. */
interface Read {
  catalog: Pick<Catalog, 'relationships'>
  shown: Table
}

/** How such members are recognized. */
export interface ReadMembers {
  /**
   * Tells whether to ignore a member that is not a field: related records, the nodes of a graph, and what a
   * query adds, whose name begins with an underscore. No field's name does.
   */
  isIgnored(name: string, value: unknown): boolean
  /** Returns the key in a record that stands in the place of its key; undefined for any other value. */
  keyIn(field: Field, value: unknown): unknown
}

export function readMembers({ catalog: { relationships }, shown }: Read): ReadMembers {
  const { byName } = relationshipsOf(relationships, shown)
  const labels = shown.graph?.types.flatMap(({ name, inverse }) => [name, inverse]) ?? []
  const nodes = new Set(shown.graph ? [childrenMember, ...labels] : [])
  return {
    isIgnored: (name, value) =>
      /^_[a-z]/.test(name) || ((byName.has(name) || nodes.has(name)) && typeof value === 'object'),
    keyIn({ name }, value) {
      const relationship = isObject(value) ? byName.get(name) : undefined
      const [pair, ...others] = relationship?.pairs ?? []
      const isReplaced = relationship?.to === 'one' && others.length === 0 && pair?.near.name === name
      return isReplaced ? (value as Record<string, unknown>)[pair.far.name] : undefined
    },
  }
}
