/** What clients see of a member. T6. */
import { fullName } from '../../lib/full-name.ts'

export interface MemberRow {
  id: number
  uuid: string
  username: string
  email: string
  first_name: string
  last_name: string
  is_active: boolean
  role: string
  groups: string[]
  joined: string
}

export const asMember = ({ role, groups, joined, ...user }: MemberRow) => ({
  user: { ...user, full_name: fullName(user) },
  role,
  groups,
  joined,
})
