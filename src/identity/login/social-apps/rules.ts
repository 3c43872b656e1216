/** The rules between the fields of a social app. Spec: Social app; S1. */
import type { Config } from '../../../kernel/env.ts'
import { allowedPorts, isAllowedAddress } from '../../../kernel/outgoing/fetch.ts'
import type { Provider } from '../providers/provider.ts'
import { hasOwnId, providerOf } from '../providers/registry.ts'
import type { Settings } from './schema.ts'

interface App {
  provider: string
  provider_id: string
  settings: Settings
}

/** Returns where the secret of an app is sent. A SAML provider never gets it: it only signs. */
export const destinationOf = ({ provider, settings }: Pick<App, 'provider' | 'settings'>): string =>
  JSON.stringify(provider === 'saml' ? [provider] : [provider, settings.server_url])

/** Returns why an app of a provider may not have this `server_url`; undefined if it may. S9. */
const serverProblem = ({ label, serverProblem: problemOf }: Provider, server: string): string | undefined =>
  problemOf
    ? problemOf(new URL(server))
    : `${label} cannot have a server_url. For a server of your own, use openid_connect with a provider_id.`

/** Returns messages by field. The result is empty if all rules are met. */
export function problemsOf(config: Config, app: App): Record<string, string[]> {
  const { provider, provider_id, settings } = app
  const server = settings.server_url
  const isOpenId = provider === 'openid_connect'
  const { saml } = settings
  const isSaml = provider === 'saml'
  const serverMessage = server === undefined ? undefined : serverProblem(providerOf(app), server)
  const rules: [field: 'provider_id' | 'settings', isBroken: boolean, message: string][] = [
    [
      'provider_id',
      hasOwnId(provider) && provider_id === '',
      'This field is required for OpenID Connect and SAML providers.',
    ],
    ['settings', isOpenId && server === undefined, 'OpenID Connect providers need a server_url.'],
    ['settings', serverMessage !== undefined, serverMessage ?? ''],
    [
      'settings',
      server !== undefined && !isAllowedAddress(config, server),
      `The server_url must be an https address of a public host at port ${allowedPorts}.`,
    ],
    ['settings', !isSaml && saml !== undefined, 'Only SAML providers have the member saml.'],
    [
      'settings',
      isSaml && settings.trust_email === true,
      'SAML providers cannot have trust_email: an assertion never opens an existing account by its e-mail. ' +
        'Its owner can link the provider.',
    ],
    [
      'settings',
      saml?.metadata !== undefined && saml.metadata_url !== undefined,
      'Send either saml.metadata or saml.metadata_url.',
    ],
    [
      'settings',
      saml?.metadata_url !== undefined && !isAllowedAddress(config, saml.metadata_url),
      `The saml.metadata_url must be an https address of a public host at port ${allowedPorts}.`,
    ],
  ]
  const problems: Record<string, string[]> = {}
  for (const [field, isBroken, message] of rules)
    if (isBroken) problems[field] = [...(problems[field] ?? []), message]
  return problems
}
