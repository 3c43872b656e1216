/** Lets users manage their own account: read, change, delete and export it. T7. */
import { requireFreshSignIn } from '../../../kernel/access/fresh-sign-in.ts'
import { throttleAccount, throttleAddress } from '../../../kernel/access/throttle.ts'
import type { RequestContext } from '../../../kernel/context.ts'
import { requireOwnSignIn } from '../../../kernel/db/caller.ts'
import { openDatabase } from '../../../kernel/db/client.ts'
import { requireCaller } from '../../../kernel/db/entering.ts'
import { onPlatform } from '../../../kernel/db/platform.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { configOf, type Env } from '../../../kernel/env.ts'
import { requireSame } from '../../../kernel/http/fixed-members.ts'
import { languageOf } from '../../../kernel/lib/languages.ts'
import { storedAddress } from '../../../kernel/lib/mail-address.ts'
import { publishAccountEvent } from '../../../runtime/events/accounts/service.ts'
import { asUser, lastOwner, withFullName } from '../../users/service.ts'
import { newLink, queueAfterAnswer, queueEmail } from '../emails/service.ts'
import type { AccountExport, OwnAccount, OwnChange, PlannedDeletion } from './schema.ts'
import * as store from './store.ts'

/** Reads the caller's account. */
export async function readOwn(ctx: RequestContext): Promise<OwnAccount> {
  const { own } = await onPlatform(ctx, { own: store.selectOwn(requireCaller(ctx)) })
  return asOwn(own.one)
}

/**
 * Changes the caller's account. A new e-mail address must be confirmed by a link that is sent to it. The
 * answer does not show whether another account has the address. Takes one round trip, two with an address.
 * Throws 403 for a sign-in through a provider if the account also belongs to another organization; with an
 * address, also for a sign-in of long ago. Throws 429.
 */
export async function changeOwn(ctx: RequestContext, change: OwnChange): Promise<OwnAccount> {
  const caller = requireCaller(ctx)
  const link = change.email === undefined ? undefined : await wantedLink(ctx, change.email)
  const { own } = await onPlatform(ctx, {
    isAllowed: requireOwnSignIn(caller),
    same: requireSame(change, withFullName(store.selectOwn(caller))),
    forgotten: change.email === undefined ? undefined : store.forgetPendingEmail(caller),
    wanted: link?.wanted,
    changed: store.updateOwn(
      caller,
      change,
      publishAccountEvent(ctx, 'POST_USER_UPDATE', sql`changed.account`),
    ),
    own: store.selectOwn(caller),
  })
  if (link) queueAfterAnswer(ctx, link.id)
  return asOwn(own.one)
}

/** Creates the link that confirms a new address. Undefined if the account already has the address. */
async function wantedLink(ctx: RequestContext, recipient: string) {
  const { email } = await readOwn(ctx)
  if (storedAddress(email).toLowerCase() === recipient.toLowerCase()) return undefined
  requireFreshSignIn(ctx)
  await throttleAddress(ctx)
  await throttleAccount(ctx, `emails to ${recipient}`)
  return newLink(ctx, 'change-email', recipient, requireCaller(ctx).userId)
}

/**
 * Schedules the deletion of the caller's account. All sign-ins and API keys end. The owner can sign in again
 * within seven days to keep the account. Throws 400 for the only owner of an organization, and 403 if the
 * sign-in is too old and as `changeOwn` does.
 */
export async function planDeletion(ctx: RequestContext): Promise<PlannedDeletion> {
  const caller = requireCaller(ctx)
  requireFreshSignIn(ctx)
  const notice = crypto.randomUUID()
  const { planned } = await onPlatform(ctx, {
    isAllowed: requireOwnSignIn(caller),
    planned: store.planDeletion(caller, notice),
  })
  if (!planned.first) throw lastOwner()
  queueAfterAnswer(ctx, notice)
  return planned.first
}

/** Cancels the planned deletion of the caller's account, if there is one. */
export async function keepAccount(ctx: RequestContext): Promise<OwnAccount> {
  const caller = requireCaller(ctx)
  const { own } = await onPlatform(ctx, {
    isAllowed: requireOwnSignIn(caller),
    kept: store.keepAccount(caller),
    own: store.selectOwn(caller),
  })
  return asOwn(own.one)
}

/** Returns the stored data about the caller. Throws 403 as `planDeletion` does. */
export async function exportOwn(ctx: RequestContext): Promise<AccountExport> {
  const caller = requireCaller(ctx)
  requireFreshSignIn(ctx)
  const { own, exported } = await onPlatform(ctx, {
    isAllowed: requireOwnSignIn(caller),
    own: store.selectOwn(caller),
    exported: store.selectExport(caller),
  })
  return { account: asOwn(own.one), ...exported.one.data }
}

/** Deletes the accounts whose time has come, and tells their owners. */
export async function deletePlannedAccounts(env: Env): Promise<void> {
  const { planned, notices } = await openDatabase(configOf(env)).batch(
    {
      planned: store.selectPlanned,
      deleted: store.deletePlanned,
      notices: store.selectDeletionNotices,
    },
    60_000,
  )
  // The accounts no longer exist when their e-mails are written.
  const languages = new Map(planned.all.map(({ address, language }) => [address, language]))
  for (const { notice, address } of notices.all)
    await queueEmail(env, notice, languageOf(languages.get(address)))
}

/** Returns the caller's account as its owner sees it. */
export const asOwn = (row: store.OwnRow): OwnAccount => ({
  ...asUser(row),
  preferred_language: row.preferred_language,
  email_verified: row.email_verified,
  pending_email: row.pending_email,
  deletes_at: row.deletes_at,
})
