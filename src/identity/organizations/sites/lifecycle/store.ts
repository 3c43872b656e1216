/** The SQL of suspending, deleting and erasing sites. */
import { type Sql, sql } from '../../../../kernel/db/sql.ts'
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

/** Fails with TS403 for a caller who is not a superuser. */
export const requireSuperuser = (userId: number): Sql => sql`select public.require_superuser(${userId})`

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
