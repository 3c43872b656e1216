/** The table whose records a request is about. */
import type { Catalog } from '../catalog.ts'
import { notMaterialized } from '../datatables/errors.ts'
import { tableOf } from '../datatables/service.ts'
import type { Table } from '../datatables/table.ts'

export interface RecordsPath {
  app: string
  table: string
}

export interface RecordPath extends RecordsPath {
  /** Its id, as it stands in the path. R7. */
  record: string
}

/** 404 for a table that is none, 422 for one that has no records yet. D12. */
export function materializedTable(catalog: Catalog, path: RecordsPath): Table {
  const table = tableOf(catalog, path)
  if (!table.isMaterialized) throw notMaterialized(table.name)
  return table
}
