/** The settings of a deployed environment in wrangler.toml. */
import { join } from 'node:path'
import { unstable_readConfig } from 'wrangler'
import { type VariableName, variableNames } from '../../src/kernel/env.ts'
import { type EnvironmentName, environmentNames } from './environment-names.ts'

/** The variables that are secrets: they are never in wrangler.toml. */
export const secretNames = [
  'DATABASE_URL',
  'SCHEMA_DATABASE_URL',
  'READ_DATABASE_URL',
  'SIGNING_KEYS',
  'MASTER_KEYS',
  'SMTP_URL',
] as const satisfies readonly VariableName[]

export type SecretName = (typeof secretNames)[number]

export interface Environment {
  name: EnvironmentName
  /** The name of the Worker at Cloudflare. */
  worker: string
  /** The variables of wrangler.toml, overridden by those of `--var`. */
  variables: Readonly<Record<string, string>>
  /** The values of `--var`, in wrangler's form. */
  overrides: readonly string[]
  queues: readonly string[]
}

const configPath = join(import.meta.dirname, '..', '..', 'wrangler.toml')

const isName = (name: string | undefined): name is EnvironmentName =>
  environmentNames.some((each) => each === name)

/**
 * Returns an environment. `overrides` are the values of `--var`, each as NAME:value. Throws an Error that
 * describes an invalid name or override.
 */
export function readEnvironment(name: string | undefined, overrides: readonly string[]): Environment {
  if (!isName(name))
    throw new Error(
      `--env ${name === undefined ? 'is missing' : `is ${name}`}; it has to be ${environmentNames.join(' or ')}.`,
    )
  const config = unstable_readConfig({ config: configPath, env: name }, { hideWarnings: true })
  const variables = Object.entries(config.vars).map(([key, value]) => [key, String(value)])
  const { producers = [], consumers = [] } = config.queues
  return {
    name,
    worker: config.name ?? '',
    variables: Object.fromEntries([...variables, ...overrides.map(override)]),
    overrides,
    queues: [...new Set([...producers, ...consumers].map(({ queue }) => queue))],
  }
}

/** Returns the name and the value of `--var NAME:value`. */
function override(text: string): [name: string, value: string] {
  const [, name = '', value = ''] = /^(\w+):(.*)$/s.exec(text) ?? []
  if (secretNames.some((secret) => secret === name))
    throw new Error(`--var ${name} is refused: it is a secret. Set it in the environment of the command.`)
  if (!variableNames.some((variable) => variable === name))
    throw new Error('--var has to be NAME:value, with the name of a variable of the Worker.')
  return [name, value]
}
