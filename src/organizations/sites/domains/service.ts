/** The hosts at which a site is found. T2, T6. */
import type { RequestContext } from '../../../context.ts'
import { isViolationOf } from '../../../db/failures.ts'
import { onSite } from '../../../db/tenant.ts'
import { notFound } from '../../../errors.ts'
import { domainOfPlatform, domainTaken } from './errors.ts'
import type { Domain, DomainInput } from './schema.ts'
import { deleteDomain, insertDomain, selectDomains } from './store.ts'

export const listDomains = async (ctx: RequestContext, site: string): Promise<Domain[]> =>
  (await onSite(ctx, site, null, [selectDomains(site)])).rows<Domain>()

/** The service's own domain and what is below it name sites by their slugs: nobody may take one of those. */
export async function addDomain(ctx: RequestContext, site: string, { domain, is_primary }: DomainInput): Promise<Domain> {
  const base = ctx.config.BASE_DOMAIN
  if (base && (domain === base || domain.endsWith(`.${base}`))) throw domainOfPlatform(domain)
  try {
    return (await onSite(ctx, site, 'admin_site', insertDomain(site, domain, is_primary))).one<Domain>(-1)
  } catch (error) {
    throw isViolationOf(error, 'site_domains_pkey') ? domainTaken(domain) : error
  }
}

export async function removeDomain(ctx: RequestContext, site: string, domain: string): Promise<void> {
  const results = await onSite(ctx, site, 'admin_site', [deleteDomain(site, domain.toLowerCase())])
  if (!results.row()) throw notFound()
}
