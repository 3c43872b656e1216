/** The database of the local stack, with its roles and its schema. */
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { onConnection } from './connection.ts'
import { refuseDeployed } from './deploy/database.ts'
import { OtherVersion } from './migration-history.ts'
import { migrate } from './migrations.ts'
import { keptPort } from './ports.ts'
import { startPostgres } from './postgres.ts'
import { createRoles, createServiceRoles, type RoleUrls } from './roles.ts'

const database = 'tessera'

export interface LocalDatabase {
  urls: RoleUrls
  stop(): Promise<void>
}

/** Starts and migrates the embedded database in a data folder. */
export async function startLocalDatabase(dataFolder: string): Promise<LocalDatabase> {
  const port = await keptPort(dataFolder, 'postgres')
  const server = await startPostgres({
    folder: join(dataFolder, 'postgres'),
    port,
  })
  try {
    const urlsOf = await createRoles(server, keptPassword(dataFolder))
    await onConnection(urlsOf('postgres').owner, async (client) => {
      const { rowCount } = await client.query('select from pg_database where datname = $1', [database])
      if (!rowCount) await client.query(`create database ${database}`)
    })
    const urls = urlsOf(database)
    await migrate(urls.owner, { roles: urls })
    return { urls, stop: () => server.stop() }
  } catch (error) {
    await server.stop()
    if (!(error instanceof OtherVersion)) throw error
    throw new Error(`${error.message} Delete the folder ${dataFolder}, or set DATA_DIR to another one.`)
  }
}

/**
 * Migrates a database on another server, which keeps running when the stack stops. Throws if a deployed
 * environment uses it.
 */
export async function useDatabase(ownerUrl: string, dataFolder: string): Promise<LocalDatabase> {
  await refuseDeployed(ownerUrl)
  const urls = await createServiceRoles(ownerUrl, keptPassword(dataFolder))
  await migrate(ownerUrl, { roles: urls })
  return { urls, stop: async () => undefined }
}

/** Returns the password of the roles, which stays the same between runs. */
function keptPassword(dataFolder: string): string {
  const file = join(dataFolder, 'database-password')
  if (!existsSync(file)) writeFileSync(file, randomBytes(24).toString('hex'), { mode: 0o600 })
  return readFileSync(file, 'utf8')
}
