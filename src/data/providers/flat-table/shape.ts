/** The objects that depend on the columns of a table. */
import { checksOf } from '../ddl/checks.ts'
import type { Shape } from '../ddl/compare.ts'
import { exclusionsOf } from '../ddl/exclusion-objects.ts'
import { keysOf } from '../ddl/foreign-keys.ts'
import { constraintsOf, indexesOf } from '../ddl/objects.ts'
import { searchOf } from '../ddl/search-objects.ts'

/** How tables with columns create their objects. */
export const shape: Shape = {
  objects: (view, table, change) => [
    ...constraintsOf(view),
    ...exclusionsOf(view),
    ...checksOf(view),
    ...searchOf(view),
    ...indexesOf(view),
    ...keysOf(view, table, change),
  ],
  followsRenames: true,
  // A generated or computed value would rewrite every record.
  earlyPresence: (field) => (field.generated || field.formula ? 'nothing' : 'column'),
}
