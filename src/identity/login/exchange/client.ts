/** Configures openid-client for one provider and one sign-in. S8. */
import {
  allowInsecureRequests,
  type ClientAuth,
  ClientSecretBasic,
  ClientSecretJwt,
  ClientSecretPost,
  Configuration,
  type CustomFetch,
  clockTolerance,
  customFetch,
  enableNonRepudiationChecks,
  None,
  type ServerMetadata,
} from 'openid-client'
import { guardedFetch, type OutgoingConfig } from '../../../kernel/outgoing/fetch.ts'
import type { Settings } from '../social-apps/schema.ts'

/** A method of client authentication at the token endpoint, by its name in OpenID Connect. */
export type AuthMethod = NonNullable<Settings['token_endpoint_auth_method']>

const clockSkewSeconds = 30
const timeoutSeconds = 10

const authentications: Readonly<Record<AuthMethod, (secret: string) => ClientAuth>> = {
  client_secret_basic: ClientSecretBasic,
  client_secret_post: ClientSecretPost,
  client_secret_jwt: (secret) => ClientSecretJwt(secret),
  none: () => None(),
}

/** The server and the credentials of a client. */
export interface ClientOptions {
  server: ServerMetadata
  clientId: string
  /** Null if the client sends no request that needs authentication. */
  authentication: { method: AuthMethod; secret: string } | null
  /** Returns the fetch to use instead of the guarded one. */
  wrapFetch?: (guarded: CustomFetch) => CustomFetch
}

/**
 * Creates the client for one sign-in. A new client reads the provider's keys again. That is intended: a code
 * can be redeemed only once, and must not be lost because the provider has just published a new key.
 */
export function createClient(
  config: OutgoingConfig,
  { server, clientId, authentication, wrapFetch = (guarded) => guarded }: ClientOptions,
): Configuration {
  const authenticate = authentication ? authentications[authentication.method](authentication.secret) : None()
  const client = new Configuration(server, clientId, { [clockTolerance]: clockSkewSeconds }, authenticate)
  client[customFetch] = wrapFetch((url, options) => guardedFetch(config, url, options as RequestInit))
  client.timeout = timeoutSeconds
  // The signature of an ID token is verified even if the token came straight from the token endpoint over
  // TLS.
  enableNonRepudiationChecks(client)
  if (config.ALLOW_PRIVATE_HOSTS) allowInsecureRequests(client)
  return client
}
