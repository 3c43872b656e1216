import { z } from 'zod'
import { id } from '../../../http/openapi/bodies.ts'
import { flag } from '../../../http/params.ts'
import { tableNameRule } from '../errors.ts'
import { changes } from '../migrations/schema.ts'
import { isTableName } from '../names.ts'

export const deletionQuery = z.object({
  purge: flag.default(false).meta({ description: 'Drops the table with its records at once. Needs `admin_site`.' }),
  cascade: flag.default(false).meta({ description: 'Deletes the tables of the app that reference it, too, and those that reference them.' }),
  dry_run: flag.default(false).meta({ description: 'Answers what would be deleted, and deletes nothing.' }),
})
export type DeletionQuery = z.infer<typeof deletionQuery>

export const deletionPlan = changes.extend({
  datatables: z.array(z.string()).meta({ description: 'The names of the tables that would be deleted, in the order in which they would be.' }),
})
export type DeletionPlan = z.infer<typeof deletionPlan>

export const restoreInput = z.strictObject({
  name: z.string().refine(isTableName, tableNameRule).optional().meta({ description: 'Another name for it. Omitted: the one that it had.' }),
  id: id.optional().meta({ description: 'Which one, where several of this name were deleted. Omitted: the one that was deleted last.' }),
})
