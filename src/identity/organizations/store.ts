/** The statements on public.organizations. */

import type { organizations } from '../../../drizzle/platform/organizations.ts'
import type { Caller } from '../../kernel/context.ts'
import { columnsOf, of } from '../../kernel/db/columns.ts'
import { enforceQuota } from '../../kernel/db/quotas.ts'
import { type Sql, sql } from '../../kernel/db/sql.ts'
import type { Config } from '../../kernel/env.ts'
import { type List, type ListQuery, selectPage } from '../../kernel/http/lists/list.ts'
import { listForm, type OrganizationChange } from './schema.ts'

const o = of<typeof organizations>('o')

const columns = columnsOf(
  o('id', 'uuid', 'name', 'slug'),
  o.times('deletes_at'),
  o('requires_factor'),
  o.times('created'),
)

/** A subquery for the id of the organization with a slug; null if it does not exist. */
export const organizationId = (slug: string): Sql =>
  sql`(select o.id from public.organizations o where o.slug = ${slug})`

/**
 * The condition that the caller is a member of the organization `o`, or a superuser. A caller who signed in
 * through a provider sees only the organization of that provider.
 */
const isVisibleTo = ({ userId, organizationId }: Caller) => sql`
  (exists (select from public.memberships m where m.organization_id = o.id and m.user_id = ${userId})
     and o.id = coalesce(${organizationId ?? null}::bigint, o.id)
   or (select u.is_superuser from public.users u where u.id = ${userId}))`

export const list: List<typeof listForm> = {
  ...listForm,
  columns: {
    name: sql`o.name`,
    slug: sql`o.slug`,
    created: sql`o.created`,
  },
  last: sql`o.id`,
  texts: [sql`o.name`, sql`o.slug`],
}

/** Selects a page of the organizations that the caller can see. */
export const selectOrganizations = (caller: Caller, query: ListQuery) =>
  selectPage(list, query, {
    columns,
    from: sql`public.organizations o`,
    where: [isVisibleTo(caller)],
  })

/** Selects an organization by its slug. No row if it does not exist. */
export const selectOrganization = (slug: string) =>
  sql`select ${columns} from public.organizations o where o.slug = ${slug}`

/** Changes an organization. Undefined members stay unchanged. */
export const updateOrganization = (slug: string, { name, requires_factor }: OrganizationChange) =>
  sql`
  update public.organizations o
     set name = coalesce(${name ?? null}, o.name),
         requires_factor = coalesce(${requires_factor ?? null}, o.requires_factor)
   where o.slug = ${slug} returning ${columns}`

/** Fails with TS434 for a caller without a second factor: only callers with one can require it. */
export const requireOwnFactor = ({ userId }: Caller): Sql => sql`select public.require_factor(${userId})`

/**
 * Fails if the user has created as many organizations as QUOTA_ORGANIZATIONS allows. Superusers have no
 * limit. The lock on the user makes concurrent requests count one after the other.
 */
export const checkOrganizationQuota = (config: Config, userId: number): Sql[] => [
  sql`select u.id from public.users u where u.id = ${userId} for no key update`,
  enforceQuota(
    config,
    'QUOTA_ORGANIZATIONS',
    sql`select count(*) + 1 from public.organizations o join public.users u on u.id = o.created_by
         where u.id = ${userId} and not u.is_superuser`,
  ),
]

/** Inserts an organization with the user as its owner. */
export const insertOrganization = (userId: number, name: string, slug: string) => sql`
  with o as (
    insert into public.organizations (name, slug, created_by) values (${name}, ${slug}, ${userId}) returning *
  ), owner as (
    insert into public.memberships (organization_id, user_id, role) select o.id, ${userId}, 'owner' from o
  )
  select ${columns} from o`

/** Checks the caller, and deletes or restores an organization. See public.set_organization_state. */
export const setOrganizationState = (
  caller: Sql,
  slug: string,
  action: 'delete' | 'restore',
  graceDays: number,
) => sql`
  select ${columns}
    from public.set_organization_state(${caller}, ${slug}, ${action}, make_interval(days => ${graceDays})) o`
