/** Starts and finishes sign-ins through a provider. S4–S7. */
import type { RequestContext } from '../../../kernel/context.ts'
import { inTenant } from '../../../kernel/db/tenant.ts'
import { found } from '../../../kernel/errors.ts'
import type { ProviderIdentity } from '../exchange/attempt.ts'
import { authorizationUrl, issuerOf, newAttempt } from '../exchange/authorize.ts'
import { redeem } from '../exchange/redeem.ts'
import { logFailure } from '../providers/failure-log.ts'
import type { Person } from '../providers/provider.ts'
import { providerOf } from '../providers/registry.ts'
import { type SocialAppRow, updateIssuer } from '../social-apps/store.ts'
import { type IdentifiedPerson, openAccount } from './account.ts'
import { endAttempt } from './end-attempt.ts'
import { callbackUrl, resolveRedirect, siteUrl } from './redirects.ts'
import * as store from './store.ts'
import type { SignedInUser } from './views.ts'

/** A request to start a sign-in. */
interface SignInStart {
  /** The address of the request. */
  url: string
  /** The name of the social app in paths. S2. */
  handle: string
  /** Omitted: the site's own callback page. */
  redirectUri?: string | undefined
  /** The path that the browser opens afterwards. `/` by default. */
  next?: string
  /** The user who links the provider to their account. Omitted: the attempt signs in. */
  linker?: store.Linker
}

/** The address to send the browser to, and the state with which it returns. */
export interface StartedSignIn {
  authorizationUrl: string
  state: string
}

/**
 * Starts a sign-in and stores its attempt. Takes one round trip, two if `redirectUri` has another host.
 * Throws 404 for an unknown app, and 400 for a redirect URI of another site and for a provider that cannot be
 * used.
 */
export async function beginSignIn(ctx: RequestContext, start: SignInStart): Promise<StartedSignIn> {
  const { url, handle, next = '/', linker = null } = start
  const redirectUri = (await resolveRedirect(ctx, start)) ?? callbackUrl(url, handle)
  const attempt = newAttempt(redirectUri, next)
  const stored = await inTenant(ctx, 'write', { app: store.beginAttempt(handle, attempt, linker) })
  const app = found(stored.app.first)
  const address = await authorizationUrl(ctx.config, app, attempt, siteUrl(url)).catch((error: Error) =>
    logAndRethrow(ctx.requestId, app, error),
  )
  if (app.issuer === null && providerOf(app).protocol !== 'oauth2') ctx.waitUntil(saveIssuer(ctx, app))
  return { authorizationUrl: address.href, state: attempt.state }
}

/** Saves the issuer of an app that could not be asked when the app was saved. S3. */
async function saveIssuer(ctx: RequestContext, app: SocialAppRow): Promise<void> {
  const issuer = await issuerOf(ctx.config, app)
  await inTenant(ctx, 'write', { saved: updateIssuer(app.id, app.revision, issuer) })
}

/** A request to finish an attempt with a code. */
export interface SignInCompletion {
  /** The address of the request. */
  url: string
  handle: string
  code: string
  /** Null if the client made the authorization request itself. */
  state: string | null
  /** The issuer that sent the code. Null if the client does not know it. */
  iss: string | null | undefined
  redirectUri?: string | undefined
  /** The names that the provider sent together with the code. */
  names?: Pick<Person, 'firstName' | 'lastName'>
}

/** A signed-in person, and the path that their browser opens next. */
export interface SignedIn extends SignedInUser {
  next: string
}

/**
 * Signs in the person that a provider's code identifies. Takes two round trips, a third one for a person
 * without an account, and one more if `redirectUri` has another host. The attempt ends before the provider is
 * called, so that it can be completed only once. Throws 400 and 403 as the decisions S4 to S7 say, and 404
 * for an unknown app.
 */
export async function finishSignIn(ctx: RequestContext, completion: SignInCompletion): Promise<SignedIn> {
  return openFor(ctx, await identify(ctx, completion, { kinds: 'sign-in', linker: null }))
}

/** Signs in a person whom a provider has identified. Throws as `finishSignIn` does. */
export async function openFor(ctx: RequestContext, identified: Identified): Promise<SignedIn> {
  return { ...(await openAccount(ctx, identified)), next: identified.next }
}

/** A person whom a provider has identified for an attempt. */
export interface Identified extends IdentifiedPerson {
  /** Whether the attempt links the provider to the account that began it. */
  isLink: boolean
  /** Whether the sign-in began at the provider, so that no request was made here. */
  isUnsolicited: boolean
  /** The path that the browser opens. */
  next: string
}

/** Ends an attempt that `finisher` may finish, and redeems its code. Throws the 400s and the 404 of both. */
export async function identify(
  ctx: RequestContext,
  completion: SignInCompletion,
  finisher: store.Finisher,
): Promise<Identified> {
  const { url, handle, code, state, iss, names } = completion
  const requestedUri = await resolveRedirect(ctx, completion)
  const ended = await endAttempt(ctx, { handle, state, redirectUri: requestedUri, finisher })
  const { app, place, attempt, isLink, isUnsolicited } = ended
  const redirectUri = attempt?.redirectUri ?? requestedUri ?? callbackUrl(url, handle)
  const response = { code, iss, redirectUri, attempt }
  const identity = await redeem(ctx.config, app, response).catch((error: Error) =>
    logAndRethrow(ctx.requestId, app, error),
  )
  if (app.issuer === null) ctx.waitUntil(saveIssuer(ctx, app))
  const next = attempt?.next ?? '/'
  return { app, place, identity: addNames(identity, names), isLink, isUnsolicited, next }
}

/** Fills in the names that are missing in the provider's claims. */
function addNames({ issuer, person }: ProviderIdentity, names: SignInCompletion['names']): ProviderIdentity {
  const firstName = person.firstName || (names?.firstName ?? '')
  const lastName = person.lastName || (names?.lastName ?? '')
  return { issuer, person: { ...person, firstName, lastName } }
}

/** Logs the cause of a 400. The client does not get it. */
function logAndRethrow(requestId: string, app: SocialAppRow, error: Error): never {
  logFailure(requestId, app, error.cause)
  throw error
}
