/** The counts of tables in answers. */
import { z } from 'zod'
import { count } from '../../http/openapi/bodies.ts'

/** The counts of datatables of an app or datasource. */
export const tableTotals = z.object({
  total_tables: count.describe('How many datatables there are.'),
  materialized_tables: count.describe('How many have a physical table.'),
  unmaterialized_tables: count.describe('How many have none.'),
})
export type TableTotals = z.infer<typeof tableTotals>
