/** Reads, checks and caches the discovery documents of OpenID providers. S3. */
import * as z from 'zod'
import { IsolateCache } from '../../../kernel/lib/isolate-cache.ts'
import { quoteValue } from '../../../kernel/lib/quote-value.ts'
import { guardedFetch, isAllowedAddress, type OutgoingConfig } from '../../../kernel/outgoing/fetch.ts'
import { ProviderProblem } from './problem.ts'
import type { OpenIdProvider } from './provider.ts'
import { withoutNulls } from './without-nulls.ts'

/** The members that are checked here. The others are kept for openid-client. */
const discoveryDocument = z
  .object({
    issuer: z.string(),
    authorization_endpoint: z.string(),
    token_endpoint: z.string(),
    jwks_uri: z.string(),
    userinfo_endpoint: z.string().exactOptional(),
    id_token_signing_alg_values_supported: z.array(z.string()).default(['RS256']),
    token_endpoint_auth_methods_supported: z.array(z.string()).default(['client_secret_basic']),
  })
  .catchall(z.json())
type DiscoveryDocument = z.infer<typeof discoveryDocument>

/** The algorithms that may sign an ID token: no shared secrets, and never `none`. S10. */
const signingAlgorithm = /^(?:RS|PS|ES)(?:256|384|512)$|^EdDSA$|^Ed25519$/
/** The two names of one algorithm: RFC 9864 has replaced the first by the second. */
const edwards = ['EdDSA', 'Ed25519']

const lifetimeMs = 600_000
/** Real documents have a few thousand characters. */
const lengthMax = 65_536
/** A parsed document takes about so many times as many bytes as its JSON has characters. */
const bytesPerCharacter = 3
const cache = new IsolateCache<{ document: DiscoveryDocument; expiresAt: number }>('provider_documents', {
  bytesOf: ({ document }) => bytesPerCharacter * JSON.stringify(document).length,
})

/**
 * Returns the provider's discovery document, cached for ten minutes. `server` is the app's `server_url`;
 * `refresh` skips the cache. Throws an error, whose reason `reasonFor` returns, if the document cannot be
 * read, names another issuer, or names an address that the service must not call.
 */
export async function discover(
  config: OutgoingConfig,
  provider: OpenIdProvider,
  server: string | undefined,
  { refresh = false } = {},
): Promise<DiscoveryDocument> {
  const address = provider.discovery(server)
  if (address === null) throw new ProviderProblem('the app names no discovery document')
  const key = `${config.ALLOW_PRIVATE_HOSTS} ${provider.code} ${address}`
  const cached = cache.get(key)
  if (!refresh && cached && cached.expiresAt > Date.now()) return cached.document
  const response = await guardedFetch(config, address, { headers: { accept: 'application/json' } })
  if (response.status !== 200)
    throw new ProviderProblem(`the address of the discovery document answers ${response.status}`)
  const text = await response.text()
  if (text.length > lengthMax) throw new ProviderProblem('the discovery document is too long')
  const document = check(config, discoveryDocument.parse(withoutNulls(parsed(text))))
  if (!provider.isIssuer(document.issuer, address))
    throw new ProviderProblem(
      `the discovery document names another issuer than its own address: ${quoteValue(document.issuer)}`,
    )
  cache.set(key, { document, expiresAt: Date.now() + lifetimeMs })
  return document
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new ProviderProblem('the discovery document is not JSON')
  }
}

const endpoints = ['authorization_endpoint', 'token_endpoint', 'jwks_uri', 'userinfo_endpoint'] as const

/** Returns the document with only the algorithms that are accepted here. Throws if it must not be used. */
function check(config: OutgoingConfig, document: DiscoveryDocument): DiscoveryDocument {
  for (const endpoint of endpoints) {
    const address = document[endpoint]
    if (address !== undefined && !isAllowedAddress(config, address))
      throw new ProviderProblem(`the discovery document names a ${endpoint} that must not be called`)
  }
  const algorithms = document.id_token_signing_alg_values_supported.filter((name) =>
    signingAlgorithm.test(name),
  )
  if (algorithms.length === 0)
    throw new ProviderProblem('the provider supports no accepted signing algorithm')
  const others = algorithms.some((name) => edwards.includes(name)) ? edwards : []
  return { ...document, id_token_signing_alg_values_supported: [...new Set([...algorithms, ...others])] }
}
