/** Social apps of the providers in identity-providers.ts, and sign-ins with them. */
import { inject } from 'vitest'

/** The discovery document of the lying provider by a name: each name is a provider of its own. */
export const serverOf = (name: string): string => `${inject('identityProviders')}/liar/${name}/.well-known/openid-configuration`

/** The body that makes a social app of an OpenID provider. */
export const openIdApp = (providerId: string, server_url: string) => ({
  provider: 'openid_connect',
  provider_id: providerId,
  name: providerId,
  client_id: 'tessera',
  secret: 'right',
  settings: { server_url },
})
