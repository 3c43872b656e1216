/** The bodies of permissions in a site. T4. */
import * as z from 'zod'
import { permissions } from '../../../../kernel/permissions.ts'

/** The body that replaces the permissions of a user. */
export const newPermissions = z.strictObject({
  permissions: z
    .array(z.enum(permissions))
    .max(permissions.length)
    .describe('All permissions that the user has from now on. Any others are revoked.'),
})

/** The permissions of a user in an answer. */
export const sitePermissions = z
  .object({
    permissions: z.array(z.enum(permissions)).describe('All permissions of the user in the site.'),
  })
  .meta({ id: 'SitePermissions', description: 'The permissions of a user in a site.' })
export type SitePermissions = z.infer<typeof sitePermissions>
