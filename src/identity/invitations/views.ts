/** The JSON of an invitation: in full, in a list, and for anyone with the token. Spec: Invitation; I2. */
import type { Invitation, ListedInvitation, PublicInvitation } from './schema.ts'

/** An invitation as the statements of store.ts select it. */
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
}: ListedInvitation): ListedInvitation => ({
  id,
  uuid,
  organization,
  organization_name,
  invitee_identifier,
  invited_by,
  config,
  created,
})

/** Returns an invitation in full, for owners and admins. */
export const asInvitation = ({
  invited_by_user,
  invitee,
  invitee_user,
  ...listed
}: InvitationRow): Invitation => ({
  ...asListItem(listed),
  invited_by_user,
  invitee,
  invitee_user,
})

/** Returns the view for anyone with the token: without the inviter's id and UUID. I2. */
export function asPublic(row: InvitationRow): PublicInvitation {
  const { invited_by_user: inviter, ...view } = asInvitation(row)
  return {
    ...view,
    invited_by_user: inviter && {
      username: inviter.username,
      email: inviter.email,
      first_name: inviter.first_name,
      last_name: inviter.last_name,
    },
  }
}
