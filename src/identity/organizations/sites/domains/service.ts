/** The domains of a site: listing, adding, verifying and removing them. T2, T6, T8. */
import type { RequestContext } from '../../../../kernel/context.ts'
import { isViolationOf } from '../../../../kernel/db/failures.ts'
import { inSiteManagement } from '../../../../kernel/db/platform.ts'
import { found, notFound } from '../../../../kernel/errors.ts'
import { domainProblem } from '../../../../kernel/http/hosts.ts'
import { type BareList, bareListOf } from '../../../../kernel/http/lists/envelopes.ts'
import { canonicalHost, isHostName } from '../../../../kernel/lib/host-name.ts'
import { log } from '../../../../kernel/lib/log.ts'
import { siteId } from '../store.ts'
import {
  domainAlreadyAdded,
  domainRejected,
  domainTaken,
  invalidDomain,
  proofMissing,
  resolverUnavailable,
} from './errors.ts'
import { domainLengthMax, findTexts } from './proof.ts'
import type { Domain, DomainsQuery, NewDomain } from './schema.ts'
import {
  deleteDomain,
  insertDomain,
  lockSite,
  proveDomain,
  selectDomain,
  selectDomains,
  unsetPrimary,
} from './store.ts'
import { asDomain } from './views.ts'

/** Returns the domains of a site to members of its organization and to users with any permission there. */
export const listDomains = async (
  ctx: RequestContext,
  site: string,
  query: DomainsQuery,
): Promise<BareList<Domain>> =>
  bareListOf(await inSiteManagement(ctx, site, null, selectDomains(site, query)), asDomain)

/**
 * Adds a domain, for users with `admin_site`. It is pending; with DOMAIN_PROOF=off it is verified. Throws 400
 * if the site cannot have the domain.
 */
export async function addDomain(
  ctx: RequestContext,
  site: string,
  { domain, is_primary }: NewDomain,
): Promise<Domain> {
  requireAllowed(ctx, domain)
  const statements = {
    locked: lockSite(site),
    unset: is_primary ? unsetPrimary(site) : undefined,
    added: insertDomain(site, domain, {
      isPrimary: is_primary,
      isVerified: ctx.config.DOMAIN_PROOF === 'off',
    }),
  }
  const { added } = await rejectDuplicates(domain, () =>
    inSiteManagement(ctx, site, 'admin_site', statements),
  )
  return asDomain(added.one)
}

/**
 * Checks the DNS record of a domain, for users with `admin_site`. If the record has the token, the domain
 * becomes verified for this site, and pending for a site that had it before. Throws 400 if the record is
 * missing or wrong, 404 if the site does not have the domain, 503 if the resolver does not answer.
 */
export async function verifyDomain(ctx: RequestContext, site: string, name: string): Promise<Domain> {
  const domain = found(canonicalHost(name))
  const { claimed } = await inSiteManagement(ctx, site, 'admin_site', { claimed: selectDomain(site, domain) })
  const { token } = found(claimed.first)
  const isProofRequired = ctx.config.DOMAIN_PROOF === 'on'
  if (isProofRequired) await requireProof(ctx, domain, token)
  const statements = {
    proof: proveDomain(siteId(site), domain, token, isProofRequired),
    verified: selectDomain(site, domain),
  }
  const { proof, verified } = await rejectDuplicates(domain, () =>
    inSiteManagement(ctx, site, 'admin_site', statements),
  )
  const { proven, lost_by } = proof.one
  if (!proven) throw notFound()
  if (lost_by !== null) log({ level: 'info', request_id: ctx.requestId, domain, lost_by_site: lost_by })
  return asDomain(verified.one)
}

/** Removes a domain, for users with `admin_site`. Throws 404 if the site does not have it. */
export async function removeDomain(ctx: RequestContext, site: string, name: string): Promise<void> {
  const domain = found(canonicalHost(name))
  const { deleted } = await inSiteManagement(ctx, site, 'admin_site', { deleted: deleteDomain(site, domain) })
  found(deleted.first)
}

/** Throws a 400 for a domain that no site can have. */
function requireAllowed({ config, tenant }: RequestContext, domain: string): void {
  const reason = domainProblem(config, domain)
  if (reason) throw domainRejected(domain, reason)
  if (domain === tenant.host) throw domainRejected(domain, 'is the host of this request.')
  if (!isHostName(domain) || domain.length > domainLengthMax) throw invalidDomain(domain)
}

/** Throws a 400 unless the domain's TXT record has the token, a 503 if the resolver does not answer. */
async function requireProof({ config }: RequestContext, domain: string, token: string): Promise<void> {
  const texts = await findTexts(config, domain).catch((cause: unknown) => {
    throw resolverUnavailable(domain, cause)
  })
  if (!texts.includes(token)) throw proofMissing(domain, token, texts)
}

/** Runs `work`. Throws a 400 if the domain is already added, or verified for another site. */
async function rejectDuplicates<Result>(domain: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (isViolationOf(error, 'site_domains_pkey')) throw domainAlreadyAdded(domain)
    throw isViolationOf(error, 'site_domains_verified_key') ? domainTaken(domain) : error
  }
}
