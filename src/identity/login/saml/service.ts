/** SAML 2.0 as a service provider, for the other code of sign-ins. */
import { IsolateCache } from '../../../kernel/lib/isolate-cache.ts'
import { sha256 } from '../../../kernel/lib/sha256.ts'
import { guardedFetch, type OutgoingConfig } from '../../../kernel/outgoing/fetch.ts'
import { ProviderProblem } from '../providers/problem.ts'
import { privateKeyOf } from './algorithms.ts'
import type { Expected } from './conditions.ts'
import type { Asserted } from './documents.ts'
import type { SamlMetadata } from './metadata.ts'
import type { Binding } from './names.ts'
import { type AuthnRequest, redirectTo, writeRequest } from './request.ts'
import type { SamlSettings } from './schema.ts'

/** Loads the code that reads and signs XML. Requests that do not need it do not load it. */
const documents = () => import('./documents.ts')

const lifetimeMs = 600_000
const cache = new IsolateCache<{ metadata: SamlMetadata; expiresAt: number }>('provider_metadata', {
  bytesOf: ({ metadata }) => 500 + JSON.stringify(metadata).length,
})

/**
 * Returns the metadata of a provider, cached for ten minutes. `refresh` skips the cache. Throws an Error that
 * says why it cannot be read or used.
 */
export async function readProvider(
  config: OutgoingConfig,
  settings: SamlSettings,
  { refresh = false } = {},
): Promise<SamlMetadata> {
  const { metadata_url: address, metadata: document } = settings
  const key = `${config.ALLOW_PRIVATE_HOSTS} ${address ?? sha256(document ?? '')}`
  const cached = cache.get(key)
  if (!refresh && cached && cached.expiresAt > Date.now()) return cached.metadata
  const text = address === undefined ? (document ?? '') : await download(config, address)
  const metadata = (await documents()).parseMetadata(config, text)
  cache.set(key, { metadata, expiresAt: Date.now() + lifetimeMs })
  return metadata
}

async function download(config: OutgoingConfig, address: string): Promise<string> {
  const headers = { accept: 'application/samlmetadata+xml, application/xml, text/xml' }
  const response = await guardedFetch(config, address, { headers })
  if (response.status !== 200)
    throw new ProviderProblem(`the address of the metadata answers ${response.status}`)
  return response.text()
}

/** Checks a response: `judge` of documents.ts, with the packages loaded. */
export async function judgeResponse(
  field: string,
  metadata: SamlMetadata,
  expected: Omit<Expected, 'issuer'>,
  settings: SamlSettings,
): Promise<Asserted> {
  const { judge } = await documents()
  return judge(field, metadata.certificates, { ...expected, issuer: metadata.issuer }, settings)
}

/**
 * Returns the binding and the address of requests: those of the settings, or the other binding if the
 * provider does not have it.
 */
export function endpointOf(
  { request_binding: wanted = 'redirect' }: SamlSettings,
  { endpoints }: SamlMetadata,
): { binding: Binding; destination: string } {
  const other = wanted === 'redirect' ? 'post' : 'redirect'
  const destination = endpoints[wanted]
  return destination === undefined
    ? { binding: other, destination: endpoints[other] ?? '' }
    : { binding: wanted, destination }
}

/** The credentials that sign requests: a private key and its certificate, both in PEM. */
export interface Signer {
  secret: string
  key: string
}

/** A request to send: an address to open, or a form to submit. */
export type SentRequest =
  | { binding: 'redirect'; address: URL }
  | { binding: 'post'; action: string; fields: Readonly<Record<string, string>> }

/**
 * Creates the request of an attempt. The response returns `relayState`. `signer` signs the request; null: it
 * is not signed.
 */
export async function makeRequest(
  settings: SamlSettings,
  metadata: SamlMetadata,
  content: Omit<AuthnRequest, 'destination'>,
  { relayState, signer }: { relayState: string; signer: Signer | null },
): Promise<SentRequest> {
  const { binding, destination } = endpointOf(settings, metadata)
  const request = { ...content, destination }
  const key = (signer && privateKeyOf(signer.secret)) ?? null
  if (binding === 'redirect') return { binding, address: redirectTo(request, relayState, key) }
  const document = writeRequest(request)
  const sent = signer && key ? (await documents()).signRequest(document, key, signer.key) : document
  const fields = { SAMLRequest: Buffer.from(sent).toString('base64'), RelayState: relayState }
  return { binding, action: request.destination, fields }
}
