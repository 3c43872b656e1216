/** The counts of tables in answers. */
import * as z from 'zod'
import { count } from '../../kernel/http/openapi/bodies.ts'

/** The counts of datatables of an app or datasource. */
export const tableTotals = z.object({
  total_tables: count.describe('The number of datatables.'),
  materialized_tables: count.describe('The number of datatables with a physical table.'),
  unmaterialized_tables: count.describe('The number of datatables without a physical table.'),
})
export type TableTotals = z.infer<typeof tableTotals>
