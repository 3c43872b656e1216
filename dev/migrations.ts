/** Brings a database to the newest schema: tables, functions, then every site. Safe to repeat and to interrupt. */
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import pg from 'pg'
import { eachAtOnce } from '../src/lib/each-at-once.ts'
import { readHistory, refuseOthers } from './migration-history.ts'
import { canChooseInheritance } from './roles.ts'
import { applySources, type Source } from './sources.ts'
import { installTrigrams } from './trigrams.ts'

const folder = join(import.meta.dirname, '..', 'migrations')

const read = (path: string): string => readFileSync(join(folder, path), 'utf8')

/** Returns the files in a folder of migrations/ and below it, in the order of their paths. */
function sourcesIn(path: string): Source[] {
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
    .map((name) => ({ name, sql: read(name) }))
}

/** Returns the migrations of a kind in the order in which they run. Their names have no folder. */
export function migrationsOf(kind: 'platform' | 'tenant'): Source[] {
  const files = readdirSync(join(folder, kind)).filter((file) => /^\d.*\.sql$/.test(file))
  return files.sort().map((name) => ({ name, sql: read(`${kind}/${name}`) }))
}

/** The repeatable files of the database, in the order in which they are applied. */
const platformSources = () =>
  ['platform/types', 'tenant/types', 'tenant/functions', 'platform/functions', 'platform/triggers'].flatMap(
    sourcesIn,
  )

/** The repeatable files of every site, in the order in which they are applied. */
const tenantSources = () => [
  ...sourcesIn('tenant/triggers'),
  { name: 'tenant/rights.sql', sql: read('tenant/rights.sql') },
]

/** Only one migration runs at a time in a database, from any machine; any constant number would do. */
const lock = 7_283_554_001

export interface Migrated {
  platform: number
  sites: number
}

interface Options {
  sitesAtOnce?: number
  /** The addresses of the service's roles, which get the rights that they need. */
  roles?: { service: string; schema?: string | undefined }
}

/**
 * Returns how many platform migrations ran and how many sites changed. `url` is of the role that owns the
 * platform's tables. Throws OtherVersion if the database has migrations that this version does not have.
 */
export async function migrate(url: string, { sitesAtOnce = 4, roles }: Options = {}): Promise<Migrated> {
  const pool = new pg.Pool({ connectionString: url, max: sitesAtOnce + 1 })
  pool.on('error', () => undefined)
  const holder = await pool.connect()
  try {
    await holder.query('select pg_advisory_lock($1)', [lock])
    await requireInheritance(holder)
    const platform = await migratePlatform(holder)
    await applySources(holder, platformSources(), read('platform/rights.sql'))
    await installTrigrams(holder)
    await keepTenantScripts(holder)
    if (roles)
      await holder.query('select public.allow_service($1, $2)', [
        userOf(roles.service),
        roles.schema ? userOf(roles.schema) : null,
      ])
    const sites = await migrateSites(pool, sitesAtOnce)
    return { platform, sites }
  } finally {
    holder.release(true)
    await pool.end()
  }
}

/** Throws where the owner has not the rights of the roles that it is a member of, and no membership can say otherwise. */
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

async function migratePlatform(client: pg.PoolClient): Promise<number> {
  const history = await readHistory(client)
  const migrations = migrationsOf('platform')
  refuseOthers(history.platform, migrations)
  refuseOthers(history.tenant, migrationsOf('tenant'))
  const missing = migrations.filter(({ name }) => !history.platform.some((applied) => applied.name === name))
  for (const { name, sql } of missing) {
    await inTransaction(client, async () => {
      await client.query(sql)
      await client.query('insert into public.schema_migrations (name, sql) values ($1, $2)', [name, sql])
    }).catch((error: Error) => {
      throw new Error(`Migration platform/${name} failed: ${error.message}`, {
        cause: error,
      })
    })
  }
  return missing.length
}

/** Keeps the scripts of sites in the database, where public.create_site and public.migrate_site read them. */
async function keepTenantScripts(client: pg.PoolClient): Promise<void> {
  const migrations = migrationsOf('tenant')
  await inTransaction(client, async () => {
    await client.query('delete from public.tenant_migrations')
    await client.query('delete from public.tenant_sources')
    for (const [index, { name, sql }] of migrations.entries())
      await client.query('insert into public.tenant_migrations (version, name, sql) values ($1, $2, $3)', [
        index + 1,
        name,
        sql,
      ])
    for (const [index, { name, sql }] of tenantSources().entries())
      await client.query('insert into public.tenant_sources (place, name, sql) values ($1, $2, $3)', [
        index + 1,
        name,
        sql,
      ])
  })
}

async function inTransaction(client: pg.PoolClient, work: () => Promise<void>): Promise<void> {
  await client.query('begin')
  try {
    await work()
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw error
  }
}

/** Migrates the sites that are behind. Each step is a transaction: an interrupted run continues where it stopped. */
async function migrateSites(pool: pg.Pool, atOnce: number): Promise<number> {
  const { rows } = await pool.query<{ id: string }>('select id from public.outdated_sites() id order by id')
  await eachAtOnce(rows, atOnce, async ({ id }) => {
    while (await migrateOnce(pool, id));
  })
  return rows.length
}

async function migrateOnce(pool: pg.Pool, site: string): Promise<boolean> {
  const { rows } = await pool.query<{ migrated: boolean }>('select public.migrate_site($1) as migrated', [
    site,
  ])
  return rows[0]?.migrated ?? false
}
