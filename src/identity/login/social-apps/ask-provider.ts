/** Asks the provider of a social app whether people can sign in with it. S3. */
import { invalidFields } from '../../../kernel/errors.ts'
import { OutgoingFailure } from '../../../kernel/outgoing/failure.ts'
import { guardedFetch, isAllowedAddress, type OutgoingConfig } from '../../../kernel/outgoing/fetch.ts'
import { discover } from '../providers/discovery.ts'
import { ProviderProblem, reasonFor } from '../providers/problem.ts'
import type { OAuthProvider, Provider } from '../providers/provider.ts'
import { providerOf } from '../providers/registry.ts'
import { DocumentProblem } from '../saml/problems.ts'
import { readProvider } from '../saml/service.ts'
import type { Settings } from './schema.ts'

/** What a provider has answered. */
export interface ProviderState {
  /** The issuer: people can sign in. Null: they cannot. */
  issuer: string | null
  /** Why the provider cannot be used, or could not be asked, as a sentence. */
  problem: string | null
  /** The error behind the problem, for the log. */
  cause?: unknown
}

/**
 * Reads the document of a provider, or asks a self-hosted server of OAuth 2 for an answer. If a hosted
 * service does not respond at the moment, the app is configured all the same: its address is not the owner's.
 * Throws a 400 if metadata in the request itself cannot be used.
 */
export async function askProvider(
  config: OutgoingConfig,
  app: { provider: string; settings: Settings },
): Promise<ProviderState> {
  const provider = providerOf(app)
  try {
    return { issuer: await issuerOf(config, provider, app.settings), problem: null }
  } catch (cause) {
    if (cause instanceof DocumentProblem && app.settings.saml?.metadata !== undefined)
      throw invalidFields({ settings: [cause.message] })
    const isDown = cause instanceof OutgoingFailure && app.settings.server_url === undefined
    const issuer = isDown ? hostedAt(provider) : null
    return { issuer, problem: reasonFor(cause), cause }
  }
}

async function issuerOf(config: OutgoingConfig, provider: Provider, settings: Settings): Promise<string> {
  const { server_url, saml } = settings
  if (provider.protocol === 'openid')
    return (await discover(config, provider, server_url, { refresh: true })).issuer
  if (provider.protocol === 'oauth2') return originOf(config, provider, server_url)
  if (saml?.metadata_url === undefined && saml?.metadata === undefined)
    throw new ProviderProblem('the app has no metadata of the provider')
  return (await readProvider(config, saml, { refresh: true })).issuer
}

/** Returns the origin of a server of OAuth 2. Throws OutgoingFailure if a self-hosted one does not respond. */
async function originOf(
  config: OutgoingConfig,
  provider: OAuthProvider,
  server: string | undefined,
): Promise<string> {
  const { authorization, token } = provider.endpoints(server)
  if (!isAllowedAddress(config, authorization))
    throw new ProviderProblem('the address of the server must not be called')
  if (server !== undefined) await guardedFetch(config, token, { method: 'POST' })
  return new URL(authorization).origin
}

/** Returns the origin of the hosted service of a provider; null if there is none. */
function hostedAt(provider: Provider): string | null {
  if (provider.protocol === 'saml') return null
  const address =
    provider.protocol === 'openid'
      ? provider.discovery(undefined)
      : provider.endpoints(undefined).authorization
  return address === null ? null : new URL(address).origin
}
