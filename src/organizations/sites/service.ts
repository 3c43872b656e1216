/** Sites: the tenants. T1, T6. */
import type { RequestContext } from '../../context.ts'
import { isViolationOf } from '../../db/failures.ts'
import { inOrganization, onSite, signedIn } from '../../db/tenant.ts'
import { type Page, pageOf } from '../../http/lists/envelopes.ts'
import { slugOf, slugPattern } from '../../lib/slug.ts'
import { anyMember, managers } from '../roles.ts'
import { siteExists, slugIsNoLabel } from './errors.ts'
import type { Site, SiteChange, SiteInput, SitesQuery } from './schema.ts'
import * as store from './store.ts'
import { asSite } from './views.ts'

export async function listSites(ctx: RequestContext, organization: string, url: string, query: SitesQuery): Promise<Page<Site>> {
  const answers = await inOrganization(ctx, organization, anyMember, store.selectSites(organization, query))
  return pageOf(answers, url, store.list, query, asSite)
}

/** For whoever is in the organization or may do something in the site. */
export async function readSite(ctx: RequestContext, slug: string): Promise<Site> {
  const { site } = await onSite(ctx, slug, null, { site: store.selectSite(slug) })
  return asSite(site.one)
}

export async function changeSite(ctx: RequestContext, slug: string, change: SiteChange): Promise<Site> {
  const { site } = await onSite(ctx, slug, 'admin_site', { site: store.updateSite(slug, change) })
  return asSite(site.one)
}

/** Creates the tenant: its schema, its role, its tables. */
export async function createSite(ctx: RequestContext, organization: string, input: SiteInput): Promise<Site> {
  const slug = input.slug ?? slugOf(input.name)
  if (!slugPattern.test(slug)) throw slugIsNoLabel()
  try {
    const { site } = await inOrganization(ctx, organization, managers, {
      room: store.roomForSite(ctx.config, organization),
      site: store.createSite(organization, signedIn(ctx).userId, input.name, slug, input.environment),
    })
    return asSite(site.one)
  } catch (error) {
    throw isViolationOf(error, 'sites_slug_key') ? siteExists(input.slug ? 'slug' : 'name', slug) : error
  }
}
