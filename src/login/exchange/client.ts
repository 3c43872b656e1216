/** The client of one provider: what openid-client is told of it, and how it may ask. S8. */
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
  getJwksCache,
  None,
  type ServerMetadata,
  setJwksCache,
} from 'openid-client'
import { LruCache } from '../../lib/lru-cache.ts'
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

/** Keys of providers, so that not every sign-in asks for them. The library decides how long they are good. */
const keySets = new LruCache<string, NonNullable<ReturnType<typeof getJwksCache>>>(500)

/** Does something with the keys that are known, and keeps those that were read. */
export async function withKnownKeys<Result>(client: Configuration, work: () => Promise<Result>): Promise<Result> {
  const place = client.serverMetadata().jwks_uri
  const known = place === undefined ? undefined : keySets.get(place)
  if (known) setJwksCache(client, known)
  try {
    return await work()
  } finally {
    const read = getJwksCache(client)
    if (place !== undefined && read) keySets.set(place, structuredClone(read))
  }
}
