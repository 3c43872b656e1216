/** Reads OWNER_DATABASE_URL, the variable of the commands that migrate a database or rotate its keys. */
import { InvalidConfiguration } from '../src/kernel/env.ts'
import { isDatabaseUrl } from '../src/kernel/lib/variable-forms.ts'

const meaning =
  'must be the URL of a Postgres database with the role that owns it, as postgresql://user:password@host/database.'

/**
 * Returns the URL; undefined if the variable is not set. Throws InvalidConfiguration, which does not quote
 * the value.
 */
export function ownerDatabaseUrl(env: NodeJS.ProcessEnv): string | undefined {
  const value = env.OWNER_DATABASE_URL?.trim()
  if (!value) return undefined
  if (!isDatabaseUrl(value)) throw new InvalidConfiguration([`OWNER_DATABASE_URL ${meaning}`])
  return value
}

/** Returns the URL. Throws InvalidConfiguration if the variable is missing or malformed. */
export function requireOwnerDatabaseUrl(env: NodeJS.ProcessEnv): string {
  const value = ownerDatabaseUrl(env)
  if (value === undefined) throw new InvalidConfiguration([`OWNER_DATABASE_URL is not set; it ${meaning}`])
  return value
}
