/** The authorization request: the address for the browser, and the data to store about the request. S4. */
import {
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
} from 'openid-client'
import { isAllowedAddress, type OutgoingConfig } from '../../../kernel/outgoing/fetch.ts'
import { discover } from '../providers/discovery.ts'
import type { OAuthProvider, OpenIdProvider } from '../providers/provider.ts'
import { providerOf } from '../providers/registry.ts'
import type { SocialAppRow } from '../social-apps/store.ts'
import type { NewAttempt } from './attempt.ts'
import { createClient } from './client.ts'
import { providerUnusable } from './errors.ts'
import { samlAddress, samlMetadata } from './saml.ts'

/** Creates an attempt with a random state, nonce and code verifier. */
export const newAttempt = (redirectUri: string, next: string): NewAttempt => ({
  state: randomState(),
  nonce: randomNonce(),
  codeVerifier: randomPKCECodeVerifier(),
  redirectUri,
  next,
})

/**
 * Returns the address that starts an attempt, at the provider or at the site. `site` is the address of the
 * site. Throws a 400 if nobody can sign in with the app.
 */
export async function authorizationUrl(
  config: OutgoingConfig,
  app: SocialAppRow,
  attempt: NewAttempt,
  site: string,
): Promise<URL> {
  const provider = providerOf(app)
  if (provider.protocol === 'saml') return samlAddress(config, app, attempt, site)
  const client = createClient(config, {
    server: await serverMetadata(config, app, provider),
    clientId: app.client_id,
    authentication: null,
  })
  const omitted = provider.protocol === 'openid' ? (provider.without ?? []) : []
  return buildAuthorizationUrl(client, {
    redirect_uri: attempt.redirectUri,
    scope: scopeOf(app, provider),
    state: attempt.state,
    ...(omitted.includes('nonce') ? {} : { nonce: attempt.nonce }),
    ...(omitted.includes('pkce') ? {} : await challengeOf(attempt)),
    ...(provider.responseMode ? { response_mode: provider.responseMode } : {}),
  })
}

/** Returns the issuer of an app with its own document: a discovery document or metadata. Throws a 400. */
export async function issuerOf(config: OutgoingConfig, app: SocialAppRow): Promise<string> {
  const provider = providerOf(app)
  const { issuer } =
    provider.protocol === 'saml'
      ? await samlMetadata(config, app)
      : await serverMetadata(config, app, provider)
  return issuer
}

const challengeOf = async ({ codeVerifier }: NewAttempt) => ({
  code_challenge: await calculatePKCECodeChallenge(codeVerifier),
  code_challenge_method: 'S256',
})

/**
 * Returns the issuer and endpoints of an app's provider: from the discovery document for OpenID Connect,
 * otherwise from the provider's row in the registry. Throws a 400 if they cannot be used.
 */
export async function serverMetadata(
  config: OutgoingConfig,
  { settings }: SocialAppRow,
  provider: OpenIdProvider | OAuthProvider,
) {
  if (provider.protocol === 'openid')
    return discover(config, provider, settings.server_url).catch((cause: unknown) => {
      throw providerUnusable(cause)
    })
  const { authorization, token } = provider.endpoints(settings.server_url)
  if (!isAllowedAddress(config, authorization)) throw providerUnusable()
  return {
    issuer: new URL(authorization).origin,
    authorization_endpoint: authorization,
    token_endpoint: token,
  }
}

function scopeOf({ settings }: SocialAppRow, provider: OpenIdProvider | OAuthProvider): string {
  const scopes = settings.scope ?? provider.scope
  // Without the scope openid, the provider returns no ID token.
  return [...new Set(provider.protocol === 'openid' ? ['openid', ...scopes] : scopes)].join(' ')
}
