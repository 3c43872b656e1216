import { moment } from '../../db/moment.ts'
import { type Sql, sql } from '../../db/sql.ts'
import { organizationId } from '../store.ts'

const columns = sql`
  u.id, u.uuid, u.username, u.email, u.first_name, u.last_name, u.is_active, m.role, ${moment(sql`m.joined`)} as joined,
  coalesce((select json_agg(g.name order by g.name)
              from public.group_members x join public.groups g on g.id = x.group_id
             where x.user_id = u.id and g.organization_id = m.organization_id), '[]') as groups`

const from = (organization: string) => sql`
  from public.memberships m join public.users u on u.id = m.user_id where m.organization_id = ${organizationId(organization)}`

export const countMembers = (organization: string): Sql => sql`select count(*) as count ${from(organization)}`

export const selectMembers = (organization: string, limit: number, offset: number): Sql => sql`
  select ${columns} ${from(organization)} order by m.joined, u.id limit ${limit} offset ${offset}`

export const selectMember = (organization: string, userId: number): Sql => sql`select ${columns} ${from(organization)} and u.id = ${userId}`

export const changeRole = (organization: string, callerId: number, userId: number, role: string): Sql => sql`
  select public.change_role(${organizationId(organization)}, ${callerId}, ${userId}, ${role})`

export const removeMember = (organization: string, callerId: number, userId: number): Sql => sql`
  select public.remove_member(${organizationId(organization)}, ${callerId}, ${userId})`
