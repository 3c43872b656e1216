import { z } from 'zod'
import { pageQuery } from '../../../http/paging.ts'
import { flag } from '../schema.ts'

/** Each is optional, with PUT and with PATCH: what is left out stays as it is. */
export const datatableUpdate = z.strictObject({
  description: z.string().max(2000).optional(),
  json_schema: z.unknown().optional(),
})
export type DatatableUpdate = z.infer<typeof datatableUpdate>

/** D8. */
export const updateQuery = z.object({ dry_run: flag, allow_data_loss: flag })
export type UpdateQuery = z.infer<typeof updateQuery>

export const rollbackInput = z.strictObject({ revision_id: z.int().min(1) })
export type RollbackInput = z.infer<typeof rollbackInput>

const statuses = ['success', 'failed', 'rolled_back'] as const

export const historyQuery = pageQuery.extend({ status: z.enum(statuses).optional() })
export type HistoryQuery = z.infer<typeof historyQuery>
