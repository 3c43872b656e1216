/** Brings a database to the newest schema: tables, then functions. Safe to repeat and to interrupt. */
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import pg from 'pg'
import { installExtensions } from './extensions.ts'
import { inTransaction } from './in-transaction.ts'
import { readHistory, refuseOthers } from './migration-history.ts'
import { canChooseInheritance } from './roles.ts'
import { applySources, type Source } from './sources.ts'
import { lockWaitMs, whenUnlocked } from './when-unlocked.ts'

/** The migrations of this version. */
const ownFolder = join(import.meta.dirname, '..', 'migrations')

const read = (folder: string, path: string): string => readFileSync(join(folder, path), 'utf8')

/** Returns the files in a folder of migrations/ and below it, in the order of their paths. */
function sourcesIn(folder: string, path: string): Source[] {
  const files = readdirSync(join(folder, path), {
    recursive: true,
    encoding: 'utf8',
  })
  return files
    .filter((file) => file.endsWith('.sql'))
    .map((file) =>
      relative(folder, join(folder, path, file))
        .split(sep)
        .join('/'),
    )
    .sort()
    .map((name) => ({ name, sql: read(folder, name) }))
}

/** Returns the migrations in the order in which they run. */
export function migrationsIn(folder = ownFolder): Source[] {
  const files = readdirSync(folder).filter((file) => /^\d.*\.sql$/.test(file))
  return files.sort().map((name) => ({ name, sql: read(folder, name) }))
}

/** Returns the repeatable files, in the order in which they are applied. */
const repeatableIn = (folder: string) =>
  ['types', 'functions', 'triggers'].flatMap((path) => sourcesIn(folder, path))

/** Only one migration runs at a time in a database, from any machine; any constant number would do. */
const lock = 7_283_554_001

const setLockWait = `set lock_timeout = ${lockWaitMs}`

interface Options {
  /** The addresses of the service's roles, which get the rights that they need. */
  roles?: { service: string; schema?: string | undefined }
  /** Called if the migration has to wait for another one. */
  onWait?: () => void
  /** The folder of the migrations; by default those of this version. */
  folder?: string
}

/**
 * Returns how many migrations ran. `url`: the address for the role that owns the platform's tables. It must
 * lead to Postgres without a pooler, because the lock belongs to a session. The service answers requests
 * during this. Throws OtherVersion if the database has migrations that this version does not have.
 */
export async function migrate(
  url: string,
  { roles, onWait = () => undefined, folder = ownFolder }: Options = {},
): Promise<number> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => undefined)
  await client.connect()
  try {
    await client.query(setLockWait)
    await becomeOnly(client, onWait)
    await requireInheritance(client)
    const applied = await applyMissing(client, folder)
    await whenUnlocked(() =>
      applySources(client, repeatableIn(folder), read(folder, 'rights.sql'), async () => {
        if (roles)
          await client.query('select public.allow_service($1, $2)', [
            userOf(roles.service),
            roles.schema ? userOf(roles.schema) : null,
          ])
      }),
    )
    await installExtensions(client)
    return applied
  } finally {
    await client.end()
  }
}

/** Waits until no other migration of the database runs. */
async function becomeOnly(client: pg.Client, onWait: () => void): Promise<void> {
  const { rows } = await client.query<{ is: boolean }>('select pg_try_advisory_lock($1) as is', [lock])
  if (rows[0]?.is) return
  onWait()
  await client.query('set lock_timeout = 0')
  await client.query('select pg_advisory_lock($1)', [lock])
  await client.query(setLockWait)
}

/**
 * Throws if the owner does not have the rights of the roles that it is a member of, and the version of
 * Postgres cannot grant them by the membership.
 */
async function requireInheritance(client: pg.Client): Promise<void> {
  if (await canChooseInheritance(client)) return
  const { rows } = await client.query<{ rolname: string; rolinherit: boolean }>(
    'select rolname, rolinherit from pg_roles where rolname = current_user',
  )
  if (rows[0]?.rolinherit) return
  throw new Error(
    `On this version of Postgres the role ${rows[0]?.rolname} needs INHERIT: alter role … inherit.`,
  )
}

const userOf = (url: string): string => decodeURIComponent(new URL(url).username)

async function applyMissing(client: pg.Client, folder: string): Promise<number> {
  const history = await readHistory(client)
  const migrations = migrationsIn(folder)
  refuseOthers(history, migrations)
  const missing = migrations.filter(({ name }) => !history.some((applied) => applied.name === name))
  for (const { name, sql } of missing) {
    await whenUnlocked(() =>
      inTransaction(client, async () => {
        // A role with the name of a schema would create its tables there.
        await client.query('set local search_path to public')
        await client.query(sql)
        await client.query('insert into public.schema_migrations (name, sql) values ($1, $2)', [name, sql])
      }),
    ).catch((error: Error) => {
      throw new Error(`Migration ${name} failed: ${error.message}`, { cause: error })
    })
  }
  return missing.length
}
