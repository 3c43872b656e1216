/** The token request: exchanges an authorization code for the provider's tokens. S5. */
import { decodeJwt } from 'jose'
import {
  authorizationCodeGrant,
  type Configuration,
  type CustomFetch,
  type ServerMetadata,
  type TokenEndpointResponse,
  type TokenEndpointResponseHelpers,
} from 'openid-client'
import * as z from 'zod'
import type { OutgoingConfig } from '../../../kernel/outgoing/fetch.ts'
import { tenantId, tenantPlaceholder } from '../providers/microsoft.ts'
import { withoutNulls } from '../providers/without-nulls.ts'
import { type ClientOptions, createClient } from './client.ts'
import type { Step } from './errors.ts'

/** The step of a redemption that is under way. */
export interface Progress {
  step: Step
}

export interface TokenRequest {
  config: OutgoingConfig
  progress: Progress
  client: ClientOptions
  /** The redirect URI with the parameters that the provider added: `code`, and `iss` if it is known. */
  callback: URL
  /** The nonce and the code verifier, for openid-client to check. */
  checks: NonNullable<Parameters<typeof authorizationCodeGrant>[2]>
}

/** The verified response, and the client that received it. */
export interface TokenResponse {
  client: Configuration
  tokens: TokenEndpointResponse & TokenEndpointResponseHelpers
}

/** Sends the request and verifies the response. Throws an error of openid-client if a check fails. */
export async function requestTokens(request: TokenRequest): Promise<TokenResponse> {
  const { progress, client } = request
  if (client.server.issuer.includes(tenantPlaceholder)) return requestTokensOfTenant(request)
  return exchangeCode(request, { ...client, wrapFetch: following(progress, client.server) })
}

async function exchangeCode(
  { config, callback, checks }: TokenRequest,
  options: ClientOptions,
): Promise<TokenResponse> {
  const client = createClient(config, options)
  return { client, tokens: await authorizationCodeGrant(client, callback, checks) }
}

/**
 * Requests tokens from a provider of many tenants, whose issuer depends on the tenant in the ID token. The
 * first exchange always fails, at the check of the issuer. Its response is kept, the tenant is read from it,
 * and the same response is verified again with the tenant's issuer.
 */
async function requestTokensOfTenant(request: TokenRequest): Promise<TokenResponse> {
  const { progress } = request
  const { server } = request.client
  const responses: string[] = []
  const failure = await exchangeCode(request, {
    ...request.client,
    wrapFetch: (guarded) => recordingTo(responses, server)(following(progress, server)(guarded)),
  }).catch((error: unknown) => error)
  const [response] = responses
  if (response === undefined) throw failure
  const issuer = server.issuer.replace(tenantPlaceholder, tenantIn(response))
  return exchangeCode(request, {
    ...request.client,
    server: { ...server, issuer },
    wrapFetch: (guarded) => following(progress, server)(replaying(response, server)(guarded)),
  })
}

/** Reads the tenant from an ID token that is not verified yet. */
function tenantIn(response: string): string {
  const { id_token } = JSON.parse(response) as { id_token: string }
  const { tid } = decodeJwt(id_token)
  if (typeof tid !== 'string' || !tenantId.test(tid)) throw new Error('the ID token names no tenant')
  return tid
}

type FetchWrapper = (guarded: CustomFetch) => CustomFetch

/** Adds the text of each successful token response to a list. */
const recordingTo =
  (responses: string[], { token_endpoint }: ServerMetadata): FetchWrapper =>
  (guarded) =>
  async (url, options) => {
    const response = await guarded(url, options)
    if (url === token_endpoint && response.ok) responses.push(await response.clone().text())
    return response
  }

/** Answers the token request with an earlier response. */
const replaying =
  (response: string, { token_endpoint }: ServerMetadata): FetchWrapper =>
  (guarded) =>
  async (url, options) =>
    url === token_endpoint ? asJson(response) : guarded(url, options)

/** Follows the steps of an exchange, and reads the token response in the way of `standardTokens`. */
const following =
  (progress: Progress, { token_endpoint, jwks_uri }: ServerMetadata): FetchWrapper =>
  (guarded) =>
  async (url, options) => {
    if (url === token_endpoint) progress.step = 'token_request'
    if (url === jwks_uri) progress.step = 'keys'
    const response = await guarded(url, options)
    if (!response.ok) return response
    if (url === jwks_uri) {
      const keys = keySet.parse(await response.json())
      progress.step = 'id_token'
      return asJson(JSON.stringify(keys))
    }
    if (url !== token_endpoint) return response
    progress.step = 'token_response'
    const tokens = standardTokens(await response.json())
    if ('error' in tokens) progress.step = 'token_request'
    else if ('id_token' in tokens) progress.step = 'id_token'
    return asJson(JSON.stringify(tokens), 'error' in tokens ? 400 : 200)
  }

/** Keys of the curve Ed25519 sign with one algorithm, which has two names. */
const keySet = z.looseObject({
  keys: z.array(
    z.looseObject({}).transform(({ alg, ...key }) => ({
      ...key,
      ...(alg === undefined || key.crv === 'Ed25519' ? {} : { alg }),
    })),
  ),
})

const tokenResponse = z.object({
  access_token: z.string().optional(),
  token_type: z.string().default('Bearer'),
  id_token: z.string().optional(),
  error: z.string().optional(),
})

/**
 * Returns the members of a token response that are used here. Providers deviate in the others, send null for
 * members that they omit, and some send an error with status 200. Throws for another form.
 */
function standardTokens(json: unknown): object {
  const { error, ...tokens } = tokenResponse.parse(withoutNulls(json))
  return error !== undefined && tokens.access_token === undefined ? { error } : tokens
}

const asJson = (text: string, status = 200): Response =>
  new Response(text, { status, headers: { 'content-type': 'application/json' } })
