/** Renames tables with columns. */
import { isToItself } from '../../model/keys.ts'
import { checksOf } from '../ddl/checks.ts'
import { exclusionsOf } from '../ddl/exclusion-objects.ts'
import { constraintsOf, foreignKeyOf, indexesOf } from '../ddl/objects.ts'
import { renameTableWith } from '../ddl/rename-table.ts'
import { searchOf } from '../ddl/search-objects.ts'

/** See Provider. */
export const renameTable = renameTableWith((table) => [
  ...constraintsOf(table),
  ...exclusionsOf(table),
  ...checksOf(table),
  ...searchOf(table),
  ...indexesOf(table),
  ...(table.schema.foreignKeys ?? [])
    .filter((key) => isToItself(table, key))
    .map((key) => foreignKeyOf(table, key, table)),
])
