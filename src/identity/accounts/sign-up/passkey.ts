/**
 * Signs up at a site with a passkey, without a password. Creating the account needs both the mailed link and
 * the passkey: neither alone is enough, as with a password. A passkey requires a verified address, so the
 * link is needed at every site. T7, WebAuthn.
 */
import { throttleAccount, throttleAddress } from '../../../kernel/access/throttle.ts'
import type { RequestContext } from '../../../kernel/context.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { inTenant } from '../../../kernel/db/tenant.ts'
import { publishAccountEvent, runPreUserCreate } from '../../../runtime/events/accounts/service.ts'
import { asUser, selectExternalUserListeners } from '../../users/service.ts'
import { queueAfterAnswer } from '../emails/service.ts'
import { tokenHash } from '../emails/token-hash.ts'
import { codeHash, newCodes } from '../factors/recovery-codes.ts'
import { challengeHash, creationTerms, handleOf, newChallenge, requireParty } from '../passkeys/challenges.ts'
import { challengeUsed, noPasskeysHere, passkeyRejected } from '../passkeys/errors.ts'
import type { CreationOptions } from '../passkeys/schema.ts'
import { insertForSignUp, takeAlone, takeForSignUp } from '../passkeys/store.ts'
import { challengeOf, verifyNew, verifySigned } from '../passkeys/verify.ts'
import { invalidLink } from '../password/errors.ts'
import { addressNotTaken, signUpClosed } from './errors.ts'
import type {
  PasskeySignUp,
  PasskeySignUpConfirmation,
  PasskeySignUpStart,
  SignedUpByPasskey,
} from './schema.ts'
import { isTaken, nameFor } from './service.ts'
import * as store from './store.ts'

/**
 * Returns the options from which an authenticator creates the passkey of a new account. It looks for no
 * account. Throws 400 if passkeys do not work on the host, 403 for a site that does not allow sign-ups, 404
 * and 429.
 */
export async function beginPasskeySignUp(
  ctx: RequestContext,
  { email, first_name, last_name }: PasskeySignUpStart,
): Promise<CreationOptions> {
  await throttleAddress(ctx)
  const party = requireParty(ctx)
  const challenge = newChallenge()
  const handle = crypto.randomUUID()
  const asService = {
    terms: store.selectTerms(ctx.tenant, email),
    begun: insertForSignUp(challengeHash(challenge), handle, party),
  }
  const { terms, begun } = await inTenant(ctx, 'write', {}, { asService })
  requireTaken(terms.one)
  if (!begun.first) throw noPasskeysHere()
  return {
    ...creationTerms(party, challenge),
    user: { id: handleOf(handle), name: email, displayName: `${first_name} ${last_name}`.trim() || email },
    excludeCredentials: [],
  }
}

/** Throws 403 for a site that does not allow sign-ups, and 400 for an address that it does not allow. */
function requireTaken({ sign_up, takes_address }: store.TermsRow): void {
  if (sign_up === 'closed') throw signUpClosed()
  if (!takes_address) throw addressNotTaken()
}

/**
 * Stores a sign-up with a passkey and queues its e-mail. The answer and the number of e-mails are the same
 * whether or not an account has the address. Takes two round trips: the challenge is used up before the
 * authenticator's answer is verified. Throws as `beginPasskeySignUp` does, and 400 for an invalid passkey.
 */
export async function signUpWithPasskey(
  ctx: RequestContext,
  { email, first_name, last_name, name, credential }: PasskeySignUp,
): Promise<void> {
  await throttleAddress(ctx)
  await throttleAccount(ctx, `emails to ${email}`)
  const party = requireParty(ctx)
  const challenge = challengeOf(credential.response.clientDataJSON) ?? ''
  const { terms, taken } = await inTenant(
    ctx,
    'write',
    {},
    {
      asService: {
        terms: store.selectTerms(ctx.tenant, email),
        taken: takeForSignUp(challengeHash(challenge), party),
      },
    },
  )
  requireTaken(terms.one)
  if (!taken.first) throw challengeUsed()
  const key = await verifyNew(party, challenge, credential)
  const passkey = { ...key, party, transports: credential.response.transports ?? [], name }
  const id = crypto.randomUUID()
  const person = { email, first_name, last_name, handle: taken.first.handle, passkey }
  await inTenant(ctx, 'write', {}, { asService: { begun: store.beginWithPasskey(ctx.tenant, id, person) } })
  queueAfterAnswer(ctx, id)
}

/**
 * Finishes a sign-up by its link and its passkey, and returns the account with its recovery codes. Takes two
 * round trips: the challenge is used up before the signature is verified. Throws 400 for a link or a
 * challenge that is not valid and if a function fails, 401 for another passkey, 404 and 429.
 */
export async function confirmPasskeySignUp(
  ctx: RequestContext,
  { token, credential }: PasskeySignUpConfirmation,
): Promise<SignedUpByPasskey> {
  await throttleAddress(ctx)
  await throttleAccount(ctx, `link ${token}`)
  const party = requireParty(ctx)
  const hash = tokenHash(token)
  const challenge = challengeOf(credential.response.clientDataJSON) ?? ''
  const { waiting, taken, listeners } = await inTenant(
    ctx,
    'write',
    {},
    {
      asService: {
        waiting: store.selectWaitingWithPasskey(ctx.tenant, hash),
        taken: takeAlone(challengeHash(challenge), party),
        listeners: selectExternalUserListeners(ctx.tenant),
      },
    },
  )
  if (!waiting.first) throw invalidLink()
  if (!taken.first) throw challengeUsed()
  const { email, first_name, last_name, handle, rp_id, ...key } = waiting.first
  const { userHandle } = credential.response
  if (rp_id !== party.id || credential.id !== key.credentialId) throw passkeyRejected()
  if ((userHandle ?? null) !== null && userHandle !== handleOf(handle)) throw passkeyRejected()
  const counter = await verifySigned(party, challenge, credential, key)
  const account = { username: nameFor(email), email, first_name, last_name }
  await runPreUserCreate(ctx, listeners.all, { ...account, phase: 'signed_up' }, null)
  const codes = newCodes()
  const terms = { username: account.username, counter, hashes: codes.map(codeHash) }
  const event = publishAccountEvent(ctx, 'POST_USER_CREATE', sql`finished.account`, 'signed_up')
  const asService = { finished: store.finishWithPasskey(ctx.tenant, hash, terms, event) }
  const { finished } = await inTenant(ctx, 'write', {}, { asService }).catch((error: unknown) => {
    throw isTaken(error) ? invalidLink() : error
  })
  if (!finished.first) throw invalidLink()
  const { has_codes, ...row } = finished.first
  return { user: asUser(row), recovery_codes: has_codes ? codes : [] }
}
