/** Finds or creates the account of a person whom a provider has identified. S7. */

import { admit } from '../../../kernel/access/second-factor/service.ts'
import { refuseSuperuser, type SignInPlace } from '../../../kernel/access/sign-in-hosts.ts'
import type { RequestContext } from '../../../kernel/context.ts'
import { isViolationOf } from '../../../kernel/db/failures.ts'
import { inTenant } from '../../../kernel/db/tenant.ts'
import { unavailable } from '../../../kernel/errors.ts'
import { retry } from '../../../kernel/lib/retry.ts'
import { queueAfterAnswer, selectNotices } from '../../mail/service.ts'
import { createExternalUser, type Listener, selectExternalUserListeners } from '../../users/service.ts'
import type { ProviderIdentity } from '../exchange/attempt.ts'
import { stepFailed } from '../exchange/errors.ts'
import type { Person } from '../providers/provider.ts'
import { providerOf } from '../providers/registry.ts'
import type { SocialAppRow } from '../social-apps/store.ts'
import { sendCodeLater } from './confirm.ts'
import { ConfirmationRequired, errorsByOutcome, noEmail } from './errors.ts'
import { asNewUser, emailOf } from './new-user.ts'
import * as store from './store.ts'
import { asSignedIn, type SignedInUser } from './views.ts'

/** A person whom a provider has identified, and the place at which the person signs in. */
export interface IdentifiedPerson {
  app: SocialAppRow
  place: SignInPlace
  identity: ProviderIdentity
}

/** Another sign-in has created an account with the e-mail or the user name in the meantime. */
class Outpaced extends Error {}

const terms = {
  attempts: 5,
  isTransient: (error: unknown) =>
    error instanceof Outpaced || isViolationOf(error, 'social_accounts_identity_key'),
}

/** Returns the identity of a person at a provider. Throws a 400 for an id that cannot be stored. */
export function identityOf(
  ctx: RequestContext,
  app: SocialAppRow,
  { issuer, person: { subject } }: ProviderIdentity,
): store.Identity {
  if (!/^(?! *$)[\x20-\x7e]{1,255}$/.test(subject)) throw stepFailed('subject')
  return { tenant: ctx.tenant, appId: app.id, issuer, subject }
}

/**
 * Returns the account that the person has at this provider, the account with the same e-mail, or a new one.
 * Throws 400 for an e-mail that cannot be used, 401 for an inactive account, and 403 for a superuser and for
 * an account that has to be confirmed first. If another sign-in of the same person is faster, tries again, up
 * to five times; then throws 503.
 */
export async function openAccount(
  ctx: RequestContext,
  { app, place, identity }: IdentifiedPerson,
): Promise<SignedInUser> {
  const { person } = identity
  const request: store.SocialSignIn = {
    identity: identityOf(ctx, app, identity),
    email: emailOf(person),
    isTrusted: vouchesFor(app, person),
    confirmation: crypto.randomUUID(),
  }
  return retry(terms, () => signInOrCreate(ctx, person, place, request)).catch((error: unknown) => {
    throw terms.isTransient(error) ? unavailable(error) : error
  })
}

/** Tells whether the e-mail of a person may open an existing account. An e-mail from SAML never may. */
const vouchesFor = (app: SocialAppRow, { emailVerified }: Person): boolean =>
  providerOf(app).protocol !== 'saml' && (emailVerified || app.settings.trust_email === true)

async function signInOrCreate(
  ctx: RequestContext,
  person: Person,
  place: SignInPlace,
  request: store.SocialSignIn,
): Promise<SignedInUser> {
  const asService = {
    signIn: store.signIn(request),
    listeners: selectExternalUserListeners(ctx.tenant),
    notices: selectNotices,
  }
  const { signIn, listeners, notices } = await inTenant(ctx, 'write', {}, { asService })
  for (const { id } of notices.all) queueAfterAnswer(ctx, id)
  const row = signIn.one
  if (row.outcome === 'signed in') return asSignedIn(ctx, row, place)
  if (row.outcome === 'unknown') return createAccount(ctx, person, place, request, listeners.all)
  if (row.outcome === 'forbidden') refuseSuperuser(ctx, place)
  if (row.outcome !== 'confirm') throw (errorsByOutcome[row.outcome] ?? unavailable)()
  await sendCodeLater(ctx, request.confirmation, request.email as string)
  throw new ConfirmationRequired(request.confirmation)
}

async function createAccount(
  ctx: RequestContext,
  person: Person,
  place: SignInPlace,
  { identity, email, isTrusted }: store.SocialSignIn,
  listeners: readonly Listener[],
): Promise<SignedInUser> {
  if (email === undefined) throw noEmail()
  const newUser = asNewUser(person, email)
  const link = store.linkAccount(identity, newUser.uuid, isTrusted)
  const created = await createExternalUser(ctx, newUser, listeners, link)
  if (!created) throw new Outpaced()
  const { user } = created
  // A new account has the first generation, and no second factor.
  return {
    user,
    identity: await admit(
      ctx,
      { userId: user.id, generation: 1, organizationId: created.link.organization_id, methods: ['fed'] },
      place,
      false,
    ),
  }
}
