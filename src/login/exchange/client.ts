/**
 * The client of one provider, for one sign-in: what openid-client is told of it, and how it may ask. S8. It reads the
 * provider's keys anew, as a code is good once: a key that was published a moment ago must not cost a sign-in.
 */
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
import { guardedFetch, type OutgoingConfig } from '../../outgoing/fetch.ts'
import type { Settings } from '../social-apps/schema.ts'

export type AuthMethod = NonNullable<Settings['token_endpoint_auth_method']>

/** How far clocks may differ. */
const skewSeconds = 30

const authentications: Readonly<Record<AuthMethod, (secret: string) => ClientAuth>> = {
  client_secret_basic: ClientSecretBasic,
  client_secret_post: ClientSecretPost,
  client_secret_jwt: (secret) => ClientSecretJwt(secret),
  none: () => None(),
}

interface Told {
  server: ServerMetadata
  clientId: string
  /** Null: nothing is asked that needs it. */
  authentication: { method: AuthMethod; secret: string } | null
  /** In the place of the guarded fetch, which it may use. */
  ask?: (guarded: CustomFetch) => CustomFetch
}

export function clientOf(config: OutgoingConfig, { server, clientId, authentication, ask = (guarded) => guarded }: Told): Configuration {
  const authenticate = authentication ? authentications[authentication.method](authentication.secret) : None()
  const client = new Configuration(server, clientId, { [clockTolerance]: skewSeconds }, authenticate)
  client[customFetch] = ask((url, options) => guardedFetch(config, url, options as RequestInit))
  client.timeout = 10
  // That an ID token came over TLS is not enough: its signature is verified.
  enableNonRepudiationChecks(client)
  if (config.ALLOW_PRIVATE_HOSTS) allowInsecureRequests(client)
  return client
}
