/** The registry of identity providers, one row each. S1. */
import { apple } from './apple.ts'
import { bitbucket } from './bitbucket.ts'
import { discord } from './discord.ts'
import { facebook } from './facebook.ts'
import { github } from './github.ts'
import { microsoft } from './microsoft.ts'
import { openIdProvider, wellKnownPath } from './openid.ts'
import type { Provider } from './provider.ts'
import { twitch } from './twitch.ts'
import { zoom } from './zoom.ts'

const rows: readonly Provider[] = [
  openIdProvider('openid_connect', 'OpenID Connect', null, {
    serverProblem: ({ href }) =>
      href.endsWith(wellKnownPath)
        ? undefined
        : 'The server_url of an OpenID Connect provider must be the address of its discovery document, ' +
          `which ends with ${wellKnownPath}.`,
  }),
  { protocol: 'saml', code: 'saml', label: 'SAML', scope: [] },
  openIdProvider('google', 'Google', 'https://accounts.google.com'),
  github,
  microsoft,
  openIdProvider('gitlab', 'GitLab', 'https://gitlab.com', { serverProblem: () => undefined }),
  facebook,
  // LinkedIn returns no nonce and rejects a code verifier.
  // https://learn.microsoft.com/linkedin/consumer/integrations/self-serve/sign-in-with-linkedin-v2
  openIdProvider('linkedin', 'LinkedIn', 'https://www.linkedin.com/oauth', {
    without: ['pkce', 'nonce'],
  }),
  apple,
  openIdProvider('slack', 'Slack', 'https://slack.com'),
  discord,
  twitch,
  bitbucket,
  zoom,
]

const providers: ReadonlyMap<string, Provider> = new Map(rows.map((row) => [row.code, row]))

/** The codes of all providers, as the API names them. */
export const providerCodes: readonly string[] = [...providers.keys()]

/** The display names of all providers, by their codes. */
export const providerLabels: Readonly<Record<string, string>> = Object.fromEntries(
  rows.map(({ code, label }) => [code, label]),
)

/** Returns the provider of a stored app. Throws an Error for an unknown code, which no stored app has. */
export function providerOf({ provider }: { provider: string }): Provider {
  const row = providers.get(provider)
  if (!row) throw new Error(`no provider "${provider}"`)
  return row
}

/** Returns whether a site may have several apps of this provider, each with its own `provider_id`. */
export const hasOwnId = (provider: string): boolean => provider === 'openid_connect' || provider === 'saml'
