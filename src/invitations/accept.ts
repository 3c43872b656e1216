/** Accepting an invitation: once, and whole. Spec: Invitation, States; I6. */
import { hashInTurn } from '../access/hashing.ts'
import { throttleAccount, throttleAddress } from '../access/throttle.ts'
import type { RequestContext } from '../context.ts'
import type { Rows } from '../db/batch.ts'
import { sql } from '../db/sql.ts'
import { openly } from '../db/tenant.ts'
import { found } from '../errors.ts'
import { announceAccount, beforeUserCreate, selectListeners } from '../events/accounts/service.ts'
import { soon } from '../mail/service.ts'
import { gone, refuseGone } from './errors.ts'
import { codeHash, queueNotice } from './letters.ts'
import type { Acceptance, Accepted, PublicInvitation } from './schema.ts'
import * as store from './store.ts'
import { asPublic } from './views.ts'

/** What its token shows to anybody who has it; reading it changes nothing. I6. */
export const readByToken = async (ctx: RequestContext, token: string): Promise<PublicInvitation> => asPublic(await readPending(ctx, token))

/** The same for a page, which says whether there is an account already: whoever has the token is told by the letter, too. */
export async function readForPage(ctx: RequestContext, token: string): Promise<PublicInvitation & { isKnown: boolean }> {
  const row = await readPending(ctx, token)
  const { config, ...view } = asPublic(row)
  // Of sites that are not the organization's, nothing is promised.
  const site = config.site.filter(({ slug }) => row.own_sites.includes(slug))
  return { ...view, config: { ...config, site }, isKnown: row.is_known }
}

async function readPending(ctx: RequestContext, token: string): Promise<store.TokenRow> {
  const { invitation } = await openly(ctx, 'read', { invitation: selectPending(ctx, token) })
  return pending(invitation)
}

const selectPending = (ctx: RequestContext, token: string) => store.selectByToken(token, ctx.config.INVITATION_MAX_AGE_DAYS ?? null)

/** 404 if the token is of no invitation; the 410 if it cannot be accepted any more. */
function pending(invitation: Rows<store.TokenRow>): store.TokenRow {
  const row = found(invitation.first)
  if (!row.is_pending) throw gone()
  return row
}

/** Who has no account that was ever used gets one now: what is asked before one is made, is asked then. Spec: Events, rule 2. */
async function beforeAccepting(ctx: RequestContext, token: string, { first_name, last_name }: Acceptance): Promise<void> {
  const { invitation, named, listeners } = await openly(ctx, 'write', {
    invitation: selectPending(ctx, token),
    named: store.selectName(token),
    listeners: selectListeners('PRE_USER_CREATE', ctx.tenant, store.organizationOf(token)),
  })
  if (pending(invitation).is_known) return
  await beforeUserCreate(ctx, listeners.all, { ...found(named.first), first_name, last_name }, null)
}

/**
 * Whether there is anything to accept is asked first, in a round trip of its own: hashing a password is too dear to be
 * done for anybody. 403 where the account of somebody else would be changed (see accept_invitation).
 */
export async function acceptInvitation(ctx: RequestContext, token: string, input: Acceptance): Promise<Accepted> {
  await throttleAddress(ctx)
  await throttleAccount(ctx, token)
  await beforeAccepting(ctx, token, input)
  const person = {
    passwordHash: await hashInTurn(ctx, input.password),
    firstName: input.first_name,
    lastName: input.last_name,
    codeHash: input.code === undefined ? null : codeHash(input.code),
  }
  const { INVITATION_EXISTING_ACCOUNTS, INVITATION_MAX_AGE_DAYS } = ctx.config
  const { accepted, invitation } = await openly(ctx, 'write', {
    accepted: store.accept(token, person, INVITATION_EXISTING_ACCOUNTS, INVITATION_MAX_AGE_DAYS ?? null, ctx.caller),
    invitation: store.selectAccepted(token),
    announced: store.announceAccepted(token, announceAccount(ctx, 'POST_USER_CREATE', sql`u`), announceAccount(ctx, 'POST_USER_UPDATE', sql`u`)),
  }).catch(refuseGone)
  const row = invitation.one
  if (accepted.one.account === 'existing') soon(ctx, queueNotice(ctx.env, row.invitation_id))
  return {
    success: true,
    message: `You are now a member of ${row.name}.`,
    user: { id: row.user_id, email: row.email, first_name: row.first_name, last_name: row.last_name },
    organization: { id: row.organization_id, slug: row.slug, name: row.name },
  }
}
