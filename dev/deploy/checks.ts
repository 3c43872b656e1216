/** Checks before a deployment: variables, secrets, and the operator's own variables. */
import { configOf, describeVariable, type Env, InvalidConfiguration } from '../../src/kernel/env.ts'
import { isLocalUrl } from '../../src/kernel/lib/variable-forms.ts'
import { requireOwnerDatabaseUrl } from '../owner-database.ts'
import { type Environment, type SecretName, secretNames } from './environment.ts'

/** Returns the secrets that the Worker needs. */
export const requiredSecrets = ({ variables }: Environment): SecretName[] => [
  'DATABASE_URL',
  'SIGNING_KEYS',
  'MASTER_KEYS',
  ...(variables.EMAIL_TRANSPORT === 'smtp' ? (['SMTP_URL'] as const) : []),
]

/** Variables for a developer's machine, which a deployment must not have. */
const localOnly: readonly [name: string, isLocal: (value: string) => boolean, what: string][] = [
  ['ENVIRONMENT', (value) => value !== 'production', 'production'],
  ['EMAIL_TRANSPORT', (value) => value === 'mailbox', 'cloudflare or smtp'],
  ['ALLOW_PRIVATE_HOSTS', (value) => value === 'true', 'false'],
  ['DOMAIN_PROOF', (value) => value === 'off', 'on'],
  ['NEON_ENDPOINT', (value) => isLocalUrl(value), 'an address of Neon'],
  [
    'PUBLIC_URL',
    (value) => !value.startsWith('https:') || isLocalUrl(value),
    'an https URL that others reach',
  ],
]

/** Returns the public address of the service, without a slash at its end; undefined if no variable has it. */
export function publicUrlOf({ variables }: Environment): string | undefined {
  const { PUBLIC_URL, BASE_DOMAIN } = variables
  if (PUBLIC_URL) return PUBLIC_URL.replace(/\/$/, '')
  return BASE_DOMAIN ? `https://${BASE_DOMAIN}` : undefined
}

/**
 * Returns the problems of an environment's variables, one sentence each, without values of secrets. `env` is
 * the environment of the command, whose secrets are checked, too.
 */
export function problemsOf(environment: Environment, env: NodeJS.ProcessEnv): string[] {
  const { variables, name } = environment
  const given = Object.fromEntries(secretNames.map((secret) => [secret, env[secret]]))
  return [
    ...configurationProblems({ ...variables, ...given }),
    ...localOnly.flatMap(([variable, isLocal, what]) => {
      const value = variables[variable]
      return value && isLocal(value)
        ? [`${variable} of ${name} must be ${what}. Its present value is for local use.`]
        : []
    }),
    ...(publicUrlOf(environment) === undefined
      ? [`PUBLIC_URL or BASE_DOMAIN must be set in [env.${name}.vars] of wrangler.toml.`]
      : []),
    ...ownerProblems(env),
  ]
}

/**
 * Returns the problems by the Worker's own rules. A secret that the command does not have may already be at
 * Cloudflare.
 */
function configurationProblems(values: Readonly<Record<string, string | undefined>>): string[] {
  try {
    configOf({ ...values } as Record<string, unknown> as Env)
    return []
  } catch (error) {
    if (!(error instanceof InvalidConfiguration)) throw error
    const absent = secretNames.map((name) => describeVariable(name, false))
    return error.lines.filter((line) => !absent.includes(line))
  }
}

function ownerProblems(env: NodeJS.ProcessEnv): string[] {
  const problems: string[] = []
  try {
    requireOwnerDatabaseUrl(env)
  } catch (error) {
    problems.push((error as Error).message)
  }
  // The migration gives its role the rights that the Worker needs.
  if (!env.DATABASE_URL) problems.push(describeVariable('DATABASE_URL', false))
  return problems
}
