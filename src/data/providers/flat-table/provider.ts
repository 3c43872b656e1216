/** The provider of tables with a column for each field. D4–D6. */

import { addForeignKey } from '../ddl/foreign-keys.ts'
import type { TableMaker } from '../provider.ts'
import { alterTable } from './alter.ts'
import { createTable, dropTable } from './create.ts'
import { renameTable } from './rename.ts'

/** Makes and changes tables with columns. */
export const flatTable: TableMaker = { createTable, addForeignKey, alterTable, renameTable, dropTable }
