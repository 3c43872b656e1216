/** Tables whose fields are columns. D4–D6. */

import { addForeignKey } from '../ddl/foreign-keys.ts'
import type { TableMaker } from '../provider.ts'
import { alterTable } from './alter.ts'
import { createTable, dropTable } from './create.ts'
import { renameTable } from './rename.ts'

export const flatTable: TableMaker = { createTable, addForeignKey, alterTable, renameTable, dropTable }
