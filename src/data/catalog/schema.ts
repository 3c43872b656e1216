/** The counts of tables in answers, and the answer while a history is being built. */
import * as z from 'zod'
import { count, errorDetail } from '../../kernel/http/openapi/bodies.ts'

/** The counts of datatables of an app or datasource. */
export const tableTotals = z.object({
  total_tables: count.describe('The number of datatables.'),
  materialized_tables: count.describe('The number of datatables with a physical table.'),
  unmaterialized_tables: count.describe('The number of datatables without a physical table.'),
})
export type TableTotals = z.infer<typeof tableTotals>

/** The 409 of a read that needs a history which is being built. */
export const historyBuilding = errorDetail
  .extend({
    rows_done: count.describe('The number of records that have a version.'),
    rows_total: count.describe('About how many records there are.'),
  })
  .meta({ id: 'HistoryBuilding', description: 'The history of a large table is being built.' })
