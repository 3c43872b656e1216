/** The variables of the Worker in the local stack: those of the environment, and defaults for local use. */
import { requireVariables, type VariableName, variableNames } from '../src/kernel/env.ts'
import { isLocalUrl } from '../src/kernel/lib/variable-forms.ts'
import { demo } from './demo/data.ts'

/** The variables that the stack sets itself: its database, and the endpoint in front of it. */
type Made = 'DATABASE_URL' | 'SCHEMA_DATABASE_URL' | 'NEON_ENDPOINT'
const made: ReadonlySet<string> = new Set<Made>(['DATABASE_URL', 'SCHEMA_DATABASE_URL', 'NEON_ENDPOINT'])

/** The origins of pages that a developer's own server serves, at any port. */
const localOrigins = [
  'http://localhost:*',
  'https://localhost:*',
  'http://127.0.0.1:*',
  'https://127.0.0.1:*',
]

/**
 * Returns the text of each variable by its name. Throws InvalidConfiguration, with a line for each malformed
 * variable.
 */
export function localVariables(env: NodeJS.ProcessEnv, address: string): Record<string, string> {
  const names = variableNames.filter((name) => env[name]?.trim() && !made.has(name))
  requireVariables(env, names)
  const given = Object.fromEntries(names.map((name) => [name, env[name] as string]))
  const isLocal = isLocalUrl(given.PUBLIC_URL ?? address)
  const defaults: Partial<Record<VariableName, string>> = {
    ENVIRONMENT: 'development',
    DEFAULT_SITE: demo.site,
    BASE_DOMAIN: 'localhost',
    PUBLIC_URL: address,
    // E-mails go to the local mailbox, /_dev/mailbox/, unless there is a mail server.
    EMAIL_TRANSPORT: given.SMTP_URL ? 'smtp' : 'mailbox',
    EMAIL_FROM: 'tessera@example.com',
    // A local name cannot have a DNS record. `wrangler dev` has the same database, but its own Durable
    // Objects.
    ...(isLocal ? { SITE_KEY_STORE: 'off', DOMAIN_PROOF: 'off', CORS_ORIGINS: localOrigins.join(',') } : {}),
  }
  const variables = { ...defaults, ...given }
  requireVariables(variables, Object.keys(variables) as VariableName[])
  return variables
}
