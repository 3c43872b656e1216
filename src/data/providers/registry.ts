/** What can hold a datasource's tables: one row each. D11. */
import { alterTable } from './flat-table/alter.ts'
import { addForeignKey, createTable, dropTable } from './flat-table/create.ts'
import { deleteRecords } from './flat-table/delete.ts'
import { insertRecords } from './flat-table/insert.ts'
import { updateRecords } from './flat-table/update.ts'
import { upsertRecords } from './flat-table/upsert.ts'
import type { Provider } from './provider.ts'

/** The kinds that the specification names. */
export const providerTypes = ['flat_table', 'jsonb', 'mongodb'] as const

/** The kinds that work. */
export const providers: ReadonlyMap<string, Provider> = new Map<string, Provider>([
  ['flat_table', { createTable, addForeignKey, alterTable, dropTable, insertRecords, updateRecords, upsertRecords, deleteRecords }],
])
