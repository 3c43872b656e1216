/** The table whose records a request is about. */
import type { Catalog } from '../catalog.ts'
import { notMaterialized } from '../datatables/errors.ts'
import { ownTableOf, tableOf } from '../datatables/service.ts'
import type { Table } from '../datatables/table.ts'

export interface RecordsPath {
  app: string
  table: string
}

export interface RecordPath extends RecordsPath {
  /** Its id, as it stands in the path. R7. */
  record: string
}

/** To read its records: 404 for a table that is none, 422 for one that has no records yet. D12. */
export const materializedTable = (catalog: Catalog, path: RecordsPath): Table => materialized(tableOf(catalog, path))

/** To write them: also 403 for a reference, which is written where its source is. */
export const writableTable = (catalog: Catalog, path: RecordsPath): Table => materialized(ownTableOf(catalog, path))

function materialized(table: Table): Table {
  if (!table.isMaterialized) throw notMaterialized(table.name)
  return table
}
