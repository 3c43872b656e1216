/** The SQL of suspending, deleting and erasing sites. */
import { enforceQuota } from '../../../../kernel/db/quotas.ts'
import { type Sql, sql } from '../../../../kernel/db/sql.ts'
import type { Config } from '../../../../kernel/env.ts'
import { columns } from '../store.ts'
import type { SiteRow } from '../views.ts'

/** The changes of a site's state. */
export type SiteAction = 'suspend' | 'resume' | 'delete' | 'restore'

/** Checks the caller, and changes the state of a site. See public.set_site_state. */
export const setSiteState = (
  caller: Sql,
  slug: string,
  action: SiteAction,
  graceDays: number,
) => sql<SiteRow>`
  select ${columns}
    from public.set_site_state(${caller}, ${slug}, ${action}, make_interval(days => ${graceDays})) s`

/** How a slug is held. See public.hold_slug. */
interface Hold {
  days: number
  atOnce: boolean
  /** The slug as the caller has typed it again. */
  typed: string | null
}

/** Holds the slug of a deleted site for its organization. */
export const holdSlug = (caller: Sql, slug: string, { days, atOnce, typed }: Hold): Sql =>
  sql`select public.hold_slug(${caller}, ${slug}, make_interval(days => ${days}), ${atOnce}, ${typed})`

/** Gives up the hold of a slug, whose site was restored. */
export const releaseSlug = (slug: string): Sql => sql`
  delete from public.slug_holds h using public.sites s
   where s.slug = ${slug} and h.slug = s.slug and h.organization_id = s.organization_id and not h.at_once`

/** Fails if the organization of a site has more sites than it may have, without deleted ones. */
export const checkRestoredQuota = (config: Config, slug: string): Sql[] => [
  sql`select public.hold_organization((select s.organization_id from public.sites s where s.slug = ${slug}))`,
  enforceQuota(
    config,
    'QUOTA_SITES',
    sql`select count(*) from public.sites s join public.sites x on x.organization_id = s.organization_id
         where x.slug = ${slug} and s.deletes_at is null`,
  ),
]

/** Fails if the organization that holds a slug has erased too many sites at once since yesterday. */
export const checkErasures = (config: Config, slug: string): Sql =>
  enforceQuota(
    config,
    'QUOTA_ERASURES',
    sql`select count(*) from public.slug_holds h
         where h.at_once and h.created > now() - interval '1 day' and h.organization_id = (
           select x.organization_id from public.slug_holds x
            where x.slug = ${slug} order by x.id desc limit 1)`,
  )

/** Selects the deleted sites that can no longer be restored. */
export const selectDueSites = (limit: number) => sql<{ id: number }>`
  select s.id from public.sites s where s.deletes_at <= now() order by s.deletes_at limit ${limit}`

/** Selects the slug of a site to erase. No row if there is none. */
export const selectDueSite = (siteId: number) => sql<{ slug: string }>`
  select s.slug from public.sites s where s.id = ${siteId} and s.deletes_at <= now()`

/** Does the next step of erasing a site. See public.erase_site. */
export const eraseSite = (siteId: number, tablesMax: number) => sql<{ has_more: boolean }>`
  select public.erase_site(${siteId}, ${tablesMax}) as has_more`

/** Erases deleted organizations that can no longer be restored. See public.erase_organizations. */
export const eraseOrganizations = (limit: number) => sql<{ slug: string }>`
  select slug from public.erase_organizations(${limit}) slug`
