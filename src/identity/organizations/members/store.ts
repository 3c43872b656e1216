/** The statements on public.memberships. */

import type { users } from '../../../../drizzle/platform/accounts.ts'
import type { memberships } from '../../../../drizzle/platform/organizations.ts'
import { columnsOf, computed, of } from '../../../kernel/db/columns.ts'
import { type Sql, sql } from '../../../kernel/db/sql.ts'
import { type List, type ListQuery, selectPage } from '../../../kernel/http/lists/list.ts'
import { organizationId } from '../store.ts'
import { listForm } from './schema.ts'
import type { MemberRow } from './views.ts'

const u = of<typeof users>('u')
const m = of<typeof memberships>('m')

const columns = columnsOf(
  u('id', 'uuid', 'username'),
  computed<Pick<MemberRow, 'email'>>({ email: sql`public.shown_address(u.email)` }),
  u('first_name', 'last_name', 'is_active'),
  m('role'),
  m.times('joined'),
  computed<Pick<MemberRow, 'groups'>>({
    groups: sql`coalesce((select json_agg(g.name order by g.name)
              from public.group_members x join public.groups g on g.id = x.group_id
             where x.user_id = u.id and g.organization_id = m.organization_id), '[]')`,
  }),
)

const from = sql`public.memberships m join public.users u on u.id = m.user_id`
const belongsTo = (organization: string) => sql`m.organization_id = ${organizationId(organization)}`

export const list: List<typeof listForm> = {
  ...listForm,
  columns: {
    joined: sql`m.joined`,
    role: sql`m.role`,
    username: sql`u.username`,
    email: sql`u.email`,
    first_name: sql`u.first_name`,
    last_name: sql`u.last_name`,
  },
  last: sql`u.id`,
  texts: [sql`u.username`, sql`public.shown_address(u.email)`, sql`u.first_name`, sql`u.last_name`],
}

/** Selects a page of an organization's members. */
export const selectMembers = (organization: string, query: ListQuery) =>
  selectPage(list, query, { columns, from, where: [belongsTo(organization)] })

/** Selects a member by the id of the user. No row if the user is not a member. */
export const selectMember = (organization: string, userId: number) => sql`
  select ${columns} from ${from} where ${belongsTo(organization)} and u.id = ${userId}`

/** A member, and the user who changes or removes it. */
interface MemberOf {
  organization: string
  callerId: number
  userId: number
}

/** Fails if there is no such member, if the caller may not change it, or if no owner would remain. */
export const changeRole = ({ organization, callerId, userId }: MemberOf, role: string): Sql => sql`
  select public.change_role(${organizationId(organization)}, ${callerId}, ${userId}, ${role})`

/**
 * Removes a member with its groups and its permissions in the organization's sites. Fails if there is no such
 * member, if the caller may not remove it, or if no owner would remain.
 */
export const removeMember = ({ organization, callerId, userId }: MemberOf): Sql => sql`
  select public.remove_member(${organizationId(organization)}, ${callerId}, ${userId})`
