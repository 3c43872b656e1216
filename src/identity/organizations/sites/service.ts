/** Sites, which are the tenants: listing, reading, changing and creating them. T1, T6. */
import type { RequestContext } from '../../../kernel/context.ts'
import { requireCaller } from '../../../kernel/db/entering.ts'
import { inOrganization, inSiteManagement, onPlatform } from '../../../kernel/db/platform.ts'
import type { Sql } from '../../../kernel/db/sql.ts'
import { found } from '../../../kernel/errors.ts'
import { requireSame } from '../../../kernel/http/fixed-members.ts'
import { type Page, pageOf } from '../../../kernel/http/lists/envelopes.ts'
import { slugOf } from '../../../kernel/lib/slug.ts'
import { slugPattern } from '../../../kernel/lib/slug-rule.ts'
import { forgetBranding } from '../../../kernel/page/branding.ts'
import { anyMember, managers } from '../roles.ts'
import { requireOwnFactor } from '../store.ts'
import { readLogo } from './branding/logo.ts'
import { writeLogo } from './branding/store.ts'
import { nameGivesNoLabel, slugTaken } from './errors.ts'
import { asRoleError } from './roles/errors.ts'
import type { EnterableSite, EnterableSitesQuery, NewSite, Site, SiteChange, SitesQuery } from './schema.ts'
import * as store from './store.ts'
import { asSite, type NamedSite } from './views.ts'

export { siteStateError, slugTaken } from './errors.ts'
export type { NamedSite } from './views.ts'

/**
 * Returns a page of an organization's sites, for its members. Throws 403 for others, 404 if the organization
 * does not exist.
 */
export async function listSites(
  ctx: RequestContext,
  organization: string,
  url: string,
  query: SitesQuery,
): Promise<Page<Site>> {
  const answers = await inOrganization(ctx, organization, anyMember, store.selectSites(organization, query))
  return pageOf(answers, url, store.list, query, asSite)
}

/** Selects the sites that the caller may enter, by organization and name. */
export const selectEnterableSites = (ctx: RequestContext, limit: number): Sql<NamedSite> =>
  store.selectEnterable(requireCaller(ctx), limit)

/** Returns a page of the sites that the caller may enter. */
export async function listEnterableSites(
  ctx: RequestContext,
  url: string,
  query: EnterableSitesQuery,
): Promise<Page<EnterableSite>> {
  const answers = await onPlatform(ctx, store.selectEnterablePage(requireCaller(ctx), query))
  return pageOf(answers, url, store.enterableList, query, (site) => site)
}

/**
 * Returns a site to members of its organization and to users with any permission there. Throws 403 for
 * others, 404 if it does not exist.
 */
export async function readSite(ctx: RequestContext, slug: string): Promise<Site> {
  const { site } = await inSiteManagement(ctx, slug, null, { site: store.selectSite(slug) })
  return asSite(site.one)
}

/**
 * Changes a site, for callers with `admin_site`. Groups and slugs belong to the organization, and a site that
 * acts can send and cost. So only its owners and admins change these, and `paused`. Throws 400 if the slug is
 * taken or a sign-up rule gives a role that the site does not have; 403 for others, and for callers who would
 * require a second factor without having one; 404 if the site does not exist; 409 if a role would be removed
 * that is used.
 */
export async function changeSite(ctx: RequestContext, slug: string, change: SiteChange): Promise<Site> {
  const logo = readLogo(change.branding?.logo)
  const { domain_groups, slug: newSlug, paused } = change
  const isManagers = [domain_groups, newSlug, paused].some((member) => member !== undefined)
  try {
    const { site } = await inSiteManagement(ctx, slug, 'admin_site', {
      isManager: isManagers ? requireManager(ctx, slug) : undefined,
      hasFactor: change.requires_factor ? requireOwnFactor(requireCaller(ctx)) : undefined,
      logo: logo === undefined ? undefined : writeLogo(slug, logo),
      same: requireSame(change, store.selectFixed(slug)),
      interrupted: change.slug === undefined ? undefined : store.interruptTransfers(slug),
      site: store.updateSite(slug, change),
    })
    if (change.branding) forgetBranding()
    // Another request may have changed the slug since the site was entered.
    return asSite(found(site.first))
  } catch (error) {
    throw slugTaken(error, 'slug', change.slug ?? '') ?? asRoleError(error, 'domain_groups')
  }
}

/** A statement that fails with TS403 for a caller who is not an owner or admin of a site's organization. */
export const requireManager = (ctx: RequestContext, slug: string): Sql =>
  store.requireManager(requireCaller(ctx), slug)

/** Returns the statements that create a site in an organization, for a transfer: a paused preview. */
export const createSiteIn = (
  ctx: RequestContext,
  organization: string | { ofSite: string },
  { name, slug }: { name: string; slug: string },
) => ({
  quota: store.checkSiteQuota(ctx.config, organization),
  site: store.createSite({
    organization,
    userId: requireCaller(ctx).userId,
    name,
    slug,
    environment: 'preview',
  }),
  generation: store.noteGeneration(slug),
})

/**
 * Creates a site with its schema, role and tables, for owners and admins. Throws 400 if the slug is taken or
 * cannot be made, 422 if the quota is used up.
 */
export async function createSite(ctx: RequestContext, organization: string, input: NewSite): Promise<Site> {
  const slug = input.slug ?? slugOf(input.name)
  if (!slugPattern.test(slug)) throw nameGivesNoLabel()
  try {
    const { site } = await inOrganization(ctx, organization, managers, {
      quota: store.checkSiteQuota(ctx.config, organization),
      site: store.createSite({
        organization,
        userId: requireCaller(ctx).userId,
        name: input.name,
        slug,
        environment: input.environment,
      }),
      generation: store.noteGeneration(slug),
    })
    return asSite(site.one)
  } catch (error) {
    throw slugTaken(error, input.slug ? 'slug' : 'name', slug) ?? error
  }
}
