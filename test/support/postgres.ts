/** A Postgres for tests, with the roles of the service and a migrated database. */
import { existsSync, statfsSync } from 'node:fs'
import { freemem, tmpdir } from 'node:os'
import { onConnection } from '../../dev/connection.ts'
import { migrate } from '../../dev/migrations.ts'
import { type PostgresServer, startPostgres } from '../../dev/postgres.ts'
import type { Programs } from '../../dev/postgres-programs.ts'
import { createRoles, type RoleUrls, roleUrls } from '../../dev/roles.ts'
import { removeAbandoned } from '../../dev/temporary-folder.ts'
import { keptFolder } from './kept-folder.ts'

export interface MigratedPostgres {
  server: PostgresServer
  /** Returns the URLs of a database of the server, by role. */
  urlsOf(database: string): RoleUrls
}

const gibibyte = 2 ** 30

/** Returns a folder in memory if one has enough space, because tests create thousands of tables. */
function memoryFolder(): string | undefined {
  const folder = '/dev/shm'
  if (process.platform !== 'linux' || !existsSync(folder)) return undefined
  const { bavail, bsize } = statfsSync(folder)
  return Math.min(bavail * bsize, freemem()) > 4 * gibibyte ? folder : undefined
}

/**
 * Starts Postgres without waits for the disk, because the data need not survive a crash of the machine.
 * `settings` are `name=value`; `programs` are those of another version.
 */
export async function startMigratedPostgres(
  database: string,
  settings: readonly string[] = [],
  programs?: Programs,
): Promise<MigratedPostgres> {
  const below = memoryFolder()
  for (const folder of [tmpdir(), ...(below ? [below] : [])]) removeAbandoned(folder)
  const options = { settings: ['fsync=off', ...settings], ...(programs ? { programs } : {}) }
  const copyOf = await keptFolder(JSON.stringify([database, options]), (folder) =>
    makeCluster(database, { ...options, folder }),
  )
  const server = await startPostgres({ ...options, ...(below ? { below } : {}), copyOf })
  return { server, urlsOf: roleUrls(server, password) }
}

const password = 'password'

/** Makes a cluster with the roles and the migrated database, and stops its server. */
async function makeCluster(database: string, options: Parameters<typeof startPostgres>[0]): Promise<void> {
  const server = await startPostgres(options)
  try {
    const urlsOf = await createRoles(server, password)
    await onConnection(urlsOf('postgres').owner, (client) => client.query(`create database ${database}`))
    const urls = urlsOf(database)
    await migrate(urls.owner, { roles: urls })
  } finally {
    await server.stop()
  }
}
