/** Tables whose records are documents: a row's fields in one column. D11. */

import { isToItself } from '../../datatables/references.ts'
import type { ForeignKeySchema } from '../../datatables/schema-form.ts'
import type { Table } from '../../datatables/table.ts'
import { addForeignKey } from '../ddl/foreign-keys.ts'
import { dropForeignKey } from '../ddl/objects.ts'
import { renamingOf } from '../ddl/rename-table.ts'
import type { TableMaker } from '../provider.ts'
import { alterTable } from './alter.ts'
import { createTable, dropTable } from './create.ts'
import { objectsOf } from './shape.ts'

const renamed = renamingOf((table) => objectsOf(table, table))
const toItself = (table: Table): ForeignKeySchema[] => (table.schema.foreignKeys ?? []).filter((key) => isToItself(table, key))

export const jsonb: TableMaker = {
  createTable,
  addForeignKey,
  alterTable,
  renameTable: (before, after) => [
    // Triggers know the table by its name.
    ...toItself(before).flatMap((key) => dropForeignKey(before, key, before)),
    ...renamed(before, after),
    ...toItself(after).flatMap((key) => addForeignKey(after, key, after).statements),
  ],
  dropTable,
}
