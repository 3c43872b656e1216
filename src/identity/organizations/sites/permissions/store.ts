/** The statements on public.site_permissions. */
import { enteredCallerId } from '../../../../kernel/db/caller.ts'
import { type Sql, sql } from '../../../../kernel/db/sql.ts'
import { siteId } from '../store.ts'
import type { SitePermissions } from './schema.ts'

/** Selects the permissions and the roles of a user in a site. No row if the user does not exist. */
export const selectPermissions = (site: string, userId: number) => sql<SitePermissions>`
  select to_json(coalesce(p.permissions, '{}')) as permissions, to_json(coalesce(p.roles, '{}')) as roles
    from public.users u
    left join public.site_permissions p on p.user_id = u.id and p.site_id = ${siteId(site)}
   where u.id = ${userId}`

/** New permissions of a user in a site, and the caller who grants them. */
interface Grant {
  site: string
  caller: Sql
  userId: number
  permissions: readonly string[]
  /** Undefined: those that the user has. */
  roles: readonly string[] | undefined
}

/**
 * Replaces the permissions and the roles of a user. Returns no row, and changes nothing, if the user has or
 * gets a permission that the caller does not have, gets or loses a role that the caller may not give
 * (public.gives_roles), or ranks above the caller: nobody can grant or revoke more than they have. T6, T10,
 * X2. The permissions and roles that decide are those of the row that is written: another manager may have
 * given more since the statement began.
 */
export const replacePermissions = ({ site, caller, userId, permissions, roles }: Grant) =>
  sql<SitePermissions>`
  with caller as (
    select e.held from public.enter_site(${caller}, ${site}, 'manage_site_users') e
  ), present as (
    select u.id, coalesce(p.permissions, '{}') as permissions, coalesce(p.roles, '{}') as roles,
           coalesce(${roles ?? null}::text[], p.roles, '{}') as next
      from public.users u
      left join public.site_permissions p on p.user_id = u.id and p.site_id = ${siteId(site)}
     where u.id = ${userId}
  )
  insert into public.site_permissions as p (site_id, user_id, permissions, roles)
  select ${siteId(site)}, present.id, ${permissions}::text[], present.next from present, caller
   where present.permissions || ${permissions}::text[] <@ caller.held
     and public.gives_roles(${siteId(site)}, ${enteredCallerId}, present.roles, present.next)
     and not public.outranks(present.id, ${enteredCallerId},
           (select s.organization_id from public.sites s where s.id = ${siteId(site)}))
  on conflict (site_id, user_id) do update
    set permissions = excluded.permissions, roles = coalesce(${roles ?? null}::text[], p.roles)
    where p.permissions <@ (select caller.held from caller)
      and public.gives_roles(${siteId(site)}, ${enteredCallerId}, p.roles,
                             coalesce(${roles ?? null}::text[], p.roles))
  returning to_json(p.permissions) as permissions, to_json(p.roles) as roles`
