import { z } from 'zod'
import { permissions } from '../../../access/permissions.ts'

export const permissionsInput = z.strictObject({ permissions: z.array(z.enum(permissions)).max(permissions.length) })
export type PermissionsInput = z.infer<typeof permissionsInput>

export const granted = z.object({ permissions: z.array(z.enum(permissions)) }).meta({ id: 'SitePermissions' })
export type Granted = z.infer<typeof granted>
