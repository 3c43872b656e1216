/** Accepts the responses of SAML providers, and creates the requests and the metadata for them. */
import type { RequestContext } from '../../../kernel/context.ts'
import { isViolationOf } from '../../../kernel/db/failures.ts'
import { inTenant } from '../../../kernel/db/tenant.ts'
import { found, notFound } from '../../../kernel/errors.ts'
import { randomText } from '../../../kernel/lib/random-text.ts'
import { inTenantWithKeys, withCurrentKeys } from '../../../secrets/tenant-keys/service.ts'
import { newAttempt } from '../exchange/authorize.ts'
import { samlCodeHash, samlMetadata } from '../exchange/saml.ts'
import { logFailure } from '../providers/failure-log.ts'
import { providerOf } from '../providers/registry.ts'
import { certificateOf } from '../saml/algorithms.ts'
import { writeOwnMetadata } from '../saml/own-metadata.ts'
import { SamlCancelled, SamlProblem } from '../saml/problems.ts'
import { consumerUrl, requestIdOf } from '../saml/request.ts'
import { judgeResponse, makeRequest, type SentRequest } from '../saml/service.ts'
import { attemptUnknown, cancelled } from '../social/errors.ts'
import { callbackUrl, localPath, siteUrl } from '../social/redirects.ts'
import { selectByHandle } from '../social/store.ts'
import { decryptCredential, decryptCredentials } from '../social-apps/credentials.ts'
import type { SocialAppRow } from '../social-apps/store.ts'
import { responseRefused } from './errors.ts'
import * as store from './store.ts'

/** A response as a provider's form sends it. */
interface SentResponse {
  /** The address of the request. */
  url: string
  handle: string
  /** The field `SAMLResponse`. */
  response: string
  /** The field `RelayState`: the state of an attempt, or a path of the site if the sign-in begins there. */
  relayState: string
}

/**
 * The address to which the browser brings the code of a response. `state` is the state of a new attempt, for
 * its cookie.
 */
export interface TakenResponse {
  address: string
  newState: string | null
}

/**
 * Checks a response, stores the asserted person under a code that works once, and returns the address that
 * completes the sign-in with the code. Takes two round trips. Throws 404 for an unknown app, and 400 for a
 * rejected response, without storing anything.
 */
export async function takeResponse(ctx: RequestContext, sent: SentResponse): Promise<TakenResponse> {
  const { handle, relayState } = sent
  const answers = await inTenant(ctx, 'read', {
    app: selectByHandle(handle),
    attempt: store.selectAttempt(handle, relayState),
  })
  const app = requireSaml(answers.app.first)
  try {
    return await keep(ctx, app, sent, answers.attempt.first)
  } catch (error) {
    if (error instanceof SamlCancelled) throw cancelled()
    if (!(error instanceof SamlProblem)) throw error
    logFailure(ctx.requestId, app, error)
    throw responseRefused(error)
  }
}

async function keep(
  ctx: RequestContext,
  app: SocialAppRow,
  { url, handle, response, relayState }: SentResponse,
  waiting: store.WaitingAttempt | undefined,
): Promise<TakenResponse> {
  const settings = app.settings.saml ?? {}
  // If a state is not open, its sign-in has expired.
  if (!waiting && isState(relayState)) throw attemptUnknown()
  if (!waiting && !settings.idp_initiated) throw new SamlProblem('unsolicited')
  const metadata = await samlMetadata(ctx.config, app)
  const expected = {
    audience: app.client_id,
    consumer: consumerUrl(siteUrl(url), handle),
    requestId: waiting ? requestIdOf(waiting.nonce) : null,
    now: Date.now(),
  }
  const { id, endsAt, person } = await judgeResponse(response, metadata, expected, settings)
  const code = randomText(32)
  const kept = { codeHash: samlCodeHash(code), identity: { issuer: metadata.issuer, person } }
  const begun = newAttempt(callbackUrl(url, handle), localPath(url, relayState))
  const statement = waiting
    ? store.keepResponse(relayState, kept)
    : store.beginWithResponse(app.id, begun, kept)
  const asService = { used: store.useAssertion({ tenant: ctx.tenant, appId: app.id, id, endsAt }) }
  const stored = await inTenant(ctx, 'write', { kept: statement }, { asService }).catch((error: unknown) => {
    throw isViolationOf(error, store.usedBefore) ? new SamlProblem('replay', error) : error
  })
  if (!stored.kept.first) throw attemptUnknown()
  const address = new URL(waiting?.redirectUri ?? begun.redirectUri)
  address.searchParams.set('code', code)
  address.searchParams.set('state', waiting ? relayState : begun.state)
  return { address: address.href, newState: waiting ? null : begun.state }
}

/** Tells whether a text has the form of the state of an attempt. */
const isState = (text: string): boolean => /^[\w-]{43}$/.test(text)

/** Creates the request of an attempt that is sent from a page: in a form, or signed. Throws 400 and 404. */
export const requestOf = (
  ctx: RequestContext,
  { url, handle, state }: { url: string; handle: string; state: string },
): Promise<SentRequest & { name: string }> =>
  withCurrentKeys(async () => {
    const { keys, answers } = await inTenantWithKeys(ctx, 'read', {
      app: selectByHandle(handle),
      attempt: store.selectAttempt(handle, state),
    })
    const app = requireSaml(answers.app.first)
    const attempt = answers.attempt.first
    if (!attempt) throw attemptUnknown()
    const settings = app.settings.saml ?? {}
    const metadata = await samlMetadata(ctx.config, app)
    const signer = settings.sign_requests ? await decryptCredentials(ctx.config, keys, app) : null
    const consumer = consumerUrl(siteUrl(url), handle)
    const content = { id: requestIdOf(attempt.nonce), issuer: app.client_id, consumer }
    const request = await makeRequest(settings, metadata, content, { relayState: state, signer })
    return { ...request, name: app.name }
  })

/** Writes the metadata of the site for an app's provider. Takes one round trip. Throws 404. */
export const ownMetadataOf = (ctx: RequestContext, url: string, handle: string): Promise<string> =>
  withCurrentKeys(async () => {
    const { keys, answers } = await inTenantWithKeys(ctx, 'read', { app: selectByHandle(handle) })
    const app = requireSaml(answers.app.first)
    const isSigned = app.settings.saml?.sign_requests === true
    const certificate = isSigned ? await decryptCredential(ctx.config, keys, app, 'key') : null
    return writeOwnMetadata({
      entityId: app.client_id,
      consumer: consumerUrl(siteUrl(url), handle),
      certificate: certificate && certificateOf(certificate),
    })
  })

/** Returns the app if it uses SAML. Throws 404. */
function requireSaml(row: SocialAppRow | undefined): SocialAppRow {
  const app = found(row)
  if (providerOf(app).protocol !== 'saml') throw notFound()
  return app
}
