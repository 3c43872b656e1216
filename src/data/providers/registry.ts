/** What can hold a datasource's tables: one row each. D11. */
import { flatTable } from './flat-table/provider.ts'
import { jsonb } from './jsonb/provider.ts'
import type { Provider } from './provider.ts'
import { deleteRecords } from './rows/delete.ts'
import { insertRecords } from './rows/insert.ts'
import { updateRecords } from './rows/update.ts'
import { upsertRecords } from './rows/upsert.ts'

/** The kinds that the specification names. */
export const providerTypes = ['flat_table', 'jsonb', 'mongodb'] as const

/** Records that are rows of Postgres are written alike, however a row keeps them. */
const rows = { insertRecords, updateRecords, upsertRecords, deleteRecords }

/** The kinds that work. */
export const providers: ReadonlyMap<string, Provider> = new Map<string, Provider>([
  ['flat_table', { ...flatTable, ...rows }],
  ['jsonb', { ...jsonb, ...rows }],
])
