/** An empty database with the roles of a deployment, a Worker for it, and an account at Cloudflare. */
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { onConnection } from '../../dev/connection.ts'
import { newMasterKeys } from '../../dev/master-keys.ts'
import { startNeonEndpoint } from '../../dev/neon-endpoint.ts'
import { startPostgres } from '../../dev/postgres.ts'
import { createRoles, type RoleUrls } from '../../dev/roles.ts'
import { newSigningKeys } from '../../dev/signing-keys.ts'
import { temporaryFolder } from '../../dev/temporary-folder.ts'
import { startWorker } from '../../dev/worker.ts'

const root = join(import.meta.dirname, '..', '..')

export interface DeployedService {
  folder: string
  /** The address of the Worker, without a slash at its end. */
  origin: string
  urls: RoleUrls
  /** Returns the environment of an operator. `wrangler` is the program of support/wrangler.ts. */
  operator(): Record<string, string>
  /** The file with the state of the account. */
  account: string
  /** Returns the calls of wrangler since the last time. */
  calls(): string[]
  query<Row>(text: string, values?: unknown[]): Promise<Row[]>
  stop(): Promise<void>
}

/** Starts it. `publicUrl` is the PUBLIC_URL of the Worker. */
export async function startDeployedService(publicUrl: string): Promise<DeployedService> {
  const folder = temporaryFolder('deployment')
  const parts: { stop(): unknown }[] = [{ stop: () => rmSync(folder, { recursive: true, force: true }) }]
  const stop = async () => {
    for (const part of parts.toReversed()) await part.stop()
  }
  try {
    const server = await startPostgres({ settings: ['fsync=off'] })
    parts.push(server)
    const urlsOf = await createRoles(server, 'password')
    await onConnection(urlsOf('postgres').owner, (client) => client.query('create database tessera'))
    const urls = urlsOf('tessera')
    const endpoint = await startNeonEndpoint()
    parts.push({ stop: endpoint.close })
    const secrets = { SIGNING_KEYS: await newSigningKeys(), MASTER_KEYS: newMasterKeys() }
    const worker = await startWorker({
      host: '127.0.0.1',
      port: 0,
      quiet: true,
      bindings: {
        ...secrets,
        ENVIRONMENT: 'production',
        DATABASE_URL: urls.service,
        NEON_ENDPOINT: endpoint.url,
        PUBLIC_URL: publicUrl,
      },
    })
    parts.push(worker)
    const account = join(folder, 'account.json')
    return {
      folder,
      origin: worker.url.origin,
      urls,
      account,
      operator: () => ({
        ...(process.env as Record<string, string>),
        ...secrets,
        OWNER_DATABASE_URL: urls.owner,
        DATABASE_URL: urls.service,
        SCHEMA_DATABASE_URL: urls.schema,
        WRANGLER: join(root, 'test', 'support', 'wrangler.ts'),
        WRANGLER_ACCOUNT: account,
        WRANGLER_WORKER: worker.url.origin,
      }),
      calls() {
        const file = `${account}.calls`
        const calls = existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : []
        rmSync(file, { force: true })
        return calls
      },
      query: (text, values = []) =>
        onConnection(urls.owner, async (client) => (await client.query(text, values)).rows),
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}
