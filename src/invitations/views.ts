/** What clients see of an invitation. Spec: Invitation; I2. */
import type { Invitation, ListedInvitation, PublicInvitation } from './schema.ts'

export type InvitationRow = Invitation

export const asListItem = ({
  id,
  uuid,
  organization,
  organization_name,
  invitee_identifier,
  invited_by,
  config,
  created,
}: ListedInvitation): ListedInvitation => ({ id, uuid, organization, organization_name, invitee_identifier, invited_by, config, created })

export const asInvitation = ({ invited_by_user, invitee, invitee_user, ...listed }: InvitationRow): Invitation => ({
  ...asListItem(listed),
  invited_by_user,
  invitee,
  invitee_user,
})

export function asPublic(row: InvitationRow): PublicInvitation {
  const { invited_by_user: inviter, ...view } = asInvitation(row)
  return {
    ...view,
    invited_by_user: inviter && { username: inviter.username, email: inviter.email, first_name: inviter.first_name, last_name: inviter.last_name },
  }
}
