/**
 * The permissions and roles of users in a site, apart from those that come from a role or a group in its
 * organization. T4, T6, X2.
 */
import type { RequestContext } from '../../../../kernel/context.ts'
import { callerOf } from '../../../../kernel/db/caller.ts'
import { inSiteManagement } from '../../../../kernel/db/platform.ts'
import { forbidden, found } from '../../../../kernel/errors.ts'
import { asRoleError } from '../roles/errors.ts'
import { requireRoles } from '../roles/store.ts'
import type { NewPermissions, SitePermissions } from './schema.ts'
import { replacePermissions, selectPermissions } from './store.ts'

/**
 * Returns the permissions of a user in a site. Throws 403 without `manage_site_users`, 404 if the site or the
 * user does not exist.
 */
export async function readPermissions(
  ctx: RequestContext,
  site: string,
  userId: number,
): Promise<SitePermissions> {
  const { granted } = await inSiteManagement(ctx, site, 'manage_site_users', {
    granted: selectPermissions(site, userId),
  })
  return found(granted.first)
}

/**
 * Replaces the permissions of a user in a site, and the roles unless they are undefined. Throws 400 for a
 * role that the site does not have; 403 without `manage_site_users`, if the user has or gets a permission
 * that the caller does not have, if it gets or loses a role that the caller does not have, unless with
 * `admin_site`, or if it ranks above the caller; 404 if the site or the user does not exist.
 */
export async function setPermissions(
  ctx: RequestContext,
  site: string,
  userId: number,
  input: NewPermissions,
): Promise<SitePermissions> {
  const permissions = [...new Set(input.permissions)].sort()
  const roles = input.roles && [...new Set(input.roles)].sort()
  const { before, granted } = await inSiteManagement(ctx, site, 'manage_site_users', {
    known: roles && requireRoles(site, roles),
    before: selectPermissions(site, userId),
    granted: replacePermissions({ site, caller: callerOf(ctx), userId, permissions, roles }),
  }).catch((error: unknown) => {
    throw asRoleError(error, 'roles')
  })
  found(before.first)
  if (!granted.first) throw forbidden()
  return granted.first
}
