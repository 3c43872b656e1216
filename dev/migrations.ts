/** Brings a database to the newest schema: the platform's migrations, the functions, then every site's migrations. Safe to repeat and to interrupt. */
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import pg from 'pg'
import { applySources, type Source } from './sources.ts'

const folder = join(import.meta.dirname, '..', 'migrations')

interface Migration {
  name: string
  sql: string
}

/** Returns the migrations of a kind in the order in which they run. */
export function migrationsOf(kind: 'platform' | 'tenant'): Migration[] {
  const files = readdirSync(join(folder, kind)).filter((file) => /^\d.*\.sql$/.test(file))
  return files.sort().map((name) => ({ name, sql: readFileSync(join(folder, kind, name), 'utf8') }))
}

/** The folders of functions and triggers, in the order in which they are applied. */
const sourceFolders = ['tenant/functions', 'platform/functions', 'platform/triggers']

function sources(): Source[] {
  return sourceFolders.flatMap((kind) => {
    const files = readdirSync(join(folder, kind), { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.sql'))
    return files.sort().map((file) => {
      const path = join(folder, kind, file)
      return { name: relative(folder, path).split(sep).join('/'), sql: readFileSync(path, 'utf8') }
    })
  })
}

/** Only one migration runs at a time in a database, wherever it was started; any constant number would do. */
const lock = 7_283_554_001

export interface Migrated {
  platform: number
  sites: number
}

interface Options {
  sitesAtOnce?: number
  /** The addresses of the service's roles: from then on they may do what they need to. */
  roles?: { service: string; schema?: string | undefined }
}

/** Returns how many platform migrations ran and how many sites changed. `url` is of the role that owns the platform's tables. */
export async function migrate(url: string, { sitesAtOnce = 4, roles }: Options = {}): Promise<Migrated> {
  const pool = new pg.Pool({ connectionString: url, max: sitesAtOnce + 1 })
  pool.on('error', () => undefined)
  const holder = await pool.connect()
  try {
    await holder.query('select pg_advisory_lock($1)', [lock])
    const platform = await migratePlatform(holder)
    await applySources(holder, sources(), readFileSync(join(folder, 'platform', 'rights.sql'), 'utf8'))
    if (roles) await holder.query('select public.allow_service($1, $2)', [userOf(roles.service), roles.schema ? userOf(roles.schema) : null])
    const sites = await migrateSites(pool, sitesAtOnce)
    return { platform, sites }
  } finally {
    holder.release(true)
    await pool.end()
  }
}

const userOf = (url: string): string => decodeURIComponent(new URL(url).username)

async function migratePlatform(client: pg.PoolClient): Promise<number> {
  await client.query('create table if not exists public.schema_migrations (name text primary key, applied_at timestamptz not null default now())')
  const { rows } = await client.query<{ name: string }>('select name from public.schema_migrations')
  const applied = new Set(rows.map((row) => row.name))
  const migrations = migrationsOf('platform')
  const unknown = [...applied].find((name) => !migrations.some((migration) => migration.name === name))
  if (unknown)
    throw new Error(
      `The database has had the migration ${unknown}, which this version does not know: it was made by another version. Use an empty database.`,
    )
  const missing = migrations.filter(({ name }) => !applied.has(name))
  for (const { name, sql } of missing) {
    await client.query('begin')
    try {
      await client.query(sql)
      await client.query('insert into public.schema_migrations (name) values ($1)', [name])
      await client.query('commit')
    } catch (error) {
      await client.query('rollback')
      throw new Error(`Migration platform/${name} failed: ${(error as Error).message}`, { cause: error })
    }
  }
  return missing.length
}

/** Each migration of each site is a transaction of its own, so that an interrupted run continues where it stopped. */
async function migrateSites(pool: pg.Pool, atOnce: number): Promise<number> {
  const migrations = migrationsOf('tenant')
  const { rows } = await pool.query<{ id: string; schema_version: number }>(
    'select id, schema_version from public.sites where schema_version < $1 order by id',
    [migrations.length],
  )
  const queue = rows.slice()
  const worker = async () => {
    for (let site = queue.shift(); site; site = queue.shift()) {
      for (let version = site.schema_version + 1; version <= migrations.length; version++) {
        await pool.query('select public.migrate_site($1, $2, $3)', [site.id, version, migrations[version - 1]?.sql])
      }
    }
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  return rows.length
}
