/** The rules between the fields of a social app. Spec: Social app; S1. */
import type { Config } from '../../env.ts'
import { allowedPorts, isAllowedAddress } from '../../outgoing/fetch.ts'
import { wellKnownPath } from '../providers/openid.ts'
import { hasOwnId } from '../providers/registry.ts'
import type { Settings } from './schema.ts'

interface App {
  provider: string
  provider_id: string
  settings: Settings
}

/** Returns messages by field. The result is empty if all rules are met. */
export function problemsOf(config: Config, app: App): Record<string, string[]> {
  const { provider, provider_id, settings } = app
  const server = settings.server_url
  const isOpenId = provider === 'openid_connect'
  const { saml } = settings
  const isSaml = provider === 'saml'
  const rules: [field: 'provider_id' | 'settings', isBroken: boolean, message: string][] = [
    [
      'provider_id',
      hasOwnId(provider) && provider_id === '',
      'This field is required for OpenID Connect and SAML providers.',
    ],
    ['settings', isOpenId && server === undefined, 'OpenID Connect providers need a server_url.'],
    [
      'settings',
      isOpenId && server !== undefined && !server.endsWith(wellKnownPath),
      'The server_url of an OpenID Connect provider must be the address of its discovery document, ' +
        `which ends with ${wellKnownPath}.`,
    ],
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
