/** A real table under another name. */
import { isToItself } from '../../datatables/references.ts'
import { constraintsOf, foreignKeyOf, indexesOf, searchOf } from '../ddl/objects.ts'
import { renamingOf } from '../ddl/rename-table.ts'

/** See Provider. */
export const renameTable = renamingOf((table) => [
  ...constraintsOf(table),
  ...searchOf(table),
  ...indexesOf(table),
  ...(table.schema.foreignKeys ?? []).filter((key) => isToItself(table, key)).map((key) => foreignKeyOf(table, key, table)),
])
