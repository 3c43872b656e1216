/** Where a browser is sent to sign in, and what is remembered of it. S4. */
import { buildAuthorizationUrl, calculatePKCECodeChallenge, randomNonce, randomPKCECodeVerifier, randomState } from 'openid-client'
import { isAllowedAddress, type OutgoingConfig } from '../../outgoing/fetch.ts'
import type { Provider } from '../providers/provider.ts'
import type { SocialAppRow } from '../social-apps/store.ts'
import { clientOf } from './client.ts'
import { discover } from './discovery.ts'
import { providerUnsupported, providerUnusable } from './errors.ts'

/** A sign-in that has begun. */
export interface Attempt {
  nonce: string
  codeVerifier: string
  redirectUri: string
  /** Where the browser goes afterwards. */
  next: string
}

export interface NewAttempt extends Attempt {
  state: string
}

export const newAttempt = (redirectUri: string, next: string): NewAttempt => ({
  state: randomState(),
  nonce: randomNonce(),
  codeVerifier: randomPKCECodeVerifier(),
  redirectUri,
  next,
})

/** Fails with a 400 where nobody can sign in with the app. */
export async function authorizationUrl(config: OutgoingConfig, app: SocialAppRow, provider: Provider, attempt: NewAttempt): Promise<URL> {
  const client = clientOf(config, { server: await serverOf(config, app, provider), clientId: app.client_id, authentication: null })
  const skipped = provider.protocol === 'openid' ? (provider.without ?? []) : []
  return buildAuthorizationUrl(client, {
    redirect_uri: attempt.redirectUri,
    scope: scopeOf(app, provider),
    state: attempt.state,
    ...(skipped.includes('nonce') ? {} : { nonce: attempt.nonce }),
    ...(skipped.includes('pkce') ? {} : { code_challenge: await calculatePKCECodeChallenge(attempt.codeVerifier), code_challenge_method: 'S256' }),
    ...(provider.responseMode ? { response_mode: provider.responseMode } : {}),
  })
}

/** What the client has to know of the provider: as its discovery document says, or as its row does. */
export async function serverOf(config: OutgoingConfig, { settings }: SocialAppRow, provider: Provider) {
  switch (provider.protocol) {
    case 'openid':
      return discover(config, provider, settings.server_url).catch((cause: unknown) => {
        throw providerUnusable(cause)
      })
    case 'oauth2': {
      const { authorization, token } = provider.endpoints(settings.server_url)
      if (!isAllowedAddress(config, authorization)) throw providerUnusable()
      return { issuer: new URL(authorization).origin, authorization_endpoint: authorization, token_endpoint: token }
    }
    default:
      throw providerUnsupported()
  }
}

function scopeOf({ settings }: SocialAppRow, provider: Provider): string {
  const wanted = settings.scope ?? provider.scope
  // Without this one, there is no ID token.
  return [...new Set(provider.protocol === 'openid' ? ['openid', ...wanted] : wanted)].join(' ')
}
