/** From a code to whom the provider names by it. S5. */
import { decodeJwt } from 'jose'
import { authorizationCodeGrant, type Configuration, type CustomFetch, fetchUserInfo, type ServerMetadata } from 'openid-client'
import { guardedFetch, type OutgoingConfig } from '../../outgoing/fetch.ts'
import { tenantPlaceholder } from '../providers/microsoft.ts'
import type { Claims, OAuthProvider, OpenIdProvider, Person, Provider } from '../providers/provider.ts'
import type { Credentials } from '../social-apps/credentials.ts'
import type { SocialAppRow } from '../social-apps/store.ts'
import { type Attempt, serverOf } from './authorize.ts'
import { type AuthMethod, clientOf } from './client.ts'
import { codeRefused, providerUnsupported } from './errors.ts'

export interface Returned {
  code: string
  /** RFC 9207: who says that it has sent the code. Null: the client did not say, so that it is not compared. */
  iss: string | null | undefined
  redirectUri: string
  /** Null: a client has begun the sign-in on its own. */
  attempt: Attempt | null
}

/** Whom a provider has named. The subject is one of this issuer alone. */
export interface Named {
  issuer: string
  person: Person
}

type App = SocialAppRow & { credentials: Credentials }

/** Every check of what came back is made here, or by openid-client: whatever does not hold is the same 400. */
export async function redeem(config: OutgoingConfig, app: App, provider: Provider, returned: Returned): Promise<Named> {
  if (provider.protocol === 'saml') throw providerUnsupported()
  const server: ServerMetadata = await serverOf(config, app, provider)
  try {
    return provider.protocol === 'openid'
      ? await redeemOpenId(config, app, provider, server, returned)
      : await redeemOAuth(config, app, provider, server, returned)
  } catch (cause) {
    throw codeRefused(cause)
  }
}

async function redeemOpenId(config: OutgoingConfig, app: App, provider: OpenIdProvider, server: ServerMetadata, returned: Returned): Promise<Named> {
  const { attempt } = returned
  const expects = (what: 'nonce' | 'pkce') => !provider.without?.includes(what)
  const method = app.settings.token_endpoint_auth_method ?? usualMethod(server)
  const { client, tokens } = await exchange(config, app, provider, server, method, returned, {
    idTokenExpected: true,
    ...(attempt && expects('nonce') ? { expectedNonce: attempt.nonce } : {}),
    ...(attempt && expects('pkce') ? { pkceCodeVerifier: attempt.codeVerifier } : {}),
  })
  const claims = tokens.claims() as Claims & { sub: string; iss: string }
  const isWhole = claims.email !== undefined && claims.email_verified !== undefined
  const more: Claims = server.userinfo_endpoint && !isWhole ? await fetchUserInfo(client, tokens.access_token, claims.sub) : {}
  return { issuer: claims.iss, person: provider.read(together(claims, more)) }
}

/** The ID token's own words count for more, as they are signed. Whether an e-mail is verified, only who names it says. */
function together(claims: Claims, more: Claims): Claims {
  const { email, email_verified } = more.email === undefined ? claims : more
  return { ...more, ...claims, email, email_verified }
}

async function redeemOAuth(config: OutgoingConfig, app: App, provider: OAuthProvider, server: ServerMetadata, returned: Returned): Promise<Named> {
  const method = app.settings.token_endpoint_auth_method ?? provider.authMethod
  const checks = returned.attempt ? { pkceCodeVerifier: returned.attempt.codeVerifier } : {}
  const { tokens } = await exchange(config, app, provider, server, method, returned, checks)
  const headers = {
    accept: 'application/json',
    authorization: `Bearer ${tokens.access_token}`,
    // Some refuse a request without one.
    'user-agent': 'tessera',
    ...provider.headers?.(app.client_id),
  }
  const get = async (url: string): Promise<unknown> => {
    const response = await guardedFetch(config, url, { headers })
    if (response.status !== 200) throw new Error(`the provider's API answers ${response.status}`)
    return response.json()
  }
  return { issuer: server.issuer, person: await provider.read(get, provider.endpoints(app.settings.server_url)) }
}

type Checks = NonNullable<Parameters<typeof authorizationCodeGrant>[2]>

async function exchange(
  config: OutgoingConfig,
  app: App,
  provider: Provider,
  server: ServerMetadata,
  method: AuthMethod,
  { code, iss, redirectUri }: Returned,
  checks: Checks,
) {
  const secret = (await provider.secretOf?.({ clientId: app.client_id, ...app.credentials })) ?? app.credentials.secret
  const current = new URL(redirectUri)
  current.searchParams.set('code', code)
  const sender = iss === null && server.authorization_response_iss_parameter_supported ? server.issuer : iss
  if (sender) current.searchParams.set('iss', sender)

  const grant = async (client: Configuration) => ({ client, tokens: await authorizationCodeGrant(client, current, checks) })
  const told = { clientId: app.client_id, authentication: { method, secret } }
  if (!server.issuer.includes(tenantPlaceholder)) return grant(clientOf(config, { ...told, server, ask: tidying(provider, server) }))

  // The issuer is known only with the token: what was answered is judged once more, by the issuer of the tenant that it names.
  let answer: string | undefined
  const keeping =
    (guarded: CustomFetch): CustomFetch =>
    async (url, options) => {
      const response = await guarded(url, options)
      if (url === server.token_endpoint && response.ok) answer = await response.clone().text()
      return response
    }
  const failure = await grant(clientOf(config, { ...told, server, ask: keeping })).then(
    () => undefined,
    (error: unknown) => error,
  )
  if (answer === undefined) throw failure
  const kept = answer
  const issuer = server.issuer.replace(tenantPlaceholder, tenantOf(kept))
  const replaying =
    (guarded: CustomFetch): CustomFetch =>
    async (url, options) =>
      url === server.token_endpoint ? asJson(kept) : guarded(url, options)
  return grant(clientOf(config, { ...told, server: { ...server, issuer }, ask: replaying }))
}

/** Of an ID token that is not verified yet. */
function tenantOf(tokenAnswer: string): string {
  const { tid } = decodeJwt((JSON.parse(tokenAnswer) as { id_token: string }).id_token)
  if (typeof tid !== 'string' || !/^[0-9a-f-]{36}$/i.test(tid)) throw new Error('the ID token names no tenant')
  return tid
}

const asJson = (text: string): Response => new Response(text, { headers: { 'content-type': 'application/json' } })

/** Puts the token answer of a provider that writes it otherwise into the form of the standards. */
const tidying =
  ({ tidyTokens }: Provider, { token_endpoint }: ServerMetadata) =>
  (guarded: CustomFetch): CustomFetch =>
    tidyTokens
      ? async (url, options) => {
          const response = await guarded(url, options)
          return url === token_endpoint && response.ok ? asJson(JSON.stringify(tidyTokens(await response.json()))) : response
        }
      : guarded

/** OpenID Connect Discovery 1.0, section 3: where the document does not say, it is the header. */
function usualMethod({ token_endpoint_auth_methods_supported: supported = ['client_secret_basic'] }: ServerMetadata): AuthMethod {
  return supported.includes('client_secret_basic') ? 'client_secret_basic' : 'client_secret_post'
}
