/** A service of the previous release, and the migration of its database to this version. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { onConnection } from '../../dev/connection.ts'
import { freePort } from '../../dev/free-port.ts'
import { newMasterKeys } from '../../dev/master-keys.ts'
import { migrate } from '../../dev/migrations.ts'
import { startNeonEndpoint } from '../../dev/neon-endpoint.ts'
import { startPostgres } from '../../dev/postgres.ts'
import { readRelease } from '../../dev/release/kept-release.ts'
import { createRoles, type RoleUrls } from '../../dev/roles.ts'
import { newSigningKeys } from '../../dev/signing-keys.ts'
import { temporaryFolder } from '../../dev/temporary-folder.ts'
import { type RunningWorker, startWorker } from '../../dev/worker.ts'

const root = join(import.meta.dirname, '..', '..')

/** The client in a release: dev/release/client.ts of its time. */
interface ReleaseClient {
  makeAdmin(ownerUrl: string): Promise<void>
  makeDemo(address: string): Promise<void>
  performAll(address: string): Promise<string[]>
}

export interface Upgrade {
  urls: RoleUrls
  /** The Worker of the previous release. */
  before: RunningWorker
  client: ReleaseClient
  /** The code of the Worker, which contains its calls to the database. */
  code: string
  /** The migrations of the previous release, and a copy of those of this version, which a test may extend. */
  folders: { before: string; now: string }
  sql<Row>(text: string, values?: unknown[]): Promise<Row[]>
  /** Changes the schema, reads it with `read`, and undoes the change. */
  changed<Result>(
    change: string,
    read: (query: <Row>(text: string) => Promise<Row[]>) => Promise<Result>,
  ): Promise<Result>
  /** Starts the Worker of this version on the same database. It is stopped with the others. */
  startNow(): Promise<RunningWorker>
  stop(): Promise<void>
}

/** Starts the previous release on a database of its own schema, with the superuser of the demo. */
export async function startUpgrade(): Promise<Upgrade> {
  const { worker: code, client: clientCode, migrations } = readRelease()
  const folder = temporaryFolder('upgrade')
  const folders = { before: join(folder, 'before'), now: join(folder, 'now') }
  writeFiles(folders.before, migrations)
  // The client uses the packages of this checkout, so it is imported from a place where it finds them.
  const clientFile = join(root, 'node_modules', '.cache', 'tessera', `release-${process.pid}.mjs`)
  writeFiles(dirname(clientFile), { [`release-${process.pid}.mjs`]: clientCode })
  const parts: { stop(): unknown }[] = [{ stop: () => rmSync(folder, { recursive: true, force: true }) }]
  const stop = async () => {
    for (const part of parts.toReversed()) await part.stop()
  }
  try {
    const client: ReleaseClient = await import(pathToFileURL(clientFile).href)
    rmSync(clientFile)
    const server = await startPostgres({ settings: ['fsync=off'] })
    parts.push(server)
    const urlsOf = await createRoles(server, 'password')
    await onConnection(urlsOf('postgres').owner, (owner) => owner.query('create database tessera'))
    const urls = urlsOf('tessera')
    await migrate(urls.owner, { roles: urls, folder: folders.before })
    await client.makeAdmin(urls.owner)
    const endpoint = await startNeonEndpoint()
    parts.push({ stop: endpoint.close })
    const port = await freePort()
    const bindings = {
      ENVIRONMENT: 'development',
      DATABASE_URL: urls.service,
      SCHEMA_DATABASE_URL: urls.schema,
      NEON_ENDPOINT: endpoint.url,
      SIGNING_KEYS: await newSigningKeys(),
      MASTER_KEYS: newMasterKeys(),
      DEFAULT_SITE: 'demo',
      BASE_DOMAIN: 'localhost',
      ALLOW_PRIVATE_HOSTS: 'true',
      DOMAIN_PROOF: 'off',
      RATE_LIMIT_SCALE: '1000',
      PUBLIC_URL: `http://127.0.0.1:${port}`,
      EMAIL_TRANSPORT: 'mailbox',
      EMAIL_FROM: 'tessera@example.com',
    }
    const start = async (own: { code?: Promise<string>; port: number }) => {
      const started = await startWorker({ host: '127.0.0.1', quiet: true, bindings, ...own })
      parts.push(started)
      return started
    }
    return {
      urls,
      before: await start({ code: Promise.resolve(code), port }),
      client,
      code,
      folders,
      sql: (text, values = []) =>
        onConnection(urls.owner, async (owner) => (await owner.query(text, values)).rows),
      changed: (change, read) =>
        onConnection(urls.owner, async (owner) => {
          await owner.query('begin')
          await owner.query(change)
          return read(async (text) => (await owner.query(text)).rows)
        }),
      startNow: () => start({ port: 0 }),
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Writes files below a folder. The keys are paths with slashes. */
export function writeFiles(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    const file = join(folder, ...path.split('/'))
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
}
