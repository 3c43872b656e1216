/** The relationships by which guests can send new records inside new records. */
import type { Relationship, RelationshipGraph, Relationships } from '../model/relationships.ts'
import type { Table } from '../model/table.ts'
import type { GuestWrites } from './guest-writes.ts'

/** The parts of an app's tables that a guest may read and write. */
interface Guests {
  /** The tables as the guest reads them. */
  seen: ReadonlyMap<Table, Table>
  /** What the guest may write, by the names of tables. */
  writes: ReadonlyMap<string, GuestWrites>
}

/**
 * Returns the relationships between tables in which a guest may create records. The guest must be allowed to
 * write the fields of the foreign key and to read the fields that they reference. Otherwise the guest cannot
 * create records inside others.
 */
export function nestingOf(graph: RelationshipGraph, guests: Guests): RelationshipGraph {
  return new Map(
    [...graph].flatMap(([table, { byName, all }]): [Table, Relationships][] => {
      const created = createdIn(guests, table)
      if (!created) return []
      const copies = new Map(all.flatMap((one) => pairOf(one, nestedIn(guests, table, one))))
      const named = [...byName].flatMap(([name, one]): [string, Relationship][] => {
        const copy = copies.get(one.aliasOf ?? one)
        if (!copy) return []
        return [[name, one.aliasOf ? { ...copy, name: one.name, aliasOf: copy } : copy]]
      })
      return [[created, { byName: new Map(named), all: [...copies.values()] }]]
    }),
  )
}

const createdIn = ({ writes }: Guests, { name, source }: Table): Table | undefined =>
  source ? undefined : writes.get(name)?.create?.table

const pairOf = (one: Relationship, copy: Relationship | undefined): [Relationship, Relationship][] =>
  copy ? [[one, copy]] : []

/** Returns a relationship of a table as the guest uses it; undefined if the guest cannot use it. */
function nestedIn(guests: Guests, table: Table, relationship: Relationship): Relationship | undefined {
  const { target, pairs, junction, to } = relationship
  const [near, far] = [createdIn(guests, table), createdIn(guests, target)]
  if (!near || !far || junction) return undefined
  const { seen } = guests
  const [nearFields, farFields] = (to === 'one' ? [near, seen.get(target)] : [seen.get(table), far]).map(
    (side) => side?.fields,
  )
  const found = pairs.flatMap((pair) => {
    const [one, other] = [nearFields?.get(pair.near.name), farFields?.get(pair.far.name)]
    return one && other ? [{ near: one, far: other }] : []
  })
  return found.length === pairs.length ? { ...relationship, target: far, pairs: found } : undefined
}
