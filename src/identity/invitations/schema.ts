/** The bodies and query parameters of invitations. Spec: Invitation; I2–I4. */
import * as z from 'zod'
import { newPassword } from '../../kernel/access/password-rule.ts'
import { type ListForm, listQuery } from '../../kernel/http/lists/list.ts'
import { id, timestamp, uuid } from '../../kernel/http/openapi/bodies.ts'
import { booleanParam } from '../../kernel/http/params.ts'
import { messagesByField } from '../../kernel/http/validate.ts'
import { withReadOnly } from '../../kernel/http/with-read-only.ts'
import { permissions } from '../../kernel/permissions.ts'
import { roleNames } from '../organizations/sites/roles/schema.ts'
import { email, personName } from '../users/schema.ts'

/** The orderings and the search of the list of invitations. */
export const listForm = {
  orderings: ['created'],
  ordering: '-created',
  searched: "the invitee's e-mail address",
} as const satisfies ListForm

const permission = z.enum(permissions)

const config = z.strictObject({
  group: z
    .array(z.string().trim().min(1).max(100))
    .max(50)
    .default([])
    .describe('The names of the groups that the invitee joins.'),
  site: z
    .array(
      z.strictObject({
        slug: z.string().min(1).max(63).describe('The slug of the site.'),
        permissions: z
          .array(permission)
          .default([])
          .describe('The permissions that the invitee gets in the site.'),
        roles: roleNames.optional().describe('The roles that the invitee gets in the site.'),
      }),
    )
    .max(100)
    .default([])
    .describe('The sites in which the invitee gets permissions and roles.'),
})
/** The groups, permissions and roles that an invitation grants. */
export type InvitationConfig = z.infer<typeof config>

/** Reports all errors under the name `invitation_config`, each with the path of the member at fault. I4. */
const wholeConfig = z
  .unknown()
  .transform((value, refinement) => {
    const parsed = config.safeParse(value)
    if (parsed.success) return withoutDuplicates(parsed.data)
    for (const [path, messages] of Object.entries(messagesByField(parsed.error.issues)))
      for (const message of messages) refinement.addIssue({ code: 'custom', message: `${path}: ${message}` })
    return z.NEVER
  })
  .meta(z.toJSONSchema(config, { io: 'input' }) as Record<string, unknown>)

/** Returns each group, site, permission and role once. */
function withoutDuplicates({ group, site }: InvitationConfig): InvitationConfig {
  const sites = Map.groupBy(site, ({ slug }) => slug)
  return {
    group: [...new Set(group)],
    site: [...sites].map(([slug, entries]) => {
      const roles = [...new Set(entries.flatMap(({ roles = [] }) => roles))]
      return {
        slug,
        permissions: [...new Set(entries.flatMap(({ permissions }) => permissions))],
        ...(roles.length > 0 ? { roles } : {}),
      }
    }),
  }
}

/** The query parameters of the list of invitations. */
export const invitationsQuery = listQuery(listForm, {
  invitee__is_active: booleanParam
    .optional()
    .meta({ description: '`false` lists pending invitations, `true` accepted ones.' }),
})
export type InvitationsQuery = z.infer<typeof invitationsQuery>

const person = z.object({
  id: id.describe('The id of the account.'),
  uuid: uuid.describe('The UUID of the account.'),
  username: z.string().describe('The username.'),
  email: z.string().describe('The e-mail address.'),
  first_name: z.string().describe('The first name.'),
  last_name: z.string().describe('The last name.'),
})

/** An invitation in full, in an answer. */
export const invitation = z
  .object({
    id: id.describe('The id of the invitation.'),
    uuid: uuid.describe('The UUID of the invitation. It is also the token of its link.'),
    organization: id.describe('The id of the organization.'),
    organization_name: z.string().describe('The name of the organization.'),
    invitee_identifier: z.string().describe('The e-mail address of the invitee.'),
    invited_by: id.nullable().describe('The id of the inviter. Null if that account was deleted.'),
    invited_by_user: person.nullable().describe('The inviter. Null if that account was deleted.'),
    invitee: id.nullable().describe('The id of the invitee. Null if that account was deleted.'),
    invitee_user: person.nullable().describe('The invitee. Null if that account was deleted.'),
    config: z
      .object({
        group: z.array(z.string()).describe('The names of the groups that the invitee joins.'),
        site: z
          .array(
            z.object({
              slug: z.string().describe('The slug of the site.'),
              permissions: z.array(permission).describe('The permissions that the invitee gets in the site.'),
              roles: z
                .array(z.string())
                .optional()
                .describe('The roles that the invitee gets in the site. Omitted: none.'),
            }),
          )
          .describe('The sites in which the invitee gets permissions and roles.'),
      })
      .describe('The groups, permissions and roles that the invitee gets.'),
    created: timestamp.describe('The time of creation.'),
  })
  .meta({ id: 'Invitation', description: 'An invitation to an organization.' })
export type Invitation = z.infer<typeof invitation>

/** An invitation that was just made. */
export const createdInvitation = invitation
  .extend({
    replaced: z
      .literal(true)
      .optional()
      .describe('The invitation replaces a pending one of the same address. Omitted otherwise.'),
  })
  .meta({ id: 'CreatedInvitation', description: 'An invitation that was just made.' })
export type CreatedInvitation = z.infer<typeof createdInvitation>

/**
 * The body that creates an invitation. It rejects the member `config` of answers, because an invitation
 * without it would grant nothing.
 */
export const newInvitation = withReadOnly(
  {
    invitee_identifier: email,
    invitation_config: wholeConfig
      .prefault({})
      .describe('The groups, permissions and roles that the invitee gets.'),
  },
  createdInvitation.omit({ config: true }),
)
export type NewInvitation = z.infer<typeof newInvitation>

/** An invitation as anyone with its token sees it. I2. */
export const publicInvitation = invitation
  .extend({
    invited_by_user: person
      .omit({ id: true, uuid: true })
      .nullable()
      .describe('The inviter. Null if that account was deleted.'),
  })
  .meta({ id: 'PublicInvitation', description: 'An invitation as anyone with its token sees it.' })
export type PublicInvitation = z.infer<typeof publicInvitation>

export const listedInvitation = invitation
  .pick({
    id: true,
    uuid: true,
    organization: true,
    organization_name: true,
    invitee_identifier: true,
    invited_by: true,
    config: true,
    created: true,
  })
  .meta({ id: 'InvitationListItem', description: 'An invitation in a list.' })
export type ListedInvitation = z.infer<typeof listedInvitation>

const name = personName.regex(/[\p{L}\p{N}]/u, 'This field is required.')

/** The body that accepts an invitation. */
export const acceptance = z.strictObject({
  password: newPassword.describe('The password that the account gets.'),
  first_name: name.describe('The first name.'),
  last_name: name.describe('The last name.'),
  code: z
    .string()
    .max(100)
    .optional()
    .meta({ description: 'The code from the link in the email. It proves that the account is yours.' }),
})
export type Acceptance = z.infer<typeof acceptance>

/** The answer to an accepted invitation. */
export const accepted = z
  .object({
    success: z.literal(true).describe('The invitation is accepted.'),
    message: z.string().describe('A message to show to people.'),
    user: z
      .object({
        id: id.describe('The id of the account.'),
        email: z.string().describe('The e-mail address.'),
        first_name: z.string().describe('The first name.'),
        last_name: z.string().describe('The last name.'),
      })
      .describe('The account.'),
    organization: z
      .object({
        id: id.describe('The id of the organization.'),
        slug: z.string().describe('The slug.'),
        name: z.string().describe('The name.'),
      })
      .describe('The organization.'),
  })
  .meta({ id: 'AcceptedInvitation', description: 'The account and the organization that it has joined.' })
export type Accepted = z.infer<typeof accepted>

/** The answer to a resent invitation. */
export const resent = z
  .object({
    status: z.literal('success').describe('The e-mail is being sent again.'),
    message: z.string().describe('A message to show to people.'),
  })
  .meta({ id: 'ResentInvitation', description: 'The e-mail is being sent again.' })
export type Resent = z.infer<typeof resent>

/** The 400 if there is no invitation to send again. */
export const nothingPending = z
  .object({ user_id: z.string().describe('The reason.') })
  .meta({ id: 'NoPendingInvitation', description: 'The user has no pending invitation.' })
