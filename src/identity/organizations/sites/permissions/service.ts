/** The permissions of users in a site, apart from those that come from a role in its organization. T4, T6. */
import type { RequestContext } from '../../../../kernel/context.ts'
import { callerOf } from '../../../../kernel/db/caller.ts'
import { inSiteManagement } from '../../../../kernel/db/platform.ts'
import { forbidden, found } from '../../../../kernel/errors.ts'
import type { SitePermissions } from './schema.ts'
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
 * Replaces the permissions of a user in a site. Throws 403 without `manage_site_users`, if the user has or
 * gets a permission that the caller does not have, or if the user ranks above the caller. Throws 404 if the
 * site or the user does not exist.
 */
export async function setPermissions(
  ctx: RequestContext,
  site: string,
  userId: number,
  input: SitePermissions,
): Promise<SitePermissions> {
  const permissions = [...new Set(input.permissions)].sort()
  const { before, granted } = await inSiteManagement(ctx, site, 'manage_site_users', {
    before: selectPermissions(site, userId),
    granted: replacePermissions({ site, caller: callerOf(ctx), userId, permissions }),
  })
  found(before.first)
  if (!granted.first) throw forbidden()
  return granted.first
}
