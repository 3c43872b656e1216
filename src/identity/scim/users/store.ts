/** The SQL of users of a directory. */
import type { RequestContext } from '../../../kernel/context.ts'
import { isoTimestamp } from '../../../kernel/db/iso-timestamp.ts'
import { type Sql, sql } from '../../../kernel/db/sql.ts'
import type { Listener } from '../../../runtime/events/accounts/service.ts'
import { organizationId } from '../../organizations/service.ts'
import { parseFilter, parsePath } from '../filter/parse.ts'
import { renderFilter, renderOrder } from '../filter/render.ts'
import type { ResourcesQuery } from '../messages.ts'
import { displayName, userAttributes } from './attributes.ts'
import type { Said } from './said.ts'
import type { UserRow } from './views.ts'

const columns = (organization: Sql) => sql`
  a.id, a.user_name, a.external_id, a.given_name, a.family_name,
  nullif(concat_ws(' ', a.given_name, a.family_name), '') as full_name, ${displayName} as display_name,
  public.shown_address(a.email) as email, a.preferred_language, a.is_active,
  coalesce((select json_agg(json_build_object('value', g.id::text, 'display', g.name) order by g.name, g.id)
              from public.scim_group_members(${organization}) m join public.groups g on g.id = m.group_id
             where m.user_id = a.id), '[]') as groups,
  ${isoTimestamp(sql`a.created`)} as created, ${isoTimestamp(sql`a.modified`)} as modified`

/** Selects the number of users that match a filter, and those of a page. Throws 400 for an invalid filter. */
export function selectUsers(slug: string, { filter, sortBy, sortOrder, startIndex, count }: ResourcesQuery) {
  const organization = organizationId(slug)
  const attributes = userAttributes(organization)
  const condition = filter === undefined ? sql`true` : renderFilter(parseFilter(filter), attributes)
  const order =
    sortBy === undefined ? [] : [renderOrder(parsePath(sortBy), sortOrder === 'descending', attributes)]
  const rows = sql`from public.scim_accounts(${organization}) a where ${condition}`
  return {
    total: sql<{ total: number }>`select count(*) as total ${rows}`,
    page: sql<UserRow>`
      select ${columns(organization)} ${rows}
       order by ${[...order, sql`a.id`].reduce((all, term) => sql`${all}, ${term}`)}
       limit ${count} offset ${startIndex - 1}`,
  }
}

/** Selects a user. Returns no row if the directory does not see it. */
export function selectUser(slug: string, id: number) {
  const organization = organizationId(slug)
  return sql<UserRow>`
    select ${columns(organization)} from public.scim_accounts(${organization}) a where a.id = ${id}`
}

export function selectUserNamed(slug: string, userName: string) {
  const organization = organizationId(slug)
  return sql<UserRow>`
    select ${columns(organization)} from public.scim_accounts(${organization}) a
     where lower(a.user_name) = lower(${userName})`
}

/** The request as a value of the type public.scim_request. */
export const requestOf = ({ directoryKeyHash, tenant }: RequestContext, slug: string): Sql => sql`
  row(${organizationId(slug)},
      (select k.created_by from public.scim_keys k where k.hash = ${directoryKeyHash}),
      ${tenant.host}, ${tenant.slug})::public.scim_request`

/** The e-mail that a change requests. If all members are null, it requests none. */
export interface WantedEmail {
  invitation_id: number | null
  mail_version: number | null
  first_password: string | null
}

/** The result of public.create_scim_user. */
export type CreateResult =
  | ({ outcome: 'made' } & WantedEmail)
  | { outcome: 'asks'; username: string; listeners: Listener[] }

/**
 * Creates a user. `username` is null in the first call; after the result `asks`, it is the name in that
 * result.
 */
export const createUser = (ctx: RequestContext, slug: string, said: Said, username: string | null) =>
  sql<CreateResult>`
    select outcome, username, listeners, invitation_id, mail_version, first_password
      from public.create_scim_user(${requestOf(ctx, slug)}, ${JSON.stringify(said)}, ${username})`

export const changeUser = (ctx: RequestContext, slug: string, id: number, said: Said) => sql<WantedEmail>`
  select invitation_id, mail_version, first_password
    from public.change_scim_user(${requestOf(ctx, slug)}, ${id}, ${JSON.stringify(said)})`

export const deleteUser = (ctx: RequestContext, slug: string, id: number): Sql => sql`
  select public.delete_scim_user(${requestOf(ctx, slug)}, ${id})`
