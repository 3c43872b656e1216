/** The steps of a schema change that add, drop and rename keys, checks, indexes and the search. */
import type { Table } from '../../model/table.ts'
import type { DdlStep } from '../provider.ts'
import { alteration } from './alteration.ts'
import type { Comparison, ForeignObject } from './compare.ts'
import { addStatements, dropStatements, renameStatement, type TableObject } from './objects.ts'
import { inOrder } from './renames.ts'

/** Creates the step that adds an object. */
export const addObject = (table: Table, object: TableObject): DdlStep => ({
  ...alteration(table, `Add ${object.title}`, addStatements(table, object), dropStatements(table, object)),
  ...(object.check === undefined ? {} : { expressions: [object.check] }),
})

export const dropObject = (table: Table, object: TableObject): DdlStep =>
  alteration(table, `Drop ${object.title}`, dropStatements(table, object), addStatements(table, object))

/**
 * Creates the step that drops a foreign key of another table during a change, because the key that it
 * references is created again. The history lists the step under the changed table.
 */
export const detachKey = ({ name }: Table, { table, object }: ForeignObject): DdlStep => ({
  ...dropObject(table, object),
  table: name,
  description: `Drop ${object.title} of ${table.name} during the change`,
})

/** Creates the step that adds a detached foreign key again. */
export const reattachKey = ({ name }: Table, { table, object }: ForeignObject): DdlStep => ({
  ...addObject(table, object),
  table: name,
  description: `Add ${object.title} of ${table.name} again`,
})

/** Returns the step that renames kept objects whose names depend on renamed fields, if there are any. */
export function renameObjects(table: Table, kept: Comparison['keptObjects']): DdlStep[] {
  const renames = kept.flatMap(({ before, after }) =>
    before.name === after.name ? [] : [{ from: before.name, to: after.name, object: after }],
  )
  if (renames.length === 0) return []
  const ordered = inOrder(renames)
  return [
    alteration(
      table,
      'Rename keys, checks and indexes',
      ordered.map(({ object, from, to }) => renameStatement(table, object, from, to)),
      ordered.toReversed().map(({ object, from, to }) => renameStatement(table, object, to, from)),
    ),
  ]
}
