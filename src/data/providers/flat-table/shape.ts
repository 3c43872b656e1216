/** What stands on the columns of a real table. */
import type { Shape } from '../ddl/compare.ts'
import { keysOf } from '../ddl/foreign-keys.ts'
import { constraintsOf, indexesOf, searchOf } from '../ddl/objects.ts'

export const shape: Shape = {
  objects: (view, table, change) => [...constraintsOf(view), ...searchOf(view), ...indexesOf(view), ...keysOf(view, table, change)],
  followsRenames: true,
  // One that needs another value for each record takes a look at all of them.
  early: (field) => (field.generated ? 'nothing' : 'column'),
}
