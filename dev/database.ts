/** A database of the local stack: the service's role, which is no superuser, its database, and its schema. */
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { migrate } from './migrations.ts'
import { type PostgresServer, startPostgres } from './postgres.ts'

const role = 'tessera'

/** Runs statements on one connection. */
export async function onConnection<Result>(url: string, work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 })
  client.on('error', () => undefined)
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** Makes the service's role on a server of ours; answers the URL of a database as that role. It may create roles and databases, as on Neon. */
export async function createServiceRole(server: PostgresServer, password: string): Promise<(database: string) => string> {
  await onConnection(server.superuserUrl(), async (client) => {
    const { rowCount } = await client.query('select from pg_roles where rolname = $1', [role])
    const verb = rowCount ? 'alter' : 'create'
    await client.query(`${verb} role ${role} login createrole createdb password ${client.escapeLiteral(password)}`)
  })
  return (database) => `postgresql://${role}:${password}@127.0.0.1:${server.port}/${database}`
}

export interface LocalDatabase {
  url: string
  stop(): Promise<void>
}

/** The embedded database in a data folder, migrated. Its role's password stays the same between runs. */
export async function startLocalDatabase(dataFolder: string): Promise<LocalDatabase> {
  const passwordFile = join(dataFolder, 'database-password')
  if (!existsSync(passwordFile)) writeFileSync(passwordFile, randomBytes(24).toString('hex'), { mode: 0o600 })
  const server = await startPostgres({ folder: join(dataFolder, 'postgres') })
  try {
    const urlOf = await createServiceRole(server, readFileSync(passwordFile, 'utf8'))
    await onConnection(server.superuserUrl(), async (client) => {
      const { rowCount } = await client.query('select from pg_database where datname = $1', [role])
      if (!rowCount) await client.query(`create database ${role} owner ${role}`)
    })
    const url = urlOf(role)
    await migrate(url)
    return { url, stop: () => server.stop() }
  } catch (error) {
    await server.stop()
    throw error
  }
}
