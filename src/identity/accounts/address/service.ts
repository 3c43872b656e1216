/** Verifies e-mail addresses by mailed links. S7. */
import { throttleAccount, throttleAddress } from '../../../kernel/access/throttle.ts'
import type { RequestContext } from '../../../kernel/context.ts'
import { isViolationOf } from '../../../kernel/db/failures.ts'
import { asAnonymous } from '../../../kernel/db/platform.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { publishAccountEvent } from '../../../runtime/events/accounts/service.ts'
import { queueAfterAnswer, requestLink } from '../emails/service.ts'
import { tokenHash } from '../emails/token-hash.ts'
import { invalidLink } from '../password/errors.ts'
import type { VerifiedAddress } from './schema.ts'
import * as store from './store.ts'

/**
 * Requests an e-mail with a link that verifies an address, if an account has the address and it is not
 * verified yet. Throws 429.
 */
export async function requestVerification(ctx: RequestContext, email: string): Promise<void> {
  await throttleAddress(ctx)
  await throttleAccount(ctx, `emails to ${email}`)
  await requestLink(ctx, 'verify-email', email)
}

/**
 * Verifies the address to which a link was mailed. A new address replaces that of the account. Takes one
 * round trip. Throws 400 for a link that is not valid, 403 for a new address unless the caller is signed in
 * to the account, and 429.
 */
export async function confirmAddress(ctx: RequestContext, token: string): Promise<VerifiedAddress> {
  await throttleAddress(ctx)
  await throttleAccount(ctx, `link ${token}`)
  const notice = crypto.randomUUID()
  const event = publishAccountEvent(ctx, 'POST_USER_UPDATE', sql`confirmed.account`)
  const { confirmed, noticed } = await asAnonymous(ctx, 'write', {
    confirmed: store.confirm(ctx, tokenHash(token), notice, event),
    noticed: store.hasNotice(notice),
  }).catch(rejectTaken)
  if (!confirmed.first) throw invalidLink()
  if (noticed.first) queueAfterAnswer(ctx, notice)
  const { email, has_password } = confirmed.first
  return { email, has_password }
}

/**
 * Another account got the address in the meantime. The client must not learn this, so the error is the same
 * as for an invalid link.
 */
function rejectTaken(error: unknown): never {
  const isTaken = ['users_email_key', 'users_username_key'].some((name) => isViolationOf(error, name))
  throw isTaken ? invalidLink() : error
}
