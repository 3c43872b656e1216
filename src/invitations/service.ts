/** Asking people to join an organization. Spec: Invitation; I1–I6. How they accept: accept.ts. */
import { throttleAccount } from '../access/throttle.ts'
import type { RequestContext } from '../context.ts'
import { inOrganization, signedIn } from '../db/tenant.ts'
import { found } from '../errors.ts'
import { beforeUserCreate } from '../events/accounts/service.ts'
import { type Page, pageOf } from '../http/lists/envelopes.ts'
import { soon } from '../mail/service.ts'
import { managers } from '../organizations/service.ts'
import { memberAlready, noPendingInvitation, refuseGone } from './errors.ts'
import { queueInvitation } from './letters.ts'
import type { Invitation, InvitationInput, InvitationsQuery, ListedInvitation, Resent } from './schema.ts'
import * as store from './store.ts'
import { asInvitation, asListItem } from './views.ts'

/**
 * One round trip; two where an account has to be made for the address and functions are subscribed to PRE_USER_CREATE: they
 * run before it is written, and where one fails neither it nor the invitation is. E2.
 */
export async function createInvitation(ctx: RequestContext, organization: string, input: InvitationInput): Promise<Invitation> {
  const { invitee_identifier: email, invitation_config: config } = input
  const { userId: callerId } = signedIn(ctx)
  const wanted: store.NewInvitation = { uuid: crypto.randomUUID(), organization, callerId, email, config }
  await throttleAccount(ctx, `letters to ${email}`)
  const invite = async (username: string | null) => {
    const { invited, invitation, inviter } = await inOrganization(ctx, organization, managers, {
      invited: store.invite(wanted, ctx.tenant, username),
      invitation: store.selectInvitation(organization, wanted.uuid),
      inviter: store.selectInviter(callerId),
    })
    return { invited: invited.one, row: invitation.first, inviter: inviter.one }
  }
  let made = await invite(null)
  if (made.invited.outcome === 'asks') {
    const { username, listeners } = made.invited
    await beforeUserCreate(ctx, listeners, { username, email, first_name: '', last_name: '' }, made.inviter)
    made = await invite(username)
  }
  if (!made.row) throw memberAlready()
  soon(ctx, queueInvitation(ctx.env, { id: made.row.id, mailVersion: 1 }))
  return asInvitation(made.row)
}

export async function listInvitations(
  ctx: RequestContext,
  organization: string,
  url: string,
  query: InvitationsQuery,
): Promise<Page<ListedInvitation>> {
  const answers = await inOrganization(ctx, organization, managers, store.selectInvitations(organization, query))
  return pageOf(answers, url, store.list, query, asListItem)
}

export async function readInvitation(ctx: RequestContext, organization: string, uuid: string): Promise<Invitation> {
  const { invitation } = await inOrganization(ctx, organization, managers, { invitation: store.selectInvitation(organization, uuid) })
  return asInvitation(found(invitation.first))
}

export async function cancelInvitation(ctx: RequestContext, organization: string, uuid: string): Promise<void> {
  await inOrganization(ctx, organization, managers, { cancelled: store.cancelInvitation(uuid, organization) }).catch(refuseGone)
}

/** Of the newest that the invitee has not accepted. I3. */
export async function resendInvitation(ctx: RequestContext, organization: string, inviteeId: number): Promise<Resent> {
  await throttleAccount(ctx, `letters to user ${inviteeId}`)
  const { letter } = await inOrganization(ctx, organization, managers, { letter: store.wantLetter(organization, inviteeId) })
  if (!letter.first) throw noPendingInvitation()
  soon(ctx, queueInvitation(ctx.env, letter.first))
  return { status: 'success', message: 'The invitation is sent again.' }
}
