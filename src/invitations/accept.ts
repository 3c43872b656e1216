/** Accepting an invitation: once, and whole. Spec: Invitation, States; I6. */
import { hashInTurn } from '../access/hashing.ts'
import { throttleAccount, throttleAddress } from '../access/throttle.ts'
import type { RequestContext } from '../context.ts'
import type { Results } from '../db/results.ts'
import { sql } from '../db/sql.ts'
import { openly } from '../db/tenant.ts'
import { found } from '../errors.ts'
import { announceAccount, beforeUserCreate, type Listener, selectListeners } from '../events/accounts/service.ts'
import { soon } from '../mail/service.ts'
import { gone, refuseGone } from './errors.ts'
import { codeHash, queueNotice } from './letters.ts'
import type { Acceptance, Accepted, PublicInvitation } from './schema.ts'
import * as store from './store.ts'
import { asPublic, type InvitationRow } from './views.ts'

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

const readPending = async (ctx: RequestContext, token: string): Promise<TokenRow> => pending(await openly(ctx, 'read', [selectPending(ctx, token)]))

const selectPending = (ctx: RequestContext, token: string) => store.selectByToken(token, ctx.config.INVITATION_MAX_AGE_DAYS ?? null)

function pending(results: Results): TokenRow {
  const row = found(results.row<TokenRow>())
  if (!row.is_pending) throw gone()
  return row
}

interface TokenRow extends InvitationRow {
  is_pending: boolean
  is_known: boolean
  own_sites: string[]
}

/** Who has no account that was ever used gets one now: what is asked before one is made, is asked then. Spec: Events, rule 2. */
async function beforeAccepting(ctx: RequestContext, token: string, { first_name, last_name }: Acceptance): Promise<void> {
  const listeners = selectListeners('PRE_USER_CREATE', ctx.tenant, store.organizationOf(token))
  const results = await openly(ctx, 'write', [selectPending(ctx, token), store.selectName(token), listeners])
  if (pending(results).is_known) return
  const named = found(results.row<{ username: string; email: string }>(1))
  await beforeUserCreate(ctx, results.rows<Listener>(2), { ...named, first_name, last_name }, null)
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
  const results = await openly(ctx, 'write', [
    store.accept(token, person, INVITATION_EXISTING_ACCOUNTS, INVITATION_MAX_AGE_DAYS ?? null, ctx.caller),
    store.selectAccepted(token),
    store.announceAccepted(token, announceAccount(ctx, 'POST_USER_CREATE', sql`u`), announceAccount(ctx, 'POST_USER_UPDATE', sql`u`)),
  ]).catch(refuseGone)
  const { account } = results.one<{ account: 'new' | 'existing' | 'own' }>(0)
  const row = results.one<AcceptedRow>(1)
  if (account === 'existing') soon(ctx, queueNotice(ctx.env, row.invitation_id))
  return {
    success: true,
    message: `You are now a member of ${row.name}.`,
    user: { id: row.user_id, email: row.email, first_name: row.first_name, last_name: row.last_name },
    organization: { id: row.organization_id, slug: row.slug, name: row.name },
  }
}

interface AcceptedRow {
  invitation_id: number
  user_id: number
  email: string
  first_name: string
  last_name: string
  organization_id: number
  slug: string
  name: string
}
