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
import type { OutgoingConfig } from '../../outgoing/fetch.ts'
import { tenantPlaceholder } from '../providers/microsoft.ts'
import type { Provider } from '../providers/provider.ts'
import { type ClientOptions, createClient } from './client.ts'

/** A request for tokens. */
export interface TokenRequest {
  config: OutgoingConfig
  provider: Provider
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
  const { provider, client } = request
  if (client.server.issuer.includes(tenantPlaceholder)) return requestTokensOfTenant(request)
  return exchangeCode(request, { ...client, wrapFetch: normalizing(provider, client.server) })
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
  const { server } = request.client
  const responses: string[] = []
  const failure = await exchangeCode(request, {
    ...request.client,
    wrapFetch: recordingTo(responses, server),
  }).catch((error: unknown) => error)
  const [response] = responses
  if (response === undefined) throw failure
  const issuer = server.issuer.replace(tenantPlaceholder, tenantIn(response))
  return exchangeCode(request, {
    ...request.client,
    server: { ...server, issuer },
    wrapFetch: replaying(response, server),
  })
}

/** Reads the tenant from an ID token that is not verified yet. */
function tenantIn(response: string): string {
  const { id_token } = JSON.parse(response) as { id_token: string }
  const { tid } = decodeJwt(id_token)
  if (typeof tid !== 'string' || !/^[0-9a-f-]{36}$/i.test(tid))
    throw new Error('the ID token names no tenant')
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

/** Rewrites the token response of a provider that deviates from the standards. */
const normalizing =
  ({ normalizeTokens }: Provider, { token_endpoint }: ServerMetadata): FetchWrapper =>
  (guarded) =>
  async (url, options) => {
    const response = await guarded(url, options)
    if (!normalizeTokens || url !== token_endpoint || !response.ok) return response
    return asJson(JSON.stringify(normalizeTokens(await response.json())))
  }

const asJson = (text: string): Response =>
  new Response(text, { headers: { 'content-type': 'application/json' } })
