/** The steps of a change that concern keys, checks, indexes and the search. */
import type { Table } from '../../datatables/table.ts'
import type { DdlStep } from '../provider.ts'
import { alteration } from './alteration.ts'
import type { Comparison, ForeignObject } from './compare.ts'
import { adding, dropping, renaming, type TableObject } from './objects.ts'
import { inOrder } from './renames.ts'

export const add = (table: Table, object: TableObject): DdlStep =>
  alteration(table, `Add ${object.title}`, adding(table, object), dropping(table, object))

export const drop = (table: Table, object: TableObject): DdlStep =>
  alteration(table, `Drop ${object.title}`, dropping(table, object), adding(table, object))

/** A foreign key of another table that leads to what is made anew goes for the time of the change. It is a step of this one's. */
export const without = ({ name }: Table, { table, object }: ForeignObject): DdlStep => ({
  ...drop(table, object),
  table: name,
  description: `Take ${object.title} off ${table.name}`,
})

export const back = ({ name }: Table, { table, object }: ForeignObject): DdlStep => ({
  ...add(table, object),
  table: name,
  description: `Put ${object.title} back on ${table.name}`,
})

/** Objects are called after their fields, and an index as it is declared. */
export function renameObjects(table: Table, kept: Comparison['keptObjects']): DdlStep[] {
  const renames = kept.flatMap(({ before, after }) => (before.name === after.name ? [] : [{ from: before.name, to: after.name, object: after }]))
  if (renames.length === 0) return []
  const ordered = inOrder(renames)
  return [
    alteration(
      table,
      'Rename keys, checks and indexes',
      ordered.map(({ object, from, to }) => renaming(table, object, from, to)),
      ordered.toReversed().map(({ object, from, to }) => renaming(table, object, to, from)),
    ),
  ]
}
