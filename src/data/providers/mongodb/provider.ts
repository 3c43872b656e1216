/**
 * The provider of tables in MongoDB. Their collections are made and changed by datatables/collections.ts,
 * around the transaction that records the steps in Postgres, which has nothing to do for them.
 */
import type { Table } from '../../model/table.ts'
import type { DdlStep, Provider } from '../provider.ts'
import { adoptedBy } from './capabilities.ts'
import { changeSteps } from './collection-change.ts'
import { writes } from './writes.ts'

const step = ({ name }: Table, operation: DdlStep['operation'], description: string): DdlStep => ({
  table: name,
  operation,
  description,
  statements: [],
  rollback: [],
})

export const mongodb: Provider = {
  createTable(table) {
    const adopted = adoptedBy(table)
    return adopted === undefined
      ? step(table, 'create_table', `Create the collection ${table.physicalName}`)
      : step(table, 'create_table', `Use the collection ${adopted} as it is`)
  },
  addForeignKey: (table, { fields }, referenced) =>
    step(table, 'alter_table', `Keep ${fields.join(', ')} a key of ${referenced.physicalName}`),
  alterTable: changeSteps,
  renameTable: () => [],
  dropTable(table) {
    const adopted = adoptedBy(table)
    return adopted === undefined
      ? step(table, 'drop_table', `Drop the collection ${table.physicalName}`)
      : step(table, 'drop_table', `Forget the collection ${adopted}, which stays as it is`)
  },
  ...writes,
}
