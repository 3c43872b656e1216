import { moment } from '../../db/moment.ts'
import { type Sql, sql } from '../../db/sql.ts'
import { type List, type ListQuery, selectPage } from '../../http/lists/list.ts'
import { organizationId } from '../store.ts'
import type { MemberRow } from './views.ts'

const columns = sql`
  u.id, u.uuid, u.username, u.email, u.first_name, u.last_name, u.is_active, m.role, ${moment(sql`m.joined`)} as joined,
  coalesce((select json_agg(g.name order by g.name)
              from public.group_members x join public.groups g on g.id = x.group_id
             where x.user_id = u.id and g.organization_id = m.organization_id), '[]') as groups`

const from = sql`public.memberships m join public.users u on u.id = m.user_id`
const of = (organization: string) => sql`m.organization_id = ${organizationId(organization)}`

export const list: List = {
  orderings: new Map([
    ['joined', sql`m.joined`],
    ['role', sql`m.role`],
    ['username', sql`u.username`],
    ['email', sql`u.email`],
    ['first_name', sql`u.first_name`],
    ['last_name', sql`u.last_name`],
  ]),
  ordering: 'joined',
  last: sql`u.id`,
  search: { texts: [sql`u.username`, sql`u.email`, sql`u.first_name`, sql`u.last_name`], in: 'the user name, the e-mail or the names' },
}

export const selectMembers = (organization: string, query: ListQuery) =>
  selectPage<MemberRow>(list, query, { columns, from, where: [of(organization)] })

export const selectMember = (organization: string, userId: number) => sql<MemberRow>`
  select ${columns} from ${from} where ${of(organization)} and u.id = ${userId}`

export const changeRole = (organization: string, callerId: number, userId: number, role: string): Sql => sql`
  select public.change_role(${organizationId(organization)}, ${callerId}, ${userId}, ${role})`

export const removeMember = (organization: string, callerId: number, userId: number): Sql => sql`
  select public.remove_member(${organizationId(organization)}, ${callerId}, ${userId})`
