import { z } from 'zod'
import { listQuery } from '../../http/lists/list.ts'
import { id, timestamp, uuid } from '../../http/openapi/bodies.ts'
import { returnable } from '../../http/returnable.ts'
import { anyMember } from '../roles.ts'
import { list } from './store.ts'

const role = z.enum(anyMember)

export const member = z
  .object({
    user: z.object({
      id,
      uuid,
      username: z.string(),
      email: z.string(),
      first_name: z.string(),
      last_name: z.string(),
      is_active: z.boolean(),
      full_name: z.string(),
    }),
    role,
    groups: z.array(z.string()).meta({ description: 'Names of groups.' }),
    joined: timestamp,
  })
  .meta({ id: 'Member' })
export type Member = z.infer<typeof member>

export const memberInput = returnable({ role }, member)
export type MemberInput = z.infer<typeof memberInput>

export const membersQuery = listQuery(list, {})
export type MembersQuery = z.infer<typeof membersQuery>
