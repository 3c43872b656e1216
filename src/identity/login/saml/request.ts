/** Writes the request that asks a provider to sign a person in, and its address. */
import { deflateRawSync } from 'node:zlib'
import { escapeHtml } from '../../../kernel/lib/escape-html.ts'
import { algorithmsOfRequests, type Key, signText } from './algorithms.ts'
import { bindings, namespaces } from './names.ts'

/**
 * Returns the address that receives the responses for an app. `site` is the address of the site, without a
 * final slash.
 */
export const consumerUrl = (site: string, handle: string): string => `${site}/accounts/saml/${handle}/acs/`

/**
 * Returns the id of the request of an attempt, which its response repeats. An id must not begin with a digit.
 */
export const requestIdOf = (nonce: string): string => `_${nonce}`

/** The content of a request. */
export interface AuthnRequest {
  id: string
  /** The entity id of the site. */
  issuer: string
  /** The address to which the request is sent. */
  destination: string
  /** The address to which the response must be sent. */
  consumer: string
}

export const writeRequest = ({ id, issuer, destination, consumer }: AuthnRequest): string =>
  `<samlp:AuthnRequest xmlns:samlp="${namespaces.protocol}" xmlns:saml="${namespaces.assertion}"` +
  ` ID="${escapeHtml(id)}" Version="2.0" IssueInstant="${new Date().toISOString()}"` +
  ` Destination="${escapeHtml(destination)}" ProtocolBinding="${bindings.post}"` +
  ` AssertionConsumerServiceURL="${escapeHtml(consumer)}">` +
  `<saml:Issuer>${escapeHtml(issuer)}</saml:Issuer>` +
  '<samlp:NameIDPolicy AllowCreate="true"/></samlp:AuthnRequest>'

/**
 * Returns the address that contains a request (HTTP-Redirect). The response returns `relayState`. `key` signs
 * the request; null: it is not signed.
 */
export function redirectTo(request: AuthnRequest, relayState: string, key: Key | null = null): URL {
  const query = new URLSearchParams({
    SAMLRequest: deflateRawSync(writeRequest(request)).toString('base64'),
    RelayState: relayState,
  })
  if (key) {
    query.set('SigAlg', algorithmsOfRequests(key).signature)
    query.set('Signature', signText(query.toString(), key.pem))
  }
  const address = new URL(request.destination)
  address.search = [address.search.slice(1), query.toString()].filter(Boolean).join('&')
  return address
}
