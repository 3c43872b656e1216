/**
 * The provider of tables in MongoDB. Their collections are made by datatables/collections.ts, before the
 * steps of a schema change are recorded in Postgres, which has nothing to do for them.
 */
import type { Table } from '../../model/table.ts'
import type { DdlStep, Provider } from '../provider.ts'
import { notInMongodb } from './capabilities.ts'
import { writes } from './writes.ts'

const step = ({ name }: Table, operation: DdlStep['operation'], description: string): DdlStep => ({
  table: name,
  operation,
  description,
  statements: [],
  rollback: [],
})

export const mongodb: Provider = {
  createTable: (table) => step(table, 'create_table', `Create the collection ${table.physicalName}`),
  addForeignKey: (table, { fields }, referenced) =>
    step(table, 'alter_table', `Keep ${fields.join(', ')} a key of ${referenced.physicalName}`),
  alterTable() {
    throw notInMongodb('schemaChange')
  },
  renameTable: () => [],
  dropTable: (table) => step(table, 'drop_table', `Drop the collection ${table.physicalName}`),
  ...writes,
}
