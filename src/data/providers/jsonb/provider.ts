/** The provider of tables whose records are JSON documents. D11. */

import { isToItself } from '../../model/keys.ts'
import type { ForeignKeySchema } from '../../model/schema-form.ts'
import type { Table } from '../../model/table.ts'
import { createTableWith, dropTableWith } from '../ddl/create-table.ts'
import { addForeignKey } from '../ddl/foreign-keys.ts'
import { dropForeignKey } from '../ddl/objects.ts'
import { renameTableWith } from '../ddl/rename-table.ts'
import type { TableMaker } from '../provider.ts'
import { alterTable } from './alter.ts'
import { createStatements } from './create.ts'
import { objectsOf } from './shape.ts'

const renameWithObjects = renameTableWith((table) => objectsOf(table, table))
const keysToItself = (table: Table): ForeignKeySchema[] =>
  (table.schema.foreignKeys ?? []).filter((key) => isToItself(table, key))

/** Makes and changes tables of documents. */
export const jsonb: TableMaker = {
  createTable: createTableWith(createStatements),
  addForeignKey,
  alterTable,
  renameTable: (before, after) => [
    // Triggers refer to the table by its name.
    ...keysToItself(before).flatMap((key) => dropForeignKey(before, key, before)),
    ...renameWithObjects(before, after),
    ...keysToItself(after).flatMap((key) => addForeignKey(after, key, after).statements),
  ],
  dropTable: dropTableWith(createStatements),
}
