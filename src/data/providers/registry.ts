/** The providers of datasources: one row each. D11. */
import type { StoredType } from '../model/storage.ts'
import { flatTable } from './flat-table/provider.ts'
import { jsonb } from './jsonb/provider.ts'
import { mongodb } from './mongodb/provider.ts'
import type { Provider } from './provider.ts'
import { deleteRecords } from './writes/delete.ts'
import { insertRecords } from './writes/insert.ts'
import { updateRecords } from './writes/update.ts'
import { upsertRecords } from './writes/upsert.ts'

/** Tables in Postgres are written in the same way. `Table.storage` makes the difference. */
const writes = { insertRecords, updateRecords, upsertRecords, deleteRecords }

const implemented: Readonly<Record<StoredType, Provider>> = {
  flat_table: { ...flatTable, ...writes },
  jsonb: { ...jsonb, ...writes },
  mongodb,
}

/** The providers that are implemented, by provider type. */
export const providers: ReadonlyMap<string, Provider> = new Map(Object.entries(implemented))
