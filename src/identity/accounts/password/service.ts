/** Changes and resets passwords. A5, S7. */
import { requireStepUp } from '../../../kernel/access/fresh-sign-in.ts'
import { verifyInTurn } from '../../../kernel/access/hashing.ts'
import type { TokenPair } from '../../../kernel/access/jwt/schema.ts'
import { hashNewPassword } from '../../../kernel/access/new-passwords.ts'
import { startTokens } from '../../../kernel/access/record-sign-in.ts'
import { type Admitted, readmit } from '../../../kernel/access/second-factor/service.ts'
import { placeOf, selectHost } from '../../../kernel/access/sign-in-hosts.ts'
import { signInOf } from '../../../kernel/access/signed-tokens.ts'
import { throttleAccount, throttleAddress } from '../../../kernel/access/throttle.ts'
import type { RequestContext } from '../../../kernel/context.ts'
import { requireOwnSignIn } from '../../../kernel/db/caller.ts'
import { requireCaller } from '../../../kernel/db/entering.ts'
import { asAnonymous, onPlatform } from '../../../kernel/db/platform.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { publishAccountEvent } from '../../../runtime/events/accounts/service.ts'
import { queueAfterAnswer, requestLink } from '../emails/service.ts'
import { tokenHash } from '../emails/token-hash.ts'
import { invalidLink, noPassword, wrongPassword } from './errors.ts'
import type { PasswordChange, PasswordReset } from './schema.ts'
import * as store from './store.ts'

/**
 * Changes the caller's password. Returns new tokens, because all earlier ones have ended. Takes two round
 * trips: the password is compared between them. Throws 400 for a wrong current password, 403 for a sign-in
 * through a provider if the account also belongs to another organization, and as `requireStepUp` does, and
 * 429.
 */
export const changePassword = async (ctx: RequestContext, input: PasswordChange): Promise<TokenPair> =>
  startTokens(ctx, await replacePassword(ctx, input))

/**
 * Changes the caller's password as `changePassword` does. Returns the account, which may sign in after the
 * change.
 */
export async function replacePassword(ctx: RequestContext, input: PasswordChange): Promise<Admitted> {
  const caller = requireCaller(ctx)
  requireStepUp(ctx)
  await throttleAddress(ctx)
  // Guesses are counted together with attempts to sign in.
  await throttleAccount(ctx, `sign-in of ${caller.userId}`)
  const { own, host } = await onPlatform(ctx, {
    isAllowed: requireOwnSignIn(caller),
    own: store.selectOwn(caller),
    host: selectHost(ctx, caller.userId),
  })
  const place = placeOf(ctx, host.one)
  const present = own.one.password_hash
  if (present === null) throw noPassword()
  if (!(await verifyInTurn(ctx, input.current_password, present))) throw wrongPassword()
  const password = await newPasswordOf(ctx, input.password, store.textsOf(own.one))
  const { changed } = await onPlatform(ctx, {
    isAllowed: requireOwnSignIn(caller),
    changed: store.change(caller, present, password),
  })
  if (!changed.first) throw wrongPassword()
  queueAfterAnswer(ctx, password.notice)
  return readmit({ ...signInOf(caller), generation: changed.first.generation }, place)
}

/**
 * Requests an e-mail with a link that sets a new password for the account of an address, if there is one.
 * Throws 429.
 */
export async function requestReset(ctx: RequestContext, email: string): Promise<void> {
  await throttleAddress(ctx)
  await throttleAccount(ctx, `emails to ${email}`)
  await requestLink(ctx, 'reset-password', email)
}

/**
 * Sets the password of the account to which a link was mailed. Takes two round trips: hashing is expensive,
 * so the first one checks that the link is valid. Throws 400 for a link that is not valid, and 429.
 */
export async function resetPassword(ctx: RequestContext, { token, password }: PasswordReset): Promise<void> {
  await throttleAddress(ctx)
  await throttleAccount(ctx, `link ${token}`)
  const hash = tokenHash(token)
  const { account } = await asAnonymous(ctx, 'read', { account: store.selectByToken(hash) })
  if (!account.first) throw invalidLink()
  const newPassword = await newPasswordOf(ctx, password, store.textsOf(account.first))
  const { changed } = await asAnonymous(ctx, 'write', { changed: store.reset(hash, newPassword) })
  if (!changed.first) throw invalidLink()
  queueAfterAnswer(ctx, newPassword.notice)
}

/** Hashes a password, and returns the other values that both statements need. */
const newPasswordOf = async (ctx: RequestContext, password: string, own: readonly string[]) => ({
  passwordHash: await hashNewPassword(ctx, password, own),
  notice: crypto.randomUUID(),
  event: publishAccountEvent(ctx, 'POST_USER_UPDATE', sql`changed.account`),
})
