/** The roles that people can have in a site. Access rules say what they may do. X2. */
import type { RequestContext } from '../../../../kernel/context.ts'
import { inSiteManagement } from '../../../../kernel/db/platform.ts'
import { type BareList, bareListOf } from '../../../../kernel/http/lists/envelopes.ts'
import { changeSite } from '../service.ts'
import type { RolesQuery, SiteRole } from './schema.ts'
import { selectRoles } from './store.ts'

/**
 * Lists the roles of a site for those who may read it. Throws 403 for others, 404 if the site does not exist.
 */
export async function listRoles(
  ctx: RequestContext,
  site: string,
  query: RolesQuery,
): Promise<BareList<SiteRole>> {
  const answers = await inSiteManagement(ctx, site, null, selectRoles(site, query))
  return bareListOf(answers, (role) => role)
}

/**
 * Replaces the roles of a site. Throws 403 without `admin_site`, 404 if the site does not exist, 409 for a
 * missing role that access rules, people, invitations or sign-up rules use.
 */
export async function replaceRoles(
  ctx: RequestContext,
  site: string,
  roles: SiteRole[],
): Promise<BareList<SiteRole>> {
  const changed = await changeSite(ctx, site, { roles })
  return { items: changed.roles, total: changed.roles.length }
}
