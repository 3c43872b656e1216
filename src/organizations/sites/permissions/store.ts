import { type Sql, sql } from '../../../db/sql.ts'
import { siteId } from '../store.ts'
import type { Granted } from './schema.ts'

/** One row for a user that exists: what is granted to them in the site. */
export const selectPermissions = (site: string, userId: number) => sql<Granted>`
  select to_json(coalesce(p.permissions, '{}')) as permissions
    from public.users u left join public.site_permissions p on p.user_id = u.id and p.site_id = ${siteId(site)}
   where u.id = ${userId}`

/**
 * Grants in the place of what was granted before. A row only where the caller holds all that it adds or takes away:
 * nobody hands on, or revokes, more than they have.
 */
export const replacePermissions = (site: string, caller: Sql, userId: number, permissions: readonly string[]) => sql<Granted>`
  with caller as (
    select e.held from public.enter_site(${caller}, ${site}, 'manage_site_users') e
  ), present as (
    select u.id, coalesce(p.permissions, '{}') as permissions
      from public.users u left join public.site_permissions p on p.user_id = u.id and p.site_id = ${siteId(site)}
     where u.id = ${userId}
  )
  insert into public.site_permissions as p (site_id, user_id, permissions)
  select ${siteId(site)}, present.id, ${permissions}::text[] from present, caller
   where present.permissions || ${permissions}::text[] <@ caller.held
  on conflict (site_id, user_id) do update set permissions = excluded.permissions
  returning to_json(p.permissions) as permissions`
