/**
 * Where a sign-in counts, by the host at which it is issued. Whoever has a domain can lead it to another
 * server, which then gets what browsers keep for that host, and sees what is typed there. So what is issued
 * at a tenant's host, that is a verified domain of a site, counts in the organization of that site alone, and
 * cookies and refresh tokens are accepted at that host alone. A8.
 */
import type { RequestContext } from '../context.ts'
import { onPlatform } from '../db/platform.ts'
import { sql } from '../db/sql.ts'
import { forbidden, SignInElsewhere } from '../errors.ts'
import { publicBase } from '../http/hosts.ts'
import { quoteValue } from '../lib/quote-value.ts'
import type { Identity } from './tokens.ts'

/** What Postgres knows about the host of a request, and about the account that signs in. */
interface HostRow {
  /** The organization of the site whose verified domain the host is. Null: it is none. */
  organization: number | null
  site: string | null
  is_superuser: boolean
}

/**
 * Selects what `placeOf` needs. `userId`: the account that signs in; null: the caller adds `is_superuser`.
 */
export const selectHost = ({ tenant: { domain } }: RequestContext, userId: number | null) => sql<HostRow>`
  select public.party_organization(${domain}, false) as organization, public.site_at(${domain}, null) as site,
         exists (select from public.users u where u.id = ${userId} and u.is_superuser) as is_superuser`

declare const decided: unique symbol

/** Where a sign-in counts. Only `placeOf` makes it. */
export interface SignInPlace {
  readonly [decided]: true
  /** What new tokens are bound to at a tenant's host. */
  readonly bound: Pick<Identity, 'organizationId' | 'host'>
  /** The site whose domain the host is. */
  readonly site: string | null
}

/**
 * Decides where a sign-in at the host of the request counts. Throws SignInElsewhere for a superuser at a
 * tenant's host, and for everybody at a host that belongs neither to the service nor to a site. Throws 403
 * for a caller whose present sign-in counts in another organization.
 */
export function placeOf(ctx: RequestContext, { organization, site, is_superuser }: HostRow): SignInPlace {
  const { domain, slug } = ctx.tenant
  if (domain === null) return decide({}, site)
  if (organization === null) {
    const reason = `${quoteValue(domain)} is neither a host of the service nor a verified domain of a site.`
    throw new SignInElsewhere(reason, platformAddress(ctx, slug))
  }
  const place = decide({ organizationId: organization, host: domain }, site)
  if (is_superuser) refuseSuperuser(ctx, place)
  if (![undefined, organization].includes(ctx.caller?.organizationId)) throw forbidden()
  return place
}

const decide = (bound: SignInPlace['bound'], site: string | null): SignInPlace =>
  ({ bound, site }) as SignInPlace

/** Throws SignInElsewhere at a tenant's host. */
export function refuseSuperuser(ctx: RequestContext, { bound, site }: SignInPlace): void {
  if (bound.host === undefined) return
  throw new SignInElsewhere('Superusers do not sign in at domains of sites.', platformAddress(ctx, site))
}

/** Returns the address at which everybody can sign in to a site; without a site, that of the service. */
function platformAddress({ config }: RequestContext, site: string | null): string {
  const path = site === null ? '/' : `/sites/${site}/accounts/login/`
  const base = publicBase(config)
  return base ? new URL(path, base).href : path
}

/**
 * Returns where the caller can sign in for everything, at a tenant's host, where no sign-in counts for it.
 * Undefined at other hosts.
 */
export async function wholeSignInAddress(ctx: RequestContext): Promise<string | undefined> {
  if (ctx.tenant.domain === null) return undefined
  const { host } = await onPlatform(ctx, { host: selectHost(ctx, null) })
  return platformAddress(ctx, host.one.site)
}

/** Binds an account that signs in to a place. At a host of the platform, it stays bound as it was. */
export const boundTo = (identity: Identity, { bound }: SignInPlace): Identity => ({ ...identity, ...bound })

/**
 * Tells whether a cookie or a refresh token with these claims was issued at the host of the request. All
 * hosts of the platform count as one.
 */
export const isIssuedHere = ({ tenant }: RequestContext, { host }: Pick<Identity, 'host'>): boolean =>
  (host ?? null) === tenant.domain
