/** Redeems an authorization code: returns the person that the provider identifies. S5. */
import { fetchUserInfo, type ServerMetadata } from 'openid-client'
import { guardedFetch, type OutgoingConfig } from '../../../kernel/outgoing/fetch.ts'
import { ProviderProblem } from '../providers/problem.ts'
import type { Claims, OAuthProvider, OpenIdProvider } from '../providers/provider.ts'
import { providerOf } from '../providers/registry.ts'
import type { Credentials, SocialAppRow } from '../social-apps/store.ts'
import type { EndedAttempt, ProviderIdentity } from './attempt.ts'
import { serverMetadata } from './authorize.ts'
import type { AuthMethod } from './client.ts'
import { stepFailed } from './errors.ts'
import { redeemSaml } from './saml.ts'
import { type Progress, requestTokens, type TokenRequest, type TokenResponse } from './token-request.ts'

/** A social app whose secret and key are decrypted. */
export type AppWithCredentials = SocialAppRow & { credentials: Credentials }

/** The response to an authorization request. */
export interface AuthorizationResponse {
  code: string
  /**
   * The issuer that sent the code (RFC 9207). Undefined if the provider sent none. Null if the client did not
   * pass it on: then it is not compared.
   */
  iss: string | null | undefined
  redirectUri: string
  /** Null if the client made the authorization request itself. */
  attempt: EndedAttempt | null
}

/** One redemption, with the metadata of its server. */
interface Redemption<Kind extends OpenIdProvider | OAuthProvider> {
  config: OutgoingConfig
  app: AppWithCredentials
  provider: Kind
  server: ServerMetadata
  response: AuthorizationResponse
  progress: Progress
}

/** Redeems the code. Throws a 400 that names the step that failed, here or in openid-client. */
export async function redeem(
  config: OutgoingConfig,
  app: AppWithCredentials,
  response: AuthorizationResponse,
): Promise<ProviderIdentity> {
  const provider = providerOf(app)
  if (provider.protocol === 'saml') return redeemSaml(response.code, response.attempt)
  const server = await serverMetadata(config, app, provider)
  const progress: Progress = { step: 'callback' }
  try {
    return provider.protocol === 'openid'
      ? await redeemOpenId({ config, app, provider, server, response, progress })
      : await redeemOAuth({ config, app, provider, server, response, progress })
  } catch (cause) {
    throw stepFailed(progress.step, cause)
  }
}

async function redeemOpenId(redemption: Redemption<OpenIdProvider>): Promise<ProviderIdentity> {
  const { app, provider, server, response, progress } = redemption
  const { client, tokens } = await exchange(redemption, {
    method: app.settings.token_endpoint_auth_method ?? defaultMethod(server),
    checks: { idTokenExpected: true, ...openIdChecks(provider, response.attempt) },
  })
  const claims = tokens.claims() as Claims & { sub: string; iss: string }
  const isComplete = claims.email !== undefined && claims.email_verified !== undefined
  progress.step = 'user_info'
  const userInfo: Claims =
    server.userinfo_endpoint && !isComplete
      ? await fetchUserInfo(client, tokens.access_token, claims.sub).catch(unlessOfAnother)
      : {}
  return { issuer: claims.iss, person: provider.read(mergeClaims(claims, userInfo)) }
}

/**
 * Returns no claims for a UserInfo that cannot be read, because the ID token has already proved who the
 * person is. Throws the error again if UserInfo describes another person.
 */
function unlessOfAnother(error: unknown): Claims {
  if (codeOf(error) === 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED') throw error
  return {}
}

/** Returns the code of an error of openid-client. */
const codeOf = (error: unknown): unknown =>
  error instanceof Error && 'code' in error ? error.code : undefined

function openIdChecks({ without = [] }: OpenIdProvider, attempt: EndedAttempt | null) {
  if (!attempt) return {}
  return {
    ...(without.includes('nonce') ? {} : { expectedNonce: attempt.nonce }),
    ...(without.includes('pkce') ? {} : { pkceCodeVerifier: attempt.codeVerifier }),
  }
}

/**
 * Merges the claims of the ID token with those of UserInfo. The ID token wins because it is signed. The
 * e-mail and `email_verified` are taken from the same source.
 */
function mergeClaims(claims: Claims, userInfo: Claims): Claims {
  const { email, email_verified } = userInfo.email === undefined ? claims : userInfo
  return { ...userInfo, ...claims, email, email_verified }
}

async function redeemOAuth(redemption: Redemption<OAuthProvider>): Promise<ProviderIdentity> {
  const { config, app, provider, server, response, progress } = redemption
  const { tokens } = await exchange(redemption, {
    method: app.settings.token_endpoint_auth_method ?? provider.authMethod,
    checks: response.attempt ? { pkceCodeVerifier: response.attempt.codeVerifier } : {},
  })
  progress.step = 'profile'
  const headers = {
    accept: 'application/json',
    authorization: `Bearer ${tokens.access_token}`,
    ...provider.headers?.(app.client_id),
  }
  const get = async (url: string): Promise<unknown> => {
    const reply = await guardedFetch(config, url, { headers })
    if (reply.status !== 200) throw new ProviderProblem(`the provider's API answers ${reply.status}`)
    return reply.json()
  }
  const person = await provider.read(get, provider.endpoints(app.settings.server_url))
  return { issuer: server.issuer, person }
}

/** Sends the token request of a redemption. */
async function exchange(
  { config, app, provider, server, response, progress }: Redemption<OpenIdProvider | OAuthProvider>,
  { method, checks }: { method: AuthMethod; checks: TokenRequest['checks'] },
): Promise<TokenResponse> {
  const { client_id: clientId, credentials } = app
  const secret = (await provider.secretOf?.({ clientId, ...credentials })) ?? credentials.secret
  return requestTokens({
    config,
    progress,
    client: { server, clientId, authentication: { method, secret } },
    callback: callbackOf(response, server),
    checks,
  })
}

/** Returns the address to which the provider sent the browser, for openid-client to check. */
function callbackOf({ code, iss, redirectUri }: AuthorizationResponse, server: ServerMetadata): URL {
  const callback = new URL(redirectUri)
  callback.searchParams.set('code', code)
  const isUnknown = iss === null && server.authorization_response_iss_parameter_supported
  const sender = isUnknown ? server.issuer : iss
  if (sender) callback.searchParams.set('iss', sender)
  return callback
}

/**
 * Returns the method to use if the settings name none: the HTTP header by default (OpenID Connect Discovery
 * 1.0, section 3).
 */
function defaultMethod({
  token_endpoint_auth_methods_supported: supported = ['client_secret_basic'],
}: ServerMetadata): AuthMethod {
  return supported.includes('client_secret_basic') ? 'client_secret_basic' : 'client_secret_post'
}
