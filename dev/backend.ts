/**
 * The parts that the Worker needs on this machine: the database, the endpoint in front of it, its keys and
 * its variables.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { requireVariables, type VariableName } from '../src/kernel/env.ts'
import { signIn } from './client.ts'
import { startLocalDatabase, useDatabase } from './database.ts'
import { seedDemo } from './demo/seed.ts'
import { drop, keep } from './lifecycle.ts'
import { newMasterKeys } from './master-keys.ts'
import { startNeonEndpoint } from './neon-endpoint.ts'
import { ownerDatabaseUrl } from './owner-database.ts'
import { keptPort } from './ports.ts'
import type { Settings } from './settings.ts'
import { newSigningKeys } from './signing-keys.ts'
import { ensureSuperuser } from './superuser.ts'
import { startWorker, type WorkerOptions } from './worker.ts'

/** The variables of the Worker, by name. */
export type Bindings = Readonly<Record<string, string>>

/**
 * Starts the parts in the data folder. `variables`: the variables that it does not create itself. Returns all
 * variables of the Worker.
 */
export async function startBackend(
  { dataFolder, admin }: Settings,
  variables: Bindings,
  env: NodeJS.ProcessEnv,
): Promise<Bindings> {
  const keys = {
    SIGNING_KEYS: variables.SIGNING_KEYS ?? (await keptKeys(dataFolder, 'SIGNING_KEYS', newSigningKeys)),
    MASTER_KEYS: variables.MASTER_KEYS ?? (await keptKeys(dataFolder, 'MASTER_KEYS', newMasterKeys)),
  }
  const ownerUrl = ownerDatabaseUrl(env)
  const database = keep(
    ownerUrl ? await useDatabase(ownerUrl, dataFolder) : await startLocalDatabase(dataFolder),
  )
  await ensureSuperuser(database.urls.owner, admin.email, admin.password)
  const endpoint = await startNeonEndpoint(await keptPort(dataFolder, 'endpoint'))
  keep({ stop: endpoint.close })
  return {
    ...variables,
    ...keys,
    DATABASE_URL: database.urls.service,
    SCHEMA_DATABASE_URL: database.urls.schema,
    NEON_ENDPOINT: endpoint.url,
  }
}

/**
 * Creates the demo with a separate Worker before others run, so that the demo is complete when /readyz
 * answers. That Worker has its own state, so that rate limits which clients have reached do not prevent it
 * from signing in.
 */
export async function makeDemo(
  options: Pick<WorkerOptions, 'host' | 'functions' | 'bindings' | 'code'>,
  { admin }: Settings,
): Promise<void> {
  const worker = keep(await startWorker({ ...options, port: 0, quiet: true }))
  await seedDemo(await signIn(worker.url.href, admin.email, admin.password))
  await drop(worker)
}

/** The files of the keys in a data folder. */
const keyFiles = { SIGNING_KEYS: 'signing-keys.json', MASTER_KEYS: 'master-keys.json' } as const

/** Created at the first start and kept, so that tokens and encrypted values stay valid after a restart. */
async function keptKeys(
  dataFolder: string,
  variable: VariableName & keyof typeof keyFiles,
  make: () => string | Promise<string>,
): Promise<string> {
  const file = join(dataFolder, keyFiles[variable])
  if (!existsSync(file)) writeFileSync(file, await make(), { mode: 0o600 })
  const text = readFileSync(file, 'utf8')
  try {
    requireVariables({ [variable]: text }, [variable])
  } catch (error) {
    throw new Error(`${file} is broken. ${(error as Error).message}`)
  }
  return text
}
