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
  group: z.array(z.string().trim().min(1).max(100)).max(50).default([]),
  site: z
    .array(z.strictObject({ slug: z.string().min(1).max(63), permissions: z.array(permission) }))
    .max(100)
    .default([]),
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

const person = z.object({ id, uuid, username: z.string(), email: z.string(), first_name: z.string(), last_name: z.string() })

export const invitation = z
  .object({
    id,
    uuid,
    organization: id,
    organization_name: z.string(),
    invitee_identifier: z.string(),
    invited_by: id.nullable(),
    invited_by_user: person.nullable(),
    invitee: id.nullable(),
    invitee_user: person.nullable(),
    config: z.object({ group: z.array(z.string()), site: z.array(z.object({ slug: z.string(), permissions: z.array(permission) })) }),
    created: timestamp,
  })
  .meta({ id: 'Invitation' })
export type Invitation = z.infer<typeof invitation>

/** The `config` of the answer is refused: ignoring it would make an invitation without what it says. */
export const invitationInput = returnable(
  { invitee_identifier: email, invitation_config: wholeConfig.prefault({}) },
  invitation.omit({ config: true }),
)
export type InvitationInput = z.infer<typeof invitationInput>

export const publicInvitation = invitation
  .extend({ invited_by_user: person.omit({ id: true, uuid: true }).nullable() })
  .meta({ id: 'PublicInvitation' })
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
  .meta({ id: 'InvitationListItem' })
export type ListedInvitation = z.infer<typeof listedInvitation>

const name = personName.regex(/[\p{L}\p{N}]/u, 'This field is required.')

export const acceptance = z.strictObject({
  password: newPassword,
  first_name: name,
  last_name: name,
  code: z.string().max(100).optional().meta({ description: 'Of the link in the letter: it shows that the account is the caller’s.' }),
})
export type Acceptance = z.infer<typeof acceptance>

export const accepted = z
  .object({
    success: z.literal(true),
    message: z.string(),
    user: z.object({ id, email: z.string(), first_name: z.string(), last_name: z.string() }),
    organization: z.object({ id, slug: z.string(), name: z.string() }),
  })
  .meta({ id: 'AcceptedInvitation' })
export type Accepted = z.infer<typeof accepted>

export const resent = z.object({ status: z.literal('success'), message: z.string() }).meta({ id: 'ResentInvitation' })
export type Resent = z.infer<typeof resent>

export const nothingPending = z.object({ user_id: z.string() }).meta({ id: 'NoPendingInvitation' })
