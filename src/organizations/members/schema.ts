import { z } from 'zod'
import { listQuery } from '../../http/lists/list.ts'
import { id, timestamp, uuid } from '../../http/openapi/bodies.ts'
import { returnable } from '../../http/returnable.ts'
import { anyMember } from '../roles.ts'
import { list } from './store.ts'

const role = z.enum(anyMember)

export const member = z
  .object({
    user: z
      .object({
        id: id.describe('The id of the account.'),
        uuid: uuid.describe('The UUID of the account.'),
        username: z.string().describe('The user name.'),
        email: z.string().describe('The e-mail address.'),
        first_name: z.string().describe('The first name.'),
        last_name: z.string().describe('The last name.'),
        is_active: z.boolean().describe('Whether the account can sign in.'),
        full_name: z.string().describe('First and last name.'),
      })
      .describe('The account.'),
    role: role.describe('What the member may do in the organization.'),
    groups: z.array(z.string()).meta({ description: 'Names of groups.' }),
    joined: timestamp.describe('When the account became a member.'),
  })
  .meta({ id: 'Member', description: 'A member of an organization.' })
export type Member = z.infer<typeof member>

export const memberInput = returnable({ role }, member)
export type MemberInput = z.infer<typeof memberInput>

export const membersQuery = listQuery(list, {})
export type MembersQuery = z.infer<typeof membersQuery>
