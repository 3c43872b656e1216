/** The provider of tables with a column for each field. D4–D6. */

import { createTableWith, dropTableWith } from '../ddl/create-table.ts'
import { addForeignKey } from '../ddl/foreign-keys.ts'
import type { TableMaker } from '../provider.ts'
import { alterTable } from './alter.ts'
import { createStatements } from './create.ts'
import { renameTable } from './rename.ts'

/** Makes and changes tables with columns. */
export const flatTable: TableMaker = {
  createTable: createTableWith(createStatements),
  addForeignKey,
  alterTable,
  renameTable,
  dropTable: dropTableWith(createStatements),
}
