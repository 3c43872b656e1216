import type { Caller } from '../context.ts'
import { moment } from '../db/moment.ts'
import { holdQuota } from '../db/quotas.ts'
import { type Sql, sql } from '../db/sql.ts'
import type { Config } from '../env.ts'
import { type List, type ListQuery, selectPage } from '../http/lists/list.ts'
import type { OrganizationRow } from './views.ts'

const columns = sql`o.id, o.uuid, o.name, o.slug, ${moment(sql`o.created`)} as created`

export const organizationId = (slug: string): Sql => sql`(select o.id from public.organizations o where o.slug = ${slug})`

/** A caller sees the organizations that the caller is a member of; by the provider of one, that one alone. A superuser sees all. */
const visibleTo = ({ userId, organizationId }: Caller) => sql`
  (exists (select from public.memberships m where m.organization_id = o.id and m.user_id = ${userId})
     and o.id = coalesce(${organizationId ?? null}::bigint, o.id)
   or (select u.is_superuser from public.users u where u.id = ${userId}))`

export const list: List = {
  orderings: new Map([
    ['name', sql`o.name`],
    ['slug', sql`o.slug`],
    ['created', sql`o.created`],
  ]),
  ordering: 'name',
  last: sql`o.id`,
  search: { texts: [sql`o.name`, sql`o.slug`], in: 'the name or the slug' },
}

export const selectOrganizations = (caller: Caller, query: ListQuery) =>
  selectPage<OrganizationRow>(list, query, { columns, from: sql`public.organizations o`, where: [visibleTo(caller)] })

export const selectOrganization = (slug: string) => sql<OrganizationRow>`select ${columns} from public.organizations o where o.slug = ${slug}`

/** The slug stays: it stands in addresses. */
export const renameOrganization = (slug: string, name: string) => sql<OrganizationRow>`
  update public.organizations o set name = ${name} where o.slug = ${slug} returning ${columns}`

/** Fails if the maker has as many as a user may have. Superusers make them for others. Of two at once, the second counts after the first is done. */
export const roomForOrganization = (config: Config, userId: number): Sql[] => [
  sql`select u.id from public.users u where u.id = ${userId} for no key update`,
  holdQuota(
    config,
    'QUOTA_ORGANIZATIONS',
    sql`select count(*) + 1 from public.organizations o join public.users u on u.id = o.created_by where u.id = ${userId} and not u.is_superuser`,
  ),
]

/** The organization, and its maker as its owner. */
export const insertOrganization = (userId: number, name: string, slug: string) => sql<OrganizationRow>`
  with o as (
    insert into public.organizations (name, slug, created_by) values (${name}, ${slug}, ${userId}) returning *
  ), owner as (
    insert into public.memberships (organization_id, user_id, role) select o.id, ${userId}, 'owner' from o
  )
  select ${columns} from o`
