/** The providers: one row each. S1. */
import { apple } from './apple.ts'
import { bitbucket } from './bitbucket.ts'
import { discord } from './discord.ts'
import { facebook } from './facebook.ts'
import { github } from './github.ts'
import { microsoft } from './microsoft.ts'
import { openIdProvider, readWrittenClaims } from './openid.ts'
import type { Provider } from './provider.ts'
import { twitch } from './twitch.ts'
import { zoom } from './zoom.ts'

const rows: readonly Provider[] = [
  openIdProvider('openid_connect', 'OpenID Connect', null),
  { protocol: 'saml', code: 'saml', label: 'SAML', scope: [] },
  openIdProvider('google', 'Google', 'https://accounts.google.com'),
  github,
  microsoft,
  openIdProvider('gitlab', 'GitLab', 'https://gitlab.com'),
  facebook,
  // It sends no nonce back, and refuses a code verifier. https://learn.microsoft.com/linkedin/consumer/integrations/self-serve/sign-in-with-linkedin-v2
  openIdProvider('linkedin', 'LinkedIn', 'https://www.linkedin.com/oauth', { without: ['pkce', 'nonce'], read: readWrittenClaims }),
  apple,
  openIdProvider('slack', 'Slack', 'https://slack.com'),
  discord,
  twitch,
  bitbucket,
  zoom,
]

const providers: ReadonlyMap<string, Provider> = new Map(rows.map((row) => [row.code, row]))

export const providerCodes: readonly string[] = [...providers.keys()]

/** Of an app that is stored, so that there is one. */
export function providerOf({ provider }: { provider: string }): Provider {
  const row = providers.get(provider)
  if (!row) throw new Error(`no provider "${provider}"`)
  return row
}

/** Of these there may be any number in a site, each with an id of its own. */
export const hasOwnId = (provider: string): boolean => provider === 'openid_connect' || provider === 'saml'
