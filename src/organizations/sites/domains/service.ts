/** The domains of a site. It answers at a domain once the domain is verified. T2, T6, T8. */
import type { RequestContext } from '../../../context.ts'
import { isViolationOf } from '../../../db/failures.ts'
import { onSite } from '../../../db/tenant.ts'
import { found, notFound } from '../../../errors.ts'
import { reasonAgainst } from '../../../http/hosts.ts'
import { type Bare, bareOf } from '../../../http/lists/envelopes.ts'
import { canonicalHost, isHostName } from '../../../lib/host-name.ts'
import { log } from '../../../lib/log.ts'
import { siteId } from '../store.ts'
import { domainPresent, domainRefused, domainTaken, notADomain, proofMissing, resolverAway } from './errors.ts'
import { domainLengthMax, findTexts } from './proof.ts'
import type { Domain, DomainInput, DomainsQuery } from './schema.ts'
import { deleteDomain, insertDomain, proveDomain, selectDomain, selectDomains, unsetPrimary } from './store.ts'
import { asDomain } from './views.ts'

export const listDomains = async (ctx: RequestContext, site: string, query: DomainsQuery): Promise<Bare<Domain>> =>
  bareOf(await onSite(ctx, site, null, selectDomains(site, query)), asDomain)

/** Adds a pending domain; with DOMAIN_PROOF=off, a verified one. */
export async function addDomain(ctx: RequestContext, site: string, { domain, is_primary }: DomainInput): Promise<Domain> {
  requireAllowed(ctx, domain)
  const statements = {
    unset: is_primary ? unsetPrimary(site) : undefined,
    added: insertDomain(site, domain, is_primary, ctx.config.DOMAIN_PROOF === 'off'),
  }
  const { added } = await refusingTaken(domain, () => onSite(ctx, site, 'admin_site', statements))
  return asDomain(added.one)
}

/** Looks up the domain's record. If it holds the token, the domain becomes verified for this site, and pending for the site that had it. */
export async function verifyDomain(ctx: RequestContext, site: string, name: string): Promise<Domain> {
  const domain = found(canonicalHost(name))
  const { claimed } = await onSite(ctx, site, 'admin_site', { claimed: selectDomain(site, domain) })
  const { token } = found(claimed.first)
  const isAsked = ctx.config.DOMAIN_PROOF === 'on'
  if (isAsked) await requireProof(ctx, domain, token)
  const statements = { proof: proveDomain(siteId(site), domain, token, isAsked), verified: selectDomain(site, domain) }
  const { proof, verified } = await refusingTaken(domain, () => onSite(ctx, site, 'admin_site', statements))
  const { proven, lost_by } = proof.one
  if (!proven) throw notFound()
  if (lost_by !== null) log({ level: 'info', request_id: ctx.requestId, domain, lost_by_site: lost_by })
  return asDomain(verified.one)
}

export async function removeDomain(ctx: RequestContext, site: string, name: string): Promise<void> {
  const domain = found(canonicalHost(name))
  const { deleted } = await onSite(ctx, site, 'admin_site', { deleted: deleteDomain(site, domain) })
  found(deleted.first)
}

/** Throws a 400 for a domain that no site may have. */
function requireAllowed({ config, tenant }: RequestContext, domain: string): void {
  const reason = reasonAgainst(config, domain)
  if (reason) throw domainRefused(domain, reason)
  if (domain === tenant.host) throw domainRefused(domain, 'is the host of this very request.')
  if (!isHostName(domain) || domain.length > domainLengthMax) throw notADomain(domain)
}

async function requireProof({ config }: RequestContext, domain: string, token: string): Promise<void> {
  const texts = await findTexts(config, domain).catch((cause: unknown) => {
    throw resolverAway(domain, cause)
  })
  if (!texts.includes(token)) throw proofMissing(domain, token, texts)
}

async function refusingTaken<Result>(domain: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (isViolationOf(error, 'site_domains_pkey')) throw domainPresent(domain)
    throw isViolationOf(error, 'site_domains_verified_key') ? domainTaken(domain) : error
  }
}
