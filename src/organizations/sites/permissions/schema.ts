import { z } from 'zod'
import { permissions } from '../../../access/permissions.ts'

export const permissionsInput = z.strictObject({
  permissions: z.array(z.enum(permissions)).max(permissions.length).describe('All that the user may do in the site.'),
})
export type PermissionsInput = z.infer<typeof permissionsInput>

export const granted = z
  .object({ permissions: z.array(z.enum(permissions)).describe('All that the user may do in the site.') })
  .meta({ id: 'SitePermissions', description: 'What a user may do in a site.' })
export type Granted = z.infer<typeof granted>
