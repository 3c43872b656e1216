/**
 * Brings a database to the newest schema: tables, functions, then every site. Safe to repeat and to
 * interrupt.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import pg from 'pg'
import { inTransaction } from './in-transaction.ts'
import { readHistory, refuseOthers } from './migration-history.ts'
import { canChooseInheritance } from './roles.ts'
import { migrateSites, type SiteProgress } from './site-migrations.ts'
import { applySources, type Source } from './sources.ts'
import { installTrigrams } from './trigrams.ts'
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

/** Returns the migrations of a kind in the order in which they run. Their names have no folder. */
export function migrationsOf(kind: 'platform' | 'tenant', folder = ownFolder): Source[] {
  const files = readdirSync(join(folder, kind)).filter((file) => /^\d.*\.sql$/.test(file))
  return files.sort().map((name) => ({ name, sql: read(folder, `${kind}/${name}`) }))
}

/** Returns the repeatable files of the database, in the order in which they are applied. */
const platformSources = (folder: string) =>
  ['platform/types', 'tenant/types', 'tenant/functions', 'platform/functions', 'platform/triggers'].flatMap(
    (path) => sourcesIn(folder, path),
  )

/** Returns the repeatable files of every site, in the order in which they are applied. */
const tenantSources = (folder: string) => [
  ...sourcesIn(folder, 'tenant/triggers'),
  { name: 'tenant/rights.sql', sql: read(folder, 'tenant/rights.sql') },
]

/** Only one migration runs at a time in a database, from any machine; any constant number would do. */
const lock = 7_283_554_001

const setLockWait = `set lock_timeout = ${lockWaitMs}`

export interface Migrated {
  platform: number
  sites: number
}

interface Options {
  sitesAtOnce?: number
  /** The addresses of the service's roles, which get the rights that they need. */
  roles?: { service: string; schema?: string | undefined }
  /** Called after each part that takes long in a large database. */
  report?: (line: Progress) => void
  /** The folder of the migrations; by default those of this version. */
  folder?: string
}

/** The progress of a migration: it waits for another one, the platform is done, or another site is done. */
export type Progress = { waiting: true } | { platform: number } | SiteProgress

/**
 * Returns how many platform migrations ran and how many sites changed. `url`: the address for the role that
 * owns the platform's tables. It must lead to Postgres without a pooler, because the lock belongs to a
 * session. The service answers requests during this. Throws OtherVersion if the database has migrations that
 * this version does not have, and SitesFailed.
 */
export async function migrate(
  url: string,
  { sitesAtOnce = 4, roles, report = () => undefined, folder = ownFolder }: Options = {},
): Promise<Migrated> {
  const pool = new pg.Pool({
    connectionString: url,
    max: sitesAtOnce + 1,
    onConnect: (client) => client.query(setLockWait),
  })
  pool.on('error', () => undefined)
  const holder = await pool.connect()
  try {
    await becomeOnly(holder, report)
    await requireInheritance(holder)
    const platform = await migratePlatform(holder, folder)
    const allowService = async () => {
      if (roles)
        await holder.query('select public.allow_service($1, $2)', [
          userOf(roles.service),
          roles.schema ? userOf(roles.schema) : null,
        ])
    }
    await keepEarlierRun(holder)
    await whenUnlocked(() =>
      applySources(holder, platformSources(folder), read(folder, 'platform/rights.sql'), async () => {
        await allowService()
        await keepTenantScripts(holder, folder)
      }),
    )
    await installTrigrams(holder)
    report({ platform })
    const sites = await migrateSites(pool, sitesAtOnce, report)
    return { platform, sites }
  } finally {
    holder.release(true)
    await pool.end()
  }
}

/** Waits until no other migration of the database runs. */
async function becomeOnly(holder: pg.PoolClient, report: (line: Progress) => void): Promise<void> {
  const { rows } = await holder.query<{ is: boolean }>('select pg_try_advisory_lock($1) as is', [lock])
  if (rows[0]?.is) return
  report({ waiting: true })
  await holder.query('set lock_timeout = 0')
  await holder.query('select pg_advisory_lock($1)', [lock])
  await holder.query(setLockWait)
}

/**
 * Throws if the owner does not have the rights of the roles that it is a member of, and the version of
 * Postgres cannot grant them by the membership.
 */
async function requireInheritance(client: pg.PoolClient): Promise<void> {
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

async function migratePlatform(client: pg.PoolClient, folder: string): Promise<number> {
  const history = await readHistory(client)
  const migrations = migrationsOf('platform', folder)
  refuseOthers(history.platform, migrations)
  refuseOthers(history.tenant, migrationsOf('tenant', folder))
  const missing = migrations.filter(({ name }) => !history.platform.some((applied) => applied.name === name))
  for (const { name, sql } of missing) {
    await whenUnlocked(() =>
      inTransaction(client, async () => {
        // A role with the name of a schema would create its tables there.
        await client.query('set local search_path to public')
        await client.query(sql)
        await client.query('insert into public.schema_migrations (name, sql) values ($1, $2)', [name, sql])
      }),
    ).catch((error: Error) => {
      throw new Error(`Migration platform/${name} failed: ${error.message}`, {
        cause: error,
      })
    })
  }
  return missing.length
}

/**
 * Keeps the text of public.run before it changes, because the functions of sites have it until their site is
 * migrated (public.is_run_intact). Removes the texts that no function has any more.
 */
async function keepEarlierRun(client: pg.PoolClient): Promise<void> {
  await inTransaction(client, async () => {
    await client.query('create table if not exists public.earlier_runs (text text not null)')
    await client.query(
      `delete from public.earlier_runs e where not exists
         (select from pg_proc p where p.proname ~ '^run_site_' and p.prosrc = e.text)`,
    )
    await client.query(
      `insert into public.earlier_runs (text)
       select p.prosrc from pg_proc p where p.oid = to_regprocedure('public.run(text[], text[], text)')
          and not exists (select from public.earlier_runs e where e.text = p.prosrc)`,
    )
  })
}

/**
 * Stores the scripts of sites in the database, where public.create_site and public.migrate_site read them. It
 * is part of the transaction that replaces the functions, because older scripts may need functions that it
 * drops.
 */
async function keepTenantScripts(client: pg.PoolClient, folder: string): Promise<void> {
  await client.query('delete from public.tenant_migrations')
  await client.query('delete from public.tenant_sources')
  for (const [index, { name, sql }] of migrationsOf('tenant', folder).entries())
    await client.query('insert into public.tenant_migrations (version, name, sql) values ($1, $2, $3)', [
      index + 1,
      name,
      sql,
    ])
  for (const [index, { name, sql }] of tenantSources(folder).entries())
    await client.query('insert into public.tenant_sources (place, name, sql) values ($1, $2, $3)', [
      index + 1,
      name,
      sql,
    ])
}
