/** The SQL of groups of a directory. */
import type { RequestContext } from '../../../kernel/context.ts'
import { isoTimestamp } from '../../../kernel/db/iso-timestamp.ts'
import { type Sql, sql } from '../../../kernel/db/sql.ts'
import { organizationId } from '../../organizations/service.ts'
import { parseFilter, parsePath } from '../filter/parse.ts'
import { renderFilter, renderOrder } from '../filter/render.ts'
import type { ResourcesQuery } from '../messages.ts'
import { displayName } from '../users/attributes.ts'
import { requestOf } from '../users/store.ts'
import { groupAttributes, memberParts, membersIn } from './attributes.ts'
import type { GroupBody } from './schema.ts'
import type { Step } from './steps.ts'
import type { GroupRow } from './views.ts'

const columns = (organization: Sql, hasMembers: boolean) => sql`
  g.id, g.name, g.external_id,
  ${
    hasMembers
      ? sql`coalesce((select json_agg(json_build_object('value', a.id::text, 'display', ${displayName})
                                      order by a.id) ${membersIn(organization, sql`g.id`)}), '[]')`
      : sql`null::json`
  } as members,
  ${isoTimestamp(sql`g.created`)} as created,
  ${isoTimestamp(sql`coalesce(g.modified, g.created)`)} as modified`

/**
 * Selects the number of groups that match a filter, and those of a page. Throws 400 for an invalid filter.
 */
export function selectGroups(
  slug: string,
  { filter, sortBy, sortOrder, startIndex, count }: ResourcesQuery,
  hasMembers: boolean,
) {
  const organization = organizationId(slug)
  const attributes = groupAttributes(organization)
  const condition = filter === undefined ? sql`true` : renderFilter(parseFilter(filter), attributes)
  const order =
    sortBy === undefined ? [] : [renderOrder(parsePath(sortBy), sortOrder === 'descending', attributes)]
  const rows = sql`from public.groups g where g.organization_id = ${organization} and ${condition}`
  return {
    total: sql<{ total: number }>`select count(*) as total ${rows}`,
    page: sql<GroupRow>`
      select ${columns(organization, hasMembers)} ${rows}
       order by ${[...order, sql`g.id`].reduce((all, term) => sql`${all}, ${term}`)}
       limit ${count} offset ${startIndex - 1}`,
  }
}

const selectWhere = (slug: string, condition: Sql, hasMembers: boolean) => sql<GroupRow>`
  select ${columns(organizationId(slug), hasMembers)} from public.groups g
   where g.organization_id = ${organizationId(slug)} and ${condition}`

/** Selects a group. Returns no row if the organization does not have it. */
export const selectGroup = (slug: string, id: number, hasMembers: boolean) =>
  selectWhere(slug, sql`g.id = ${id}`, hasMembers)

/** The condition that a group `g` has a name. Names of groups are compared without case. */
const isNamed = (name: string): Sql => sql`lower(g.name) = lower(${name})`

/** Returns the statements that create a group with its members, and select it. */
export const createGroup = (
  ctx: RequestContext,
  slug: string,
  { displayName: name, externalId }: GroupBody,
  ids: readonly number[],
) => ({
  created: sql`
    insert into public.groups (organization_id, name, external_id, modified)
    values (${organizationId(slug)}, ${name}, ${externalId || null}, now())`,
  joined: sql`
    select public.join_scim_group(${requestOf(ctx, slug)}, g.id, ${ids}::bigint[])
      from public.groups g where g.organization_id = ${organizationId(slug)} and ${isNamed(name)}`,
  group: selectWhere(slug, isNamed(name), true),
})

/** Locks a group. Fails if the organization does not have it. */
export const requireGroup = (slug: string, id: number): Sql =>
  sql`select public.require_scim_group(${organizationId(slug)}, ${id})`

/** Returns the statement of a step that changes a group. Throws 400 for a wrong filter. */
export function statementOf(ctx: RequestContext, slug: string, id: number, step: Step): Sql {
  const organization = organizationId(slug)
  const leave = (ids: Sql) => sql`select public.leave_scim_group(${requestOf(ctx, slug)}, ${id}, ${ids})`
  const leaveWhere = (condition: Sql) =>
    leave(sql`array(select a.id ${membersIn(organization, sql`${id}`)} and ${condition})`)
  switch (step.kind) {
    case 'rename':
      return sql`update public.groups g set name = ${step.name}
                  where g.id = ${id} and g.organization_id = ${organization}`
    case 'identify':
      return sql`update public.groups g set external_id = ${step.externalId}
                  where g.id = ${id} and g.organization_id = ${organization}`
    case 'join':
      return sql`select public.join_scim_group(${requestOf(ctx, slug)}, ${id}, ${step.ids}::bigint[])`
    case 'leave':
      return leave(sql`${step.ids}::bigint[]`)
    case 'keep':
      return leaveWhere(sql`a.id <> all (${step.ids}::bigint[])`)
    case 'leaveWhere':
      return leaveWhere(renderFilter(step.filter, memberParts))
  }
}

/** Deletes a group, after its members have left it. They stay users. */
export const deleteGroup = (ctx: RequestContext, slug: string, id: number) => ({
  left: statementOf(ctx, slug, id, { kind: 'keep', ids: [] }),
  deleted: sql`
    delete from public.groups g where g.id = ${id} and g.organization_id = ${organizationId(slug)}`,
})
