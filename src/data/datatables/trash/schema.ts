import { z } from 'zod'
import { id } from '../../../http/openapi/bodies.ts'
import { flag } from '../../../http/params.ts'
import { tableNameRule } from '../errors.ts'
import { isTableName } from '../names.ts'

export const deletionQuery = z.object({
  purge: flag.default(false).meta({ description: 'Drops the table with its records at once. Needs `admin_site`.' }),
})

export const restoreInput = z.strictObject({
  name: z.string().refine(isTableName, tableNameRule).optional().meta({ description: 'Another name for it. Omitted: the one that it had.' }),
  id: id.optional().meta({ description: 'Which one, where several of this name were deleted. Omitted: the one that was deleted last.' }),
})
export type RestoreInput = z.infer<typeof restoreInput>
