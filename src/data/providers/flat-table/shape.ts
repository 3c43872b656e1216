/** What stands on the columns of a real table. */
import type { Table } from '../../datatables/table.ts'
import type { Shape } from '../ddl/compare.ts'
import { constraintsOf, foreignKeyOf, indexesOf, searchOf } from '../ddl/objects.ts'

export const shape: Shape = {
  objects(view, table, { referenced }) {
    const keys = (table.schema.foreignKeys ?? []).map((key) => {
      const target = referenced.get(key) as Table
      return foreignKeyOf(view, key, target === table ? view : target)
    })
    return [...constraintsOf(view), ...searchOf(view), ...indexesOf(view), ...keys]
  },
  followsRenames: true,
  // One that needs another value for each record takes a look at all of them.
  early: (field) => (field.generated ? 'nothing' : 'column'),
}
