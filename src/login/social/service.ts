/** Signing in through a provider: what begins it, and what ends it. S4–S7. */
import type { Identity } from '../../access/tokens.ts'
import type { RequestContext } from '../../context.ts'
import { isViolationOf } from '../../db/failures.ts'
import type { Results } from '../../db/results.ts'
import { inTenant } from '../../db/tenant.ts'
import { found, unavailable } from '../../errors.ts'
import { log } from '../../lib/log.ts'
import { inVault, withKeys } from '../../secrets/vault/service.ts'
import type { User } from '../../users/schema.ts'
import { createPerson, type Listener, selectPersonListeners } from '../../users/service.ts'
import { authorizationUrl, newAttempt, serverOf } from '../exchange/authorize.ts'
import { codeRefused, reasonOf } from '../exchange/errors.ts'
import { type Named, redeem } from '../exchange/redeem.ts'
import type { Person } from '../providers/provider.ts'
import { providerOf } from '../providers/registry.ts'
import { openCredential } from '../social-apps/credentials.ts'
import type { SocialAppRow } from '../social-apps/store.ts'
import { askForCode } from './confirm.ts'
import { attemptUnknown, ConfirmationRequired, noEmail, otherRedirect, refusals } from './errors.ts'
import { asNewUser, emailOf } from './person.ts'
import { checkedRedirect } from './redirects.ts'
import * as store from './store.ts'
import { asSignedIn } from './views.ts'

interface Beginning {
  /** The request's address. */
  url: string
  /** How the path names the app. S2. */
  handle: string
  redirectUri?: string | undefined
  /** Where the browser goes afterwards: a path. */
  next?: string
}

export interface Begun {
  authorizationUrl: string
  state: string
}

/** One round trip; after it, the provider's discovery document is read where this isolate does not know it. */
export async function beginSignIn(ctx: RequestContext, { url, handle, redirectUri, next = '/' }: Beginning): Promise<Begun> {
  const redirect = checkedRedirect(ctx, url, handle, redirectUri)
  const attempt = newAttempt(redirect.uri, next)
  const { before, results } = await inTenant(ctx, 'write', [store.beginAttempt(handle, attempt)], undefined, redirect.before)
  const app = found(results.row<SocialAppRow>())
  redirect.check(before)
  const provider = providerOf(app)
  const address = await authorizationUrl(ctx.config, app, provider, attempt).catch(noting(ctx, app))
  if (app.issuer === null && provider.code === 'openid_connect') ctx.waitUntil(noteDiscovered(ctx, app))
  return { authorizationUrl: address.href, state: attempt.state }
}

/** The document could not be read when the app was saved, and was now. S3. */
async function noteDiscovered(ctx: RequestContext, app: SocialAppRow): Promise<void> {
  const { issuer } = await serverOf(ctx.config, app, providerOf(app))
  await inTenant(ctx, 'write', [store.noteIssuer(app.id, app.revision, issuer)])
}

interface Ending {
  url: string
  handle: string
  code: string
  /** Null: the sign-in was not begun here. */
  state: string | null
  /** Null: not known to who asks. */
  iss: string | null | undefined
  redirectUri?: string | undefined
  /** What the provider has told of the name beside the code. */
  names?: Pick<Person, 'firstName' | 'lastName'>
}

export interface SignedInUser {
  user: User
  /** What the tokens of the sign-in are made of. */
  identity: Identity
}

export interface SignedIn extends SignedInUser {
  next: string
}

/**
 * Two round trips, and a third for whoever has no account yet: before the provider is asked, the sign-in is ended, so that
 * it can be finished once; after it, the account is found or made.
 */
export async function finishSignIn(ctx: RequestContext, ending: Ending): Promise<SignedIn> {
  const { url, handle, code, state, iss } = ending
  const redirect = checkedRedirect(ctx, url, handle, ending.redirectUri)
  const vault = await inVault(ctx, 'write', [store.selectByHandle(handle), store.endAttempt(handle, state)])
  const row = found(vault.results.row<SocialAppRow>(0))
  const attempt = vault.results.row<store.EndedAttempt>(1) ?? null
  if (state !== null && !attempt) throw attemptUnknown()
  if (attempt && ending.redirectUri !== undefined && attempt.redirectUri !== redirect.uri) throw otherRedirect()
  if (!attempt && redirect.before.length > 0) redirect.check((await inTenant(ctx, 'read', [], undefined, redirect.before)).before)

  let read: typeof vault | undefined = vault
  const app = await withKeys(async () => {
    const { keys, results } = read ?? (await inVault(ctx, 'read', [store.selectByHandle(handle)]))
    read = undefined
    const current = found(results.row<SocialAppRow>(0))
    const [secret, key] = await Promise.all([openCredential(ctx.config, keys, current, 'secret'), openCredential(ctx.config, keys, current, 'key')])
    return { ...current, credentials: { secret, key } }
  })
  const returned = { code, iss, redirectUri: attempt?.redirectUri ?? redirect.uri, attempt }
  const named = await redeem(ctx.config, app, providerOf(row), returned).catch(noting(ctx, app))
  const person = {
    ...named.person,
    firstName: named.person.firstName || (ending.names?.firstName ?? ''),
    lastName: named.person.lastName || (ending.names?.lastName ?? ''),
  }
  return { ...(await accountOf(ctx, app, { ...named, person })), next: attempt?.next ?? '/' }
}

/** Why a provider's answer did not hold, whoever keeps the app wants to know; the client is not told. */
const noting = (ctx: RequestContext, app: SocialAppRow) => (failure: Error) => {
  log({ level: 'warn', request_id: ctx.requestId, social_app: app.id, provider: app.provider, refused: reasonOf(failure.cause) })
  throw failure
}

const attemptsMax = 5

/** The account of the person whom a provider has named: the one that is known, the one of the same e-mail, or a new one. S7. */
async function accountOf(ctx: RequestContext, app: SocialAppRow, { issuer, person }: Named): Promise<SignedInUser> {
  if (!/^[\x21-\x7e]{1,255}$/.test(person.subject)) throw codeRefused()
  const who = { tenant: ctx.tenant, appId: app.id, issuer, subject: person.subject }
  const email = emailOf(person)
  const trusted = person.emailVerified || app.settings.trust_email === true
  const confirmation = crypto.randomUUID()
  for (let attempts = 0; attempts < attemptsMax; attempts++) {
    const visit = await unlessMeanwhile(
      inTenant(ctx, 'write', [], undefined, [store.signIn(who, email ?? null, trusted, confirmation), selectPersonListeners(ctx)]),
    )
    if (!visit) continue
    const row = visit.before.one<store.SignInRow>(0)
    if (row.outcome === 'signed in') return asSignedIn(row)
    if (row.outcome === 'confirm') {
      await askForCode(ctx, confirmation, email as string)
      throw new ConfirmationRequired(confirmation)
    }
    if (row.outcome !== 'unknown') throw (refusals[row.outcome] ?? unavailable)()
    if (email === undefined) throw noEmail()
    const newUser = asNewUser(person, email)
    const made = await unlessMeanwhile(createPerson(ctx, newUser, visit.before.rows<Listener>(1), [store.linkAccount(who, newUser.uuid, trusted)]))
    if (made) return asNewlySignedIn(made)
  }
  throw unavailable()
}

/** A new account, whose generation is the first. */
function asNewlySignedIn({ user, also }: { user: User; also: Results }): SignedInUser {
  const { organization_id: organizationId } = also.one<{ organization_id: number }>()
  return { user, identity: { userId: user.id, generation: 1, organizationId } }
}

/** Undefined: another sign-in of the same person was faster, so that what it left is looked at anew. */
async function unlessMeanwhile<Result>(work: Promise<Result>): Promise<Result | undefined> {
  try {
    return await work
  } catch (error) {
    if (isViolationOf(error, 'social_accounts_identity_key')) return undefined
    throw error
  }
}
