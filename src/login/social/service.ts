/** Signing in through a provider: what begins it, and what ends it. S4–S7. */
import type { Identity } from '../../access/tokens.ts'
import type { RequestContext } from '../../context.ts'
import { isViolationOf } from '../../db/failures.ts'
import { inTenant } from '../../db/tenant.ts'
import { found, unavailable } from '../../errors.ts'
import { log } from '../../lib/log.ts'
import { inVault, withKeys } from '../../secrets/vault/service.ts'
import type { User } from '../../users/schema.ts'
import { createPerson, selectPersonListeners } from '../../users/service.ts'
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
import { checkedRedirect, checkOwn } from './redirects.ts'
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
  const begun = await inTenant(ctx, 'write', { app: store.beginAttempt(handle, attempt) }, { asService: { isOwn: redirect.isOwn } })
  const app = found(begun.app.first)
  checkOwn(begun.isOwn)
  const provider = providerOf(app)
  const address = await authorizationUrl(ctx.config, app, provider, attempt).catch(noting(ctx, app))
  if (app.issuer === null && provider.code === 'openid_connect') ctx.waitUntil(noteDiscovered(ctx, app))
  return { authorizationUrl: address.href, state: attempt.state }
}

/** The document could not be read when the app was saved, and was now. S3. */
async function noteDiscovered(ctx: RequestContext, app: SocialAppRow): Promise<void> {
  const { issuer } = await serverOf(ctx.config, app, providerOf(app))
  await inTenant(ctx, 'write', { noted: store.noteIssuer(app.id, app.revision, issuer) })
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
 * Signs in whoever a provider's code stands for. Takes two round trips, and a third for a person without an account. The
 * attempt ends before the provider is asked, so that it can be finished only once.
 */
export async function finishSignIn(ctx: RequestContext, ending: Ending): Promise<SignedIn> {
  const { app, attempt, redirectUri } = await endAttempt(ctx, ending)
  const returned = { code: ending.code, iss: ending.iss, redirectUri, attempt }
  const { issuer, person } = await redeem(ctx.config, app, providerOf(app), returned).catch(noting(ctx, app))
  const firstName = person.firstName || (ending.names?.firstName ?? '')
  const lastName = person.lastName || (ending.names?.lastName ?? '')
  const account = await accountOf(ctx, app, { issuer, person: { ...person, firstName, lastName } })
  return { ...account, next: attempt?.next ?? '/' }
}

/** Ends the attempt that the state belongs to, and returns it with its app. Null: the sign-in was not begun here. */
async function endAttempt(ctx: RequestContext, { url, handle, state, redirectUri }: Ending) {
  const redirect = checkedRedirect(ctx, url, handle, redirectUri)
  const ended = await inVault(ctx, 'write', { app: store.selectByHandle(handle), attempt: store.endAttempt(handle, state) })
  found(ended.results.app.first)
  const attempt = ended.results.attempt.first ?? null
  if (state !== null && !attempt) throw attemptUnknown()
  if (attempt && redirectUri !== undefined && attempt.redirectUri !== redirect.uri) throw otherRedirect()
  if (!attempt && redirect.isOwn) checkOwn((await inTenant(ctx, 'read', {}, { asService: { isOwn: redirect.isOwn } })).isOwn)

  const app = await withKeys(async (isFirst) => {
    const { keys, results } = isFirst ? ended : await inVault(ctx, 'read', { app: store.selectByHandle(handle) })
    const row = found(results.app.first)
    const [secret, key] = await Promise.all([openCredential(ctx.config, keys, row, 'secret'), openCredential(ctx.config, keys, row, 'key')])
    return { ...row, credentials: { secret, key } }
  })
  return { app, attempt, redirectUri: attempt?.redirectUri ?? redirect.uri }
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
    const asService = { signIn: store.signIn(who, email ?? null, trusted, confirmation), listeners: selectPersonListeners(ctx) }
    const visit = await unlessMeanwhile(inTenant(ctx, 'write', {}, { asService }))
    if (!visit) continue
    const row = visit.signIn.one
    if (row.outcome === 'signed in') return asSignedIn(row)
    if (row.outcome === 'confirm') {
      await askForCode(ctx, confirmation, email as string)
      throw new ConfirmationRequired(confirmation)
    }
    if (row.outcome !== 'unknown') throw (refusals[row.outcome] ?? unavailable)()
    if (email === undefined) throw noEmail()
    const newUser = asNewUser(person, email)
    const link = store.linkAccount(who, newUser.uuid, trusted)
    const made = await unlessMeanwhile(createPerson(ctx, newUser, visit.listeners.all, link))
    // The generation of a new account is the first one.
    if (made) return { user: made.user, identity: { userId: made.user.id, generation: 1, organizationId: made.link.organization_id } }
  }
  throw unavailable()
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
