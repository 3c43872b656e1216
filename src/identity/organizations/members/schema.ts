/** The bodies and query parameters of members. T6. */
import * as z from 'zod'
import { type ListForm, listQuery } from '../../../kernel/http/lists/list.ts'
import { id, timestamp, uuid } from '../../../kernel/http/openapi/bodies.ts'
import { withFixed } from '../../../kernel/http/with-read-only.ts'
import { anyMember } from '../roles.ts'

/** The orderings and the search of the list of members. */
export const listForm = {
  orderings: ['joined', 'role', 'username', 'email', 'first_name', 'last_name'],
  ordering: 'joined',
  searched: 'the username, the e-mail address or the names',
} as const satisfies ListForm

const role = z.enum(anyMember)

/** A member in an answer. */
export const member = z
  .object({
    user: z
      .object({
        id: id.describe('The id of the account.'),
        uuid: uuid.describe('The UUID of the account.'),
        username: z.string().describe('The username.'),
        email: z.string().describe('The e-mail address.'),
        first_name: z.string().describe('The first name.'),
        last_name: z.string().describe('The last name.'),
        is_active: z.boolean().describe('Whether the account can sign in.'),
        full_name: z.string().describe('The first and the last name.'),
      })
      .describe('The account.'),
    role: role.describe('The role, which says what the member may do in the organization.'),
    groups: z.array(z.string()).meta({ description: 'The names of the groups that the member is in.' }),
    joined: timestamp.describe('The time at which the account became a member.'),
  })
  .meta({ id: 'Member', description: 'A member of an organization: an account with a role.' })
export type Member = z.infer<typeof member>

/** The body that changes a role. */
export const memberChange = withFixed({ groups: 'Change the members of the groups.' }, { role }, member)
export type MemberChange = z.infer<typeof memberChange>

/** The query parameters of the list of members. */
export const membersQuery = listQuery(listForm, {})
export type MembersQuery = z.infer<typeof membersQuery>
