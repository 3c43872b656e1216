/** The JSON of a member. T6. */
import { fullName } from '../../../kernel/lib/full-name.ts'
import type { Member } from './schema.ts'

/** A member as the statements of store.ts select it: flat, and without the full name. */
export type MemberRow = Omit<Member['user'], 'full_name'> & Omit<Member, 'user'>

/** Returns the member as clients see it. */
export const asMember = ({ role, groups, joined, ...user }: MemberRow): Member => ({
  user: { ...user, full_name: fullName(user) },
  role,
  groups,
  joined,
})
