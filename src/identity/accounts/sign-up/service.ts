/**
 * Signs up at a site with a password. Creating the account needs both the mailed link and the password. A
 * person who signs up with somebody else's address cannot read the e-mail, and the owner of the address does
 * not know the password, so nobody can create an account for somebody else. T7.
 */
import { verifyInTurn } from '../../../kernel/access/hashing.ts'
import { hashNewPassword } from '../../../kernel/access/new-passwords.ts'
import { throttleAccount, throttleAddress } from '../../../kernel/access/throttle.ts'
import type { RequestContext } from '../../../kernel/context.ts'
import { isViolationOf } from '../../../kernel/db/failures.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { inTenant } from '../../../kernel/db/tenant.ts'
import {
  publishAccountEvent,
  requireActing,
  runPreUserCreate,
} from '../../../runtime/events/accounts/service.ts'
import { type User, username } from '../../users/schema.ts'
import { asUser, selectExternalUserListeners } from '../../users/service.ts'
import { queueAfterAnswer } from '../emails/service.ts'
import { tokenHash } from '../emails/token-hash.ts'
import { invalidLink } from '../password/errors.ts'
import { addressNotTaken, otherPassword, signUpClosed } from './errors.ts'
import type { SignUpConfirmation, SignUpInput } from './schema.ts'
import * as store from './store.ts'

/** Throws 403 for a site that does not allow sign-ups, and 404. */
export async function requireSignUps(ctx: RequestContext): Promise<void> {
  const { terms } = await inTenant(
    ctx,
    'read',
    {},
    { asService: { terms: store.selectTerms(ctx.tenant, '') } },
  )
  if (terms.one.sign_up === 'closed') throw signUpClosed()
}

/**
 * Stores a sign-up and queues its e-mail. The answer and the number of e-mails are the same whether or not an
 * account has the address: only the e-mail says so. Takes two round trips, because hashing is expensive: the
 * first checks whether the site allows the sign-up. Throws 400 for an address or a password that is not
 * allowed, 403 for a site that does not allow sign-ups, 404 and 429.
 */
export async function signUp(ctx: RequestContext, input: SignUpInput): Promise<void> {
  const { email, password, first_name, last_name } = input
  await throttleAddress(ctx)
  await throttleAccount(ctx, `emails to ${email}`)
  const asService = {
    terms: store.selectTerms(ctx.tenant, email),
    listeners: selectExternalUserListeners(ctx.tenant),
  }
  const { terms, listeners } = await inTenant(ctx, 'write', {}, { asService })
  const { sign_up, takes_address, is_immediate } = terms.one
  if (sign_up === 'closed') throw signUpClosed()
  if (!takes_address) throw addressNotTaken()
  // Before the address is looked at, so that the answer does not tell whether it has an account.
  requireActing(listeners.all)
  const passwordHash = await hashNewPassword(ctx, password, [email, first_name, last_name])
  const account = { username: nameFor(email), email, first_name, last_name }
  if (is_immediate) await runPreUserCreate(ctx, listeners.all, { ...account, phase: 'signed_up' }, null)
  const id = crypto.randomUUID()
  const event = publishAccountEvent(ctx, 'POST_USER_CREATE', sql`made.account`, 'signed_up')
  const begun = (isNew: boolean) =>
    inTenant(
      ctx,
      'write',
      {},
      {
        asService: {
          begun: store.begin(ctx.tenant, id, { ...account, passwordHash }, { isNew, event }),
        },
      },
    )
  // If another request has created an account with the address in the meantime, this one continues as if the
  // account had existed before.
  await begun(is_immediate).catch((error: unknown) => {
    if (!isTaken(error)) throw error
    return begun(false)
  })
  queueAfterAnswer(ctx, id)
}

/**
 * Completes a sign-up with its link and its password, and returns the account. The address becomes verified,
 * and the password counts as the person's own. Takes two round trips: the password is compared between them.
 * Throws 400 for an invalid link, for a wrong password and if a function fails; and 404 and 429.
 */
export async function confirmSignUp(
  ctx: RequestContext,
  { token, password }: SignUpConfirmation,
): Promise<User> {
  await throttleAddress(ctx)
  await throttleAccount(ctx, `link ${token}`)
  const hash = tokenHash(token)
  const { waiting, listeners } = await inTenant(
    ctx,
    'write',
    {},
    {
      asService: {
        waiting: store.selectWaiting(ctx.tenant, hash),
        listeners: selectExternalUserListeners(ctx.tenant),
      },
    },
  )
  if (!waiting.first) throw invalidLink()
  const { email, first_name, last_name, password_hash, has_account } = waiting.first
  if (!(await verifyInTurn(ctx, password, password_hash))) throw otherPassword()
  const account = { username: nameFor(email), email, first_name, last_name }
  if (!has_account) await runPreUserCreate(ctx, listeners.all, { ...account, phase: 'signed_up' }, null)
  const event = has_account
    ? publishAccountEvent(ctx, 'POST_USER_UPDATE', sql`finished.account`)
    : publishAccountEvent(ctx, 'POST_USER_CREATE', sql`finished.account`, 'signed_up')
  const asService = { finished: store.finish(ctx.tenant, hash, account.username, event) }
  const { finished } = await inTenant(ctx, 'write', {}, { asService }).catch((error: unknown) => {
    throw isTaken(error) ? invalidLink() : error
  })
  if (!finished.first) throw invalidLink()
  return asUser(finished.first)
}

/**
 * Returns the user name of a new account: its e-mail address, or a random name if the address cannot be a
 * user name.
 */
export const nameFor = (email: string): string =>
  username.safeParse(email).success ? email : `user-${crypto.randomUUID()}`

/** Tells whether another account has the address, the name or the passkey by now. */
export const isTaken = (error: unknown): boolean =>
  ['users_email_key', 'users_username_key', 'passkeys_credential_id_key'].some((name) =>
    isViolationOf(error, name),
  )
