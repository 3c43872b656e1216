/** Tables whose fields are columns. D4–D6. */
import type { TableMaker } from '../provider.ts'
import { alterTable } from './alter.ts'
import { addForeignKey, createTable, dropTable } from './create.ts'
import { renameTable } from './rename.ts'

export const flatTable: TableMaker = { problems: () => [], createTable, addForeignKey, alterTable, renameTable, dropTable }
