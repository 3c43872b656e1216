/** What the parts of a social app have to do with each other. Spec: Social app; S1. */
import type { Config } from '../../env.ts'
import { allowedPorts, isAllowedAddress } from '../../outgoing/fetch.ts'
import { wellKnown } from '../providers/openid.ts'
import { hasOwnId } from '../providers/registry.ts'
import type { Settings } from './schema.ts'

interface App {
  provider: string
  provider_id: string
  settings: Settings
}

/** Messages by field; none when it is right. */
export function problemsOf(config: Config, { provider, provider_id, settings }: App): Record<string, string[]> {
  const server = settings.server_url
  const about: [field: string, wrong: boolean, message: string][] = [
    ['provider_id', hasOwnId(provider) && provider_id === '', 'This field is required for OpenID Connect and SAML providers.'],
    ['settings', provider === 'openid_connect' && server === undefined, 'OpenID Connect providers need a server_url.'],
    [
      'settings',
      provider === 'openid_connect' && server !== undefined && !server.endsWith(wellKnown),
      `The server_url of an OpenID Connect provider is that of its discovery document, which ends with ${wellKnown}.`,
    ],
    [
      'settings',
      server !== undefined && !isAllowedAddress(config, server),
      `The server_url has to be the address of a public host, over https, at port ${allowedPorts}.`,
    ],
  ]
  const wrong = about.filter(([, isWrong]) => isWrong)
  return Object.fromEntries([...Map.groupBy(wrong, ([field]) => field)].map(([field, rows]) => [field, rows.map(([, , message]) => message)]))
}
