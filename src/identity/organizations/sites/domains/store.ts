/** The statements on public.site_domains. */

import type { siteDomains } from '../../../../../drizzle/platform/sites.ts'
import { columnsOf, computed, of } from '../../../../kernel/db/columns.ts'
import { type Sql, sql } from '../../../../kernel/db/sql.ts'
import { type List, type ListQuery, selectPage } from '../../../../kernel/http/lists/list.ts'
import { siteId } from '../store.ts'
import { listForm } from './schema.ts'
import type { DomainRow } from './views.ts'

const d = of<typeof siteDomains>('d')

const columns = columnsOf(
  d('domain', 'is_primary', 'token', 'failures'),
  computed<Pick<DomainRow, 'status'>>({
    status: sql`case when d.verified_at is null then 'pending' else 'verified' end`,
  }),
  d.times('created'),
)

const list: List<typeof listForm> = {
  ...listForm,
  columns: {
    is_primary: sql`d.is_primary`,
    domain: sql`d.domain`,
    created: sql`d.created`,
  },
  last: sql`d.domain`,
  texts: [sql`d.domain`],
}

/** Selects the domains of a site; all of them, unless the query asks for a page. */
export const selectDomains = (site: string, query: ListQuery) =>
  selectPage(list, query, {
    columns,
    from: sql`public.site_domains d`,
    where: [sql`d.site_id = ${siteId(site)}`],
  })

/** Selects a domain of a site. No row if the site does not have it. */
export const selectDomain = (site: string, domain: string) => sql`
  select ${columns} from public.site_domains d where d.site_id = ${siteId(site)} and d.domain = ${domain}`

/** Locks a site until the end of the transaction, so that concurrent requests agree on its primary domain. */
export const lockSite = (site: string): Sql =>
  sql`select s.id from public.sites s where s.slug = ${site} for no key update`

/** Removes the mark of the site's primary domain. Must run before `insertDomain` of a new primary domain. */
export const unsetPrimary = (site: string): Sql =>
  sql`update public.site_domains set is_primary = false where site_id = ${siteId(site)}`

/** Inserts a domain. The first domain of a site becomes the primary one, even if `isPrimary` is false. */
export const insertDomain = (
  site: string,
  domain: string,
  { isPrimary, isVerified }: { isPrimary: boolean; isVerified: boolean },
) => sql`
  insert into public.site_domains as d (domain, site_id, is_primary, verified_at)
  select ${domain}, s.id,
         ${isPrimary} or not exists (select from public.site_domains x
                                    where x.site_id = s.id and x.is_primary),
         case when ${isVerified} then now() end
    from public.sites s where s.slug = ${site}
  returning ${columns}`

/** Deletes a domain of a site. Returns no row if the site does not have it. */
export const deleteDomain = (site: string, domain: string) => sql<{ domain: string }>`
  delete from public.site_domains where site_id = ${siteId(site)} and domain = ${domain} returning domain`

/**
 * The result of public.prove_domain. `proven` is false if the site no longer has the domain with this token;
 * `lost_by` is the id of the site that had it verified before.
 */
export interface ProofResult {
  proven: boolean
  lost_by: number | null
}

/**
 * Marks a domain as verified if `token` is still its token: a new one may have replaced it during the lookup.
 * If `takesOver`, another site that has the domain verified loses it; otherwise that is a unique violation.
 */
export const proveDomain = (
  siteId: Sql | number,
  domain: string,
  token: string,
  takesOver: boolean,
) => sql<ProofResult>`
  select proven, lost_by from public.prove_domain(${siteId}, ${domain}, ${token}, ${takesOver})`

/** A domain whose DNS record is due for a check. */
export interface DueDomain {
  site_id: number
  domain: string
  token: string
  is_verified: boolean
}

/**
 * The days for which a domain can be pending, and the number of consecutive failures that remove a verified
 * domain.
 */
const daysPending = 7
const failuresMax = 7

export interface RemovedDomain {
  site_id: number
  domain: string
}

/** Deletes pending domains that were not proven in time. */
export const deleteExpired = sql<RemovedDomain>`
  delete from public.site_domains d
   where d.verified_at is null and d.token_created < now() - make_interval(days => ${daysPending})
  returning d.site_id, d.domain`

/**
 * Claims up to `limit` pending and `limit` verified domains, the longest unchecked first. Pending domains are
 * due in every run, verified ones once a day.
 */
export const claimDue = (limit: number) => ({
  pending: claim(sql`x.verified_at is null`, limit),
  verified: claim(sql`x.verified_at is not null and x.checked_at < now() - interval '1 day'`, limit),
})

const claim = (isDue: Sql, limit: number) => sql<DueDomain>`
  update public.site_domains d set checked_at = now()
    from (select x.domain, x.site_id from public.site_domains x where ${isDue}
           order by x.checked_at limit ${limit} for update skip locked) due
   where d.domain = due.domain and d.site_id = due.site_id
  returning d.site_id, d.domain, d.token, d.verified_at is not null as is_verified`

/** Counts a failure for verified domains whose record was not found, and removes those with too many. */
export function countFailures(missed: readonly DueDomain[]) {
  const siteIds = missed.map(({ site_id }) => site_id)
  const domains = missed.map(({ domain }) => domain)
  const tokens = missed.map(({ token }) => token)
  const missedRows = sql`
    unnest(${siteIds}::bigint[], ${domains}::text[], ${tokens}::text[]) as m (site_id, domain, token)`
  const isMissed = sql`
    d.site_id = m.site_id and d.domain = m.domain and d.token = m.token and d.verified_at is not null`
  return {
    removed: sql<RemovedDomain>`
      delete from public.site_domains d using ${missedRows}
       where ${isMissed} and d.failures >= ${failuresMax - 1} returning d.site_id, d.domain`,
    counted: sql`
      update public.site_domains d set failures = d.failures + 1 from ${missedRows} where ${isMissed}`,
  }
}
