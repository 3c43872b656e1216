/**
 * Invitations to an organization: creating, listing, reading, cancelling and resending them. Spec:
 * Invitation; I1–I6.
 */
import { throttleAccount } from '../../kernel/access/throttle.ts'
import type { RequestContext } from '../../kernel/context.ts'
import { requireCaller } from '../../kernel/db/entering.ts'
import { inOrganization } from '../../kernel/db/platform.ts'
import { found, partNotFound } from '../../kernel/errors.ts'
import { type Page, pageOf } from '../../kernel/http/lists/envelopes.ts'
import { runPreUserCreate } from '../../runtime/events/accounts/service.ts'
import { finishInBackground } from '../mail/service.ts'
import { asRoleError, managers, requireRolesOf } from '../organizations/service.ts'
import { queueInvitation } from './emails.ts'
import { alreadyMember, noPendingInvitation, rejectGone } from './errors.ts'
import type {
  CreatedInvitation,
  Invitation,
  InvitationsQuery,
  ListedInvitation,
  NewInvitation,
  Resent,
} from './schema.ts'
import * as store from './store.ts'
import { asInvitation, asListItem } from './views.ts'

export { queueInvitation } from './emails.ts'

/**
 * Invites an e-mail address, and replaces a pending invitation of it. An address without an account gets
 * an inactive one. If functions subscribe to PRE_USER_CREATE, they run first, which takes two round trips
 * instead of one. If one fails, neither the account nor the invitation is saved. E2, I8. Throws 400 if the
 * invitee is a member or a site lacks a role, 403 if the caller is not an owner or admin, 404 if the
 * organization does not exist.
 */
export async function createInvitation(
  ctx: RequestContext,
  organization: string,
  input: NewInvitation,
): Promise<CreatedInvitation> {
  const { invitee_identifier: email, invitation_config: config } = input
  const { userId: callerId } = requireCaller(ctx)
  const uuid = crypto.randomUUID()
  const invitation: store.InvitationToCreate = { uuid, organization, callerId, email, config }
  // By caller: others must not be able to use up the limit of an organization, or of the address.
  await throttleAccount(ctx, `invitations to ${email} by ${callerId}`)
  const invite = async (username: string | null) => {
    const { result, created, inviter } = await inOrganization(ctx, organization, managers, {
      known: requireRolesOf(organization, config.site),
      result: store.invite(invitation, ctx.tenant, username),
      created: store.selectInvitation(organization, uuid),
      inviter: store.selectInviter(callerId),
    }).catch((error: unknown) => {
      throw asRoleError(error, 'invitation_config')
    })
    return { result: result.one, row: created.first, inviter: inviter.one }
  }
  let answer = await invite(null)
  if (answer.result.outcome === 'asks') {
    const { username, listeners } = answer.result
    const account = { username, email, first_name: '', last_name: '', phase: 'invited' } as const
    await runPreUserCreate(ctx, listeners, account, answer.inviter)
    answer = await invite(username)
  }
  if (!answer.row || answer.result.outcome !== 'made') throw alreadyMember()
  finishInBackground(
    ctx,
    queueInvitation(ctx.env, { id: answer.row.id, mailVersion: 1 }, ctx.client.language),
  )
  return { ...asInvitation(answer.row), ...(answer.result.is_replaced ? { replaced: true } : {}) }
}

/** Returns a page of an organization's invitations, for its owners and admins. */
export async function listInvitations(
  ctx: RequestContext,
  organization: string,
  url: string,
  query: InvitationsQuery,
): Promise<Page<ListedInvitation>> {
  const answers = await inOrganization(
    ctx,
    organization,
    managers,
    store.selectInvitations(organization, query),
  )
  return pageOf(answers, url, store.list, query, asListItem)
}

/** Returns an invitation, for owners and admins. Throws 404 if the organization does not have it. */
export async function readInvitation(
  ctx: RequestContext,
  organization: string,
  uuid: string,
): Promise<Invitation> {
  const { invitation } = await inOrganization(ctx, organization, managers, {
    invitation: store.selectInvitation(organization, uuid),
  })
  return asInvitation(
    found(invitation.first, () => partNotFound('invitation', uuid, ` in the organization "${organization}"`)),
  )
}

/**
 * Deletes a pending invitation, and the account that was created only for it. Throws 404 if the organization
 * does not have it, 410 if it was accepted.
 */
export async function cancelInvitation(
  ctx: RequestContext,
  organization: string,
  uuid: string,
): Promise<void> {
  await inOrganization(ctx, organization, managers, {
    cancelled: store.cancelInvitation(uuid, organization),
  }).catch(rejectGone)
}

/** Sends the newest pending invitation of a user again. Throws 400 if there is none. I3. */
export async function resendInvitation(
  ctx: RequestContext,
  organization: string,
  inviteeId: number,
): Promise<Resent> {
  await throttleAccount(ctx, `invitations to user ${inviteeId} by ${requireCaller(ctx).userId}`)
  const { email } = await inOrganization(ctx, organization, managers, {
    email: store.requestEmail(organization, inviteeId),
  })
  if (!email.first) throw noPendingInvitation()
  finishInBackground(ctx, queueInvitation(ctx.env, email.first, ctx.client.language))
  return { status: 'success', message: 'The invitation is being sent again.' }
}
