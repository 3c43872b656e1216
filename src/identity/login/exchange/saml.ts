/** SAML sign-ins in the form of other sign-ins: with an address to start and a code to finish. */

import { sha256 } from '../../../kernel/lib/sha256.ts'
import type { OutgoingConfig } from '../../../kernel/outgoing/fetch.ts'
import { ProviderProblem } from '../providers/problem.ts'
import type { SamlMetadata } from '../saml/metadata.ts'
import { consumerUrl, requestIdOf } from '../saml/request.ts'
import { endpointOf, makeRequest, readProvider } from '../saml/service.ts'
import type { SocialAppRow } from '../social-apps/store.ts'
import type { EndedAttempt, NewAttempt, ProviderIdentity } from './attempt.ts'
import { providerUnusable, stepFailed } from './errors.ts'

/**
 * Returns the metadata of an app's provider. Throws a 400 if it cannot be read, or if its entity id has
 * changed since the app was saved.
 */
export async function samlMetadata(
  config: OutgoingConfig,
  { settings, issuer }: Pick<SocialAppRow, 'settings' | 'issuer'>,
): Promise<SamlMetadata> {
  const metadata = await readProvider(config, settings.saml ?? {}).catch((cause: unknown) => {
    throw providerUnusable(cause)
  })
  if (issuer !== null && metadata.issuer !== issuer)
    throw providerUnusable(new ProviderProblem('the metadata has another entity id than before'))
  return metadata
}

/**
 * Returns the address that starts an attempt: that of the provider, or that of a page of the site that sends
 * the request in a form or signs it.
 */
export async function samlAddress(
  config: OutgoingConfig,
  app: SocialAppRow,
  { state, nonce }: NewAttempt,
  site: string,
): Promise<URL> {
  const metadata = await samlMetadata(config, app)
  const settings = app.settings.saml ?? {}
  const page = new URL(`${site}/accounts/saml/${app.handle}/request/?state=${state}`)
  if (settings.sign_requests || endpointOf(settings, metadata).binding === 'post') return page
  const content = { id: requestIdOf(nonce), issuer: app.client_id, consumer: consumerUrl(site, app.handle) }
  const request = await makeRequest(settings, metadata, content, { relayState: state, signer: null })
  return request.binding === 'redirect' ? request.address : page
}

/** Returns the hash under which a code is stored. */
export const samlCodeHash = (code: string): string => sha256(`saml code ${code}`)

/**
 * Returns the person that the provider has asserted for an attempt. Throws a 400 if the code does not belong
 * to its response.
 */
export function redeemSaml(code: string, attempt: EndedAttempt | null): ProviderIdentity {
  const { codeHash, identity } = attempt ?? {}
  if (!codeHash || !identity || codeHash !== samlCodeHash(code)) throw stepFailed('saml')
  return identity
}
