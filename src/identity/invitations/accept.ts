/** Accepting an invitation, and reading it by its token. Spec: Invitation, States; I6. */
import { hashNewPassword, requireUnguessable } from '../../kernel/access/new-passwords.ts'
import { throttleAccount, throttleAddress } from '../../kernel/access/throttle.ts'
import type { RequestContext } from '../../kernel/context.ts'
import type { Rows } from '../../kernel/db/batch.ts'
import { asAnonymous } from '../../kernel/db/platform.ts'
import { sql } from '../../kernel/db/sql.ts'
import { found } from '../../kernel/errors.ts'
import {
  publishAccountEvent,
  runPreUserCreate,
  selectListeners,
} from '../../runtime/events/accounts/service.ts'
import { finishInBackground } from '../mail/service.ts'
import { codeHash, queuePasswordNotice } from './emails.ts'
import { gone, rejectAcceptance } from './errors.ts'
import type { Acceptance, Accepted, PublicInvitation } from './schema.ts'
import * as store from './store.ts'
import { asPublic } from './views.ts'

/**
 * Returns the public view of an invitation. Throws 404 for an unknown token, 410 if it can no longer be
 * accepted. I6.
 */
export const readByToken = async (ctx: RequestContext, token: string): Promise<PublicInvitation> =>
  asPublic(await readPending(ctx, token))

/**
 * Returns the public view for the page. Throws the errors of `readByToken`. `isKnown` tells whether the
 * invitee has an account; anyone with the token also knows this from the e-mail. Sites of other organizations
 * are left out, because accepting grants nothing there.
 */
export async function readForPage(
  ctx: RequestContext,
  token: string,
): Promise<PublicInvitation & { isKnown: boolean }> {
  const row = await readPending(ctx, token)
  const { config, ...view } = asPublic(row)
  const site = config.site.filter(({ slug }) => row.own_sites.includes(slug))
  return { ...view, config: { ...config, site }, isKnown: row.is_known }
}

async function readPending(ctx: RequestContext, token: string): Promise<store.TokenRow> {
  const { invitation } = await asAnonymous(ctx, 'read', { invitation: selectByToken(ctx, token) })
  return requirePending(invitation)
}

const selectByToken = (ctx: RequestContext, token: string) =>
  store.selectByToken(token, ctx.config.INVITATION_MAX_AGE_DAYS ?? null)

/** Returns the row. Throws 404 if it does not exist, 410 if the invitation can no longer be accepted. */
function requirePending(invitation: Rows<store.TokenRow>): store.TokenRow {
  const row = found(invitation.first)
  if (row.state !== 'pending') throw gone(row.state)
  return row
}

/**
 * Checks that the invitation is pending. Functions of PRE_USER_CREATE have run when the account was made for
 * the invitation; they run here if somebody has deleted it since, because accepting makes another one. Spec:
 * Events, rule 2; E8. Returns the texts of which the password must not consist, and whether an account is
 * made.
 */
async function beforeAccepting(
  ctx: RequestContext,
  token: string,
  { password, first_name, last_name }: Acceptance,
): Promise<{ own: string[]; isMade: boolean }> {
  const { invitation, account, listeners } = await asAnonymous(ctx, 'write', {
    invitation: selectByToken(ctx, token),
    account: store.selectAccount(token),
    listeners: selectListeners('PRE_USER_CREATE', ctx.tenant, store.organizationOf(token)),
  })
  requirePending(invitation)
  const { exists, ...invited } = found(account.first)
  const own = [invited.username, invited.email, first_name, last_name]
  requireUnguessable(ctx, password, own)
  const person = { ...invited, first_name, last_name, phase: 'invited' } as const
  if (!exists) await runPreUserCreate(ctx, listeners.all, person, null)
  return { own, isMade: !exists }
}

/**
 * Accepts an invitation: the invitee's account becomes active, gets the password and joins the organization.
 * If the account existed, its owner gets an e-mail. Throws 400 for a wrong code, 403 if the caller has not
 * proved to own an existing account (accept_invitation.sql says when that is needed), 404 for an unknown
 * token, 410 if the invitation can no longer be accepted.
 */
export async function acceptInvitation(
  ctx: RequestContext,
  token: string,
  input: Acceptance,
): Promise<Accepted> {
  await throttleAddress(ctx)
  await throttleAccount(ctx, token)
  // In a separate round trip: hashing a password is expensive, so the service first checks that the
  // invitation is pending.
  const { own, isMade } = await beforeAccepting(ctx, token, input)
  const person = {
    passwordHash: await hashNewPassword(ctx, input.password, own),
    firstName: input.first_name,
    lastName: input.last_name,
    codeHash: input.code === undefined ? null : codeHash(input.code),
  }
  const publish = (event: 'POST_USER_CREATE' | 'POST_USER_UPDATE', phase: 'invited' | 'accepted') =>
    store.publishAccepted(token, publishAccountEvent(ctx, event, sql`u`, phase))
  const { INVITATION_EXISTING_ACCOUNTS, INVITATION_MAX_AGE_DAYS } = ctx.config
  const { accepted, invitation } = await asAnonymous(ctx, 'write', {
    accepted: store.accept(token, person, {
      mode: INVITATION_EXISTING_ACCOUNTS,
      maxAgeDays: INVITATION_MAX_AGE_DAYS ?? null,
      caller: ctx.caller,
    }),
    invitation: store.selectAccepted(token),
    made: isMade ? publish('POST_USER_CREATE', 'invited') : undefined,
    published: publish('POST_USER_UPDATE', 'accepted'),
  }).catch(rejectAcceptance)
  const row = invitation.one
  if (accepted.one.account === 'existing')
    finishInBackground(ctx, queuePasswordNotice(ctx.env, row.invitation_id, ctx.client.language))
  return {
    success: true,
    message: `You are now a member of ${row.name}.`,
    user: { id: row.user_id, email: row.email, first_name: row.first_name, last_name: row.last_name },
    organization: { id: row.organization_id, slug: row.slug, name: row.name },
  }
}
