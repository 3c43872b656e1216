/** The bodies and parameters of deleting and restoring datatables. */
import * as z from 'zod'
import { id } from '../../../kernel/http/openapi/bodies.ts'
import { booleanParam } from '../../../kernel/http/params.ts'
import { tableNameRule } from '../../datatables/errors.ts'
import { isTableName, tableNamePattern } from '../../model/names.ts'
import { changes } from '../schema.ts'

/** The query parameters of a deletion. */
export const deletionQuery = z.object({
  purge: booleanParam
    .default(false)
    .meta({ description: '`true` drops the table and its records at once. Requires `admin_site`.' }),
  cascade: booleanParam.default(false).meta({
    description: '`true` also deletes the tables of the app that reference it, directly or indirectly.',
  }),
  dry_run: booleanParam.default(false).meta({ description: '`true` deletes nothing, and returns the plan.' }),
})
/** The parsed query parameters of a deletion. */
export type DeletionQuery = z.infer<typeof deletionQuery>

/** The answer of a dry run of a deletion. */
export const deletionPlan = changes.extend({
  datatables: z
    .array(z.string())
    .meta({ description: 'The names of the tables to delete, in the order of their deletion.' }),
})
export type DeletionPlan = z.infer<typeof deletionPlan>

/** The body of a restoration. */
export const restoreInput = z.strictObject({
  name: z.string().refine(isTableName, tableNameRule).optional().meta({
    pattern: tableNamePattern.source,
    description: 'A new name for the table. Default: its old name.',
  }),
  id: id.optional().meta({
    description: 'The id of the table to restore. Default: the one of this name that was deleted last.',
  }),
})
