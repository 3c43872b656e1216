/** Invitations on the wire. Spec: Invitation; I2–I4. */
import { z } from 'zod'
import { newPassword } from '../access/password-rule.ts'
import { permissions } from '../access/permissions.ts'
import { listQuery } from '../http/lists/list.ts'
import { id, timestamp, uuid } from '../http/openapi/bodies.ts'
import { flag } from '../http/params.ts'
import { returnable } from '../http/returnable.ts'
import { messagesByField } from '../http/validate.ts'
import { email, personName } from '../users/schema.ts'
import { list } from './store.ts'

const permission = z.enum(permissions)

const config = z.strictObject({
  group: z.array(z.string().trim().min(1).max(100)).max(50).default([]).describe('Names of the groups that the invitee joins.'),
  site: z
    .array(
      z.strictObject({
        slug: z.string().min(1).max(63).describe('The slug of the site.'),
        permissions: z.array(permission).describe('What the invitee may do there.'),
      }),
    )
    .max(100)
    .default([])
    .describe('Permissions in sites.'),
})
export type InvitationConfig = z.infer<typeof config>

/** All that is wrong with it stands under its own name, each with its place in it. I4. */
const wholeConfig = z
  .unknown()
  .transform((said, refinement) => {
    const parsed = config.safeParse(said)
    if (parsed.success) return tidied(parsed.data)
    for (const [place, messages] of Object.entries(messagesByField(parsed.error.issues)))
      for (const message of messages) refinement.addIssue({ code: 'custom', message: `${place}: ${message}` })
    return z.NEVER
  })
  .meta(z.toJSONSchema(config, { io: 'input' }) as Record<string, unknown>)

/** Each group, site and permission once. */
function tidied({ group, site }: InvitationConfig): InvitationConfig {
  const sites = Map.groupBy(site, ({ slug }) => slug)
  return {
    group: [...new Set(group)],
    site: [...sites].map(([slug, said]) => ({ slug, permissions: [...new Set(said.flatMap((one) => one.permissions))] })),
  }
}

export const invitationsQuery = listQuery(list, {
  invitee__is_active: flag.optional().meta({ description: '`false` shows the pending ones, `true` the accepted ones.' }),
})
export type InvitationsQuery = z.infer<typeof invitationsQuery>

const person = z.object({
  id: id.describe('The id of the account.'),
  uuid: uuid.describe('The UUID of the account.'),
  username: z.string().describe('The user name.'),
  email: z.string().describe('The e-mail address.'),
  first_name: z.string().describe('The first name.'),
  last_name: z.string().describe('The last name.'),
})

export const invitation = z
  .object({
    id: id.describe('The id of the invitation.'),
    uuid: uuid.describe('The UUID of the invitation: the token of its link.'),
    organization: id.describe('The id of the organization.'),
    organization_name: z.string().describe('The name of the organization.'),
    invitee_identifier: z.string().describe('The e-mail address of the invitee.'),
    invited_by: id.nullable().describe('The id of the account that invited; null: it is gone.'),
    invited_by_user: person.nullable().describe('Who invited; null: the account is gone.'),
    invitee: id.nullable().describe('The id of the account of the invitee; null: it is gone.'),
    invitee_user: person.nullable().describe('The account of the invitee; null: it is gone.'),
    config: z
      .object({
        group: z.array(z.string()).describe('Names of the groups that the invitee joins.'),
        site: z
          .array(
            z.object({
              slug: z.string().describe('The slug of the site.'),
              permissions: z.array(permission).describe('What the invitee may do there.'),
            }),
          )
          .describe('Permissions in sites.'),
      })
      .describe('What the invitee gets.'),
    created: timestamp.describe('When the invitation was made.'),
  })
  .meta({ id: 'Invitation', description: 'An invitation to an organization.' })
export type Invitation = z.infer<typeof invitation>

/** The `config` of the answer is refused: ignoring it would make an invitation without what it says. */
export const invitationInput = returnable(
  { invitee_identifier: email, invitation_config: wholeConfig.prefault({}).describe('What the invitee gets.') },
  invitation.omit({ config: true }),
)
export type InvitationInput = z.infer<typeof invitationInput>

export const publicInvitation = invitation
  .extend({ invited_by_user: person.omit({ id: true, uuid: true }).nullable().describe('Who invited; null: the account is gone.') })
  .meta({ id: 'PublicInvitation', description: 'An invitation, as everybody who has its token sees it.' })
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

export const acceptance = z.strictObject({
  password: newPassword.describe('The password of the account.'),
  first_name: name.describe('The first name.'),
  last_name: name.describe('The last name.'),
  code: z.string().max(100).optional().meta({ description: 'Of the link in the letter: it shows that the account is the caller’s.' }),
})
export type Acceptance = z.infer<typeof acceptance>

export const accepted = z
  .object({
    success: z.literal(true).describe('The invitation is accepted.'),
    message: z.string().describe('The same in a sentence.'),
    user: z
      .object({
        id: id.describe('The id of the account.'),
        email: z.string().describe('The e-mail address.'),
        first_name: z.string().describe('The first name.'),
        last_name: z.string().describe('The last name.'),
      })
      .describe('The account.'),
    organization: z
      .object({ id: id.describe('The id of the organization.'), slug: z.string().describe('The slug.'), name: z.string().describe('The name.') })
      .describe('The organization.'),
  })
  .meta({ id: 'AcceptedInvitation', description: 'What became of an accepted invitation.' })
export type Accepted = z.infer<typeof accepted>

export const resent = z
  .object({ status: z.literal('success').describe('The letter is sent again.'), message: z.string().describe('The same in a sentence.') })
  .meta({ id: 'ResentInvitation', description: 'The letter is sent again.' })
export type Resent = z.infer<typeof resent>

export const nothingPending = z
  .object({ user_id: z.string().describe('Why there is no letter to send.') })
  .meta({ id: 'NoPendingInvitation', description: 'There is no pending invitation.' })
