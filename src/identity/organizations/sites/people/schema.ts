/** The bodies and query parameters of the people of a site. X2. */
import * as z from 'zod'
import { type ListForm, listQuery } from '../../../../kernel/http/lists/list.ts'
import { id, timestamp } from '../../../../kernel/http/openapi/bodies.ts'
import { permissions } from '../../../../kernel/permissions.ts'
import { anyMember } from '../../roles.ts'

/** The orderings and the search of the list. */
export const listForm = {
  orderings: ['since', 'kind', 'username'],
  ordering: 'since',
  searched: 'the username, the e-mail address or the names',
} as const satisfies ListForm

/** What a person can do to come to a site. X2. */
const acts = ['sign_up', 'invitation', 'directory', 'provider'] as const
export type Act = (typeof acts)[number]

const kinds = ['member', 'permission', 'sign_up', 'provider', 'role', 'visit'] as const

/** A person of a site in an answer. */
export const person = z
  .object({
    user: id.describe('The id of the account.'),
    username: z
      .string()
      .nullable()
      .describe(
        'The username. Null for an account that has never used the site, nor a part of the organization.',
      ),
    email: z.string().nullable().describe('The e-mail address; null as the username.'),
    full_name: z.string().nullable().describe('The first and the last name; null as the username.'),
    kind: z
      .enum(kinds)
      .describe(
        'What makes it a person of the site, of which the first applies: a `member` of the organization, ' +
          'a `permission` in the site, a `sign_up` there or joining it, a `provider` of the site, a `role` ' +
          'in the site, or only a `visit`.',
      ),
    joined_by: z
      .enum(acts)
      .nullable()
      .describe(
        'The act by which the person came: a `sign_up` at the site or joining it, an `invitation` to the ' +
          'organization, a `directory` of it, or a `provider` of the site. Null: none is known, for ' +
          'example because a manager made the account.',
      ),
    role: z
      .enum(anyMember)
      .nullable()
      .describe('The role in the organization; null for others than members.'),
    permissions: z.array(z.enum(permissions)).describe('The permissions that were granted in the site.'),
    roles: z.array(z.string()).describe('The roles in the site, also those of groups.'),
    since: timestamp.nullable().describe('When it became a person of the site, as far as it is known.'),
    blocked: z.boolean().describe('Whether the site keeps the person out: access rules treat it as nobody.'),
  })
  .meta({ id: 'Person', description: 'An account that belongs to a site, or has used its data.' })
export type Person = z.infer<typeof person>

/** The query parameters of the list. */
export const peopleQuery = listQuery(listForm, {
  kind: z.enum(kinds).optional().meta({ description: 'Only people of this kind.' }),
})
/** The parsed query parameters of the list. */
export type PeopleQuery = z.infer<typeof peopleQuery>

/** The body that keeps a person out of a site, or no longer. */
export const personChange = z.strictObject({
  blocked: z
    .boolean()
    .describe('`true` keeps the person out; `false` ends that. Either ends a sign-up and roles.'),
})
