import { moment } from '../../../db/moment.ts'
import { type Sql, sql } from '../../../db/sql.ts'
import { type List, type ListQuery, selectPage } from '../../../http/lists/list.ts'
import { siteId } from '../store.ts'
import type { DomainRow } from './views.ts'

const columns = sql`
  d.domain, d.is_primary, case when d.verified_at is null then 'pending' else 'verified' end as status, d.token, d.failures,
  ${moment(sql`d.created`)} as created`

export const list: List = {
  orderings: new Map([
    ['is_primary', sql`d.is_primary`],
    ['domain', sql`d.domain`],
    ['created', sql`d.created`],
  ]),
  ordering: '-is_primary',
  last: sql`d.domain`,
  search: { texts: [sql`d.domain`], in: 'the domain' },
  isWhole: true,
}

export const selectDomains = (site: string, query: ListQuery) =>
  selectPage<DomainRow>(list, query, { columns, from: sql`public.site_domains d`, where: [sql`d.site_id = ${siteId(site)}`] })

export const selectDomain = (site: string, domain: string) => sql<DomainRow>`
  select ${columns} from public.site_domains d where d.site_id = ${siteId(site)} and d.domain = ${domain}`

/** A site has one primary domain: the first, and then the one that was last made it. Send this before `insertDomain`. */
export const unsetPrimary = (site: string): Sql => sql`update public.site_domains set is_primary = false where site_id = ${siteId(site)}`

/** The first domain of a site is its primary one, whatever `isPrimary` is. */
export const insertDomain = (site: string, domain: string, isPrimary: boolean, isVerified: boolean) => sql<DomainRow>`
  insert into public.site_domains as d (domain, site_id, is_primary, verified_at)
  select ${domain}, s.id, ${isPrimary} or not exists (select from public.site_domains x where x.site_id = s.id and x.is_primary),
         case when ${isVerified} then now() end
    from public.sites s where s.slug = ${site}
  returning ${columns}`

export const deleteDomain = (site: string, domain: string) => sql<{ domain: string }>`
  delete from public.site_domains where site_id = ${siteId(site)} and domain = ${domain} returning domain`

/** The result of public.prove_domain: whether the site still has the domain with this token, and which site lost it. */
export interface Proven {
  proven: boolean
  lost_by: number | null
}

/** The token has to be the one that was looked up: it may have been replaced in the meantime. */
export const proveDomain = (siteId: Sql | number, domain: string, token: string, takesOver: boolean) => sql<Proven>`
  select proven, lost_by from public.prove_domain(${siteId}, ${domain}, ${token}, ${takesOver})`

/** A domain whose record is due to be looked up. */
export interface DueDomain {
  site_id: number
  domain: string
  token: string
  is_verified: boolean
}

/** After so many days a pending domain is removed; after so many failures in a row, a verified one. */
const daysPending = 7
const failuresMax = 7

/** A domain that a site has lost. */
export interface DroppedDomain {
  site_id: number
  domain: string
}

export const deleteExpired = sql<DroppedDomain>`
  delete from public.site_domains d where d.verified_at is null and d.token_created < now() - make_interval(days => ${daysPending})
  returning d.site_id, d.domain`

/** Takes the domains that were looked up longest ago: pending ones at each run, verified ones once a day. */
export const takeDue = (limit: number) => ({
  pending: take(sql`x.verified_at is null`, limit),
  verified: take(sql`x.verified_at is not null and x.checked_at < now() - interval '1 day'`, limit),
})

const take = (which: Sql, limit: number) => sql<DueDomain>`
  update public.site_domains d set checked_at = now()
    from (select x.domain, x.site_id from public.site_domains x where ${which} order by x.checked_at limit ${limit} for update skip locked) due
   where d.domain = due.domain and d.site_id = due.site_id
  returning d.site_id, d.domain, d.token, d.verified_at is not null as is_verified`

/** Removes verified domains that now have too many failures, and counts a failure for the others. */
export function missDomains(missed: readonly DueDomain[]) {
  const these = sql`unnest(${missed.map((due) => due.site_id)}::bigint[], ${missed.map((due) => due.domain)}::text[], ${missed.map((due) => due.token)}::text[])
    as m (site_id, domain, token)`
  const same = sql`d.site_id = m.site_id and d.domain = m.domain and d.token = m.token and d.verified_at is not null`
  return {
    dropped: sql<DroppedDomain>`
      delete from public.site_domains d using ${these} where ${same} and d.failures >= ${failuresMax - 1} returning d.site_id, d.domain`,
    counted: sql`update public.site_domains d set failures = d.failures + 1 from ${these} where ${same}`,
  }
}

/** The names of caches that the transaction made stale, one a line (note_stale). */
export const staleNotes = sql<{ stale: string | null }>`select current_setting('tessera.stale', true) as stale`
