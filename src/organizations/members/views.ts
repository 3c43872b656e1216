/** What clients see of a member. T6. */
import { fullName } from '../../lib/full-name.ts'
import type { Member } from './schema.ts'

export type MemberRow = Omit<Member['user'], 'full_name'> & Omit<Member, 'user'>

export const asMember = ({ role, groups, joined, ...user }: MemberRow): Member => ({
  user: { ...user, full_name: fullName(user) },
  role,
  groups,
  joined,
})
