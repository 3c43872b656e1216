/** The bodies of permissions and roles in a site. T4, X2. */
import * as z from 'zod'
import { permissions } from '../../../../kernel/permissions.ts'
import { roleNames } from '../roles/schema.ts'

/** The body that replaces the permissions and the roles of a user. */
export const newPermissions = z.strictObject({
  permissions: z
    .array(z.enum(permissions))
    .max(permissions.length)
    .describe('All permissions that the user has from now on. Any others are revoked.'),
  roles: roleNames
    .optional()
    .describe('All roles that the user has from now on, apart from those of groups. Omitted: unchanged.'),
})
export type NewPermissions = z.infer<typeof newPermissions>

/** The permissions of a user in an answer. */
export const sitePermissions = z
  .object({
    permissions: z.array(z.enum(permissions)).describe('All permissions of the user in the site.'),
    roles: z
      .array(z.string())
      .describe('All roles that the user was given in the site. Those of groups are not included.'),
  })
  .meta({ id: 'SitePermissions', description: 'The permissions and the roles of a user in a site.' })
export type SitePermissions = z.infer<typeof sitePermissions>
