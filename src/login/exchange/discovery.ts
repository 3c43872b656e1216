/** The discovery document of an OpenID provider: read, judged, and kept for a while. S3. */
import { z } from 'zod'
import { LruCache } from '../../lib/lru-cache.ts'
import { guardedFetch, isAllowedAddress, type OutgoingConfig } from '../../outgoing/fetch.ts'
import type { OpenIdProvider } from '../providers/provider.ts'

/** As far as it is read here; the rest is kept for the client. */
const document = z
  .object({
    issuer: z.string(),
    authorization_endpoint: z.string(),
    token_endpoint: z.string(),
    jwks_uri: z.string(),
    userinfo_endpoint: z.string().optional(),
    id_token_signing_alg_values_supported: z.array(z.string()).default(['RS256']),
    token_endpoint_auth_methods_supported: z.array(z.string()).default(['client_secret_basic']),
  })
  .catchall(z.json())
export type Discovered = z.infer<typeof document>

/** What an ID token may be signed with. Never a shared secret, never nothing. */
const algorithms = new Set(['RS256', 'PS256', 'ES256', 'EdDSA', 'Ed25519'])

const lifetimeMs = 600_000
const known = new LruCache<string, { document: Discovered; until: number }>(500)

/** Throws when it cannot be read, names another issuer, or places that may not be asked. `anew`: not the one that is kept. */
export async function discover(
  config: OutgoingConfig,
  provider: OpenIdProvider,
  server: string | undefined,
  { anew = false } = {},
): Promise<Discovered> {
  const address = provider.discovery(server)
  if (address === null) throw new Error('the app names no discovery document')
  const name = `${config.ALLOW_PRIVATE_HOSTS} ${provider.code} ${address}`
  const kept = known.get(name)
  if (!anew && kept && kept.until > Date.now()) return kept.document
  const response = await guardedFetch(config, address, { headers: { accept: 'application/json' } })
  if (response.status !== 200) throw new Error(`the discovery document answers ${response.status}`)
  const read = judged(config, document.parse(await response.json()), provider.issuers(address))
  known.set(name, { document: read, until: Date.now() + lifetimeMs })
  return read
}

function judged(config: OutgoingConfig, read: Discovered, issuers: readonly string[]): Discovered {
  if (!issuers.includes(read.issuer)) throw new Error('the discovery document names another issuer')
  for (const endpoint of ['authorization_endpoint', 'token_endpoint', 'jwks_uri', 'userinfo_endpoint'] as const) {
    const address = read[endpoint]
    if (address !== undefined && !isAllowedAddress(config, address))
      throw new Error(`the discovery document names a ${endpoint} that may not be asked`)
  }
  const signed = read.id_token_signing_alg_values_supported.filter((algorithm) => algorithms.has(algorithm))
  if (signed.length === 0) throw new Error('the provider signs with no algorithm of ours')
  return { ...read, id_token_signing_alg_values_supported: signed }
}
