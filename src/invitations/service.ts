/** Asking people to join an organization. Spec: Invitation; I1–I6. How they accept: accept.ts. */
import { throttleAccount } from '../access/throttle.ts'
import type { RequestContext } from '../context.ts'
import { inOrganization, signedIn } from '../db/tenant.ts'
import { found } from '../errors.ts'
import { type Page, pageOf } from '../http/lists/envelopes.ts'
import { soon } from '../mail/service.ts'
import { managers } from '../organizations/service.ts'
import { memberAlready, noPendingInvitation, refuseGone } from './errors.ts'
import { queueInvitation } from './letters.ts'
import type { Invitation, InvitationInput, InvitationsQuery, ListedInvitation, Resent } from './schema.ts'
import type { WantedLetter } from './store.ts'
import * as store from './store.ts'
import { asInvitation, asListItem, type InvitationRow } from './views.ts'

export async function createInvitation(ctx: RequestContext, organization: string, input: InvitationInput): Promise<Invitation> {
  const uuid = crypto.randomUUID()
  const { userId } = signedIn(ctx)
  await throttleAccount(ctx, `letters to ${input.invitee_identifier}`)
  const results = await inOrganization(ctx, organization, managers, [
    store.invite(uuid, organization, userId, input.invitee_identifier, input.invitation_config),
    store.selectInvitation(organization, uuid),
  ])
  const row = results.row<InvitationRow>(1)
  if (!row) throw memberAlready()
  soon(ctx, queueInvitation(ctx.env, { id: row.id, mailVersion: 1 }))
  return asInvitation(row)
}

export async function listInvitations(
  ctx: RequestContext,
  organization: string,
  url: string,
  query: InvitationsQuery,
): Promise<Page<ListedInvitation>> {
  const results = await inOrganization(ctx, organization, managers, store.selectInvitations(organization, query))
  return pageOf(results, url, store.list, query, asListItem)
}

export async function readInvitation(ctx: RequestContext, organization: string, uuid: string): Promise<Invitation> {
  const results = await inOrganization(ctx, organization, managers, [store.selectInvitation(organization, uuid)])
  return asInvitation(found(results.row<InvitationRow>()))
}

export async function cancelInvitation(ctx: RequestContext, organization: string, uuid: string): Promise<void> {
  await inOrganization(ctx, organization, managers, [store.cancelInvitation(uuid, organization)]).catch(refuseGone)
}

/** Of the newest that the invitee has not accepted. I3. */
export async function resendInvitation(ctx: RequestContext, organization: string, inviteeId: number): Promise<Resent> {
  await throttleAccount(ctx, `letters to user ${inviteeId}`)
  const row = (await inOrganization(ctx, organization, managers, [store.wantLetter(organization, inviteeId)])).row<WantedLetter>()
  if (!row) throw noPendingInvitation()
  soon(ctx, queueInvitation(ctx.env, row))
  return { status: 'success', message: 'The invitation is sent again.' }
}
