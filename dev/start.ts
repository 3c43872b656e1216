/** `npm start`: Postgres, the local Neon endpoint, the schema, the demo, and the Worker. README, "Run it". */
import './assets.ts'
import { existsSync, mkdirSync, readFileSync, watch, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { requireVariables, type VariableName } from '../src/env.ts'
import { cpuMsMax } from '../src/functions/runners/limits.ts'
import { signIn } from './client.ts'
import { startLocalDatabase, useDatabase } from './database.ts'
import { demo } from './demo/data.ts'
import { seedDemo } from './demo/seed.ts'
import { startFunctionProcesses } from './functions/service.ts'
import { keepChildren } from './keeper.ts'
import { newMasterKeys } from './master-keys.ts'
import { startNeonEndpoint } from './neon-endpoint.ts'
import { ownerDatabaseUrl } from './owner-database.ts'
import { isFree } from './postgres.ts'
import { newSigningKeys } from './signing-keys.ts'
import { ensureSuperuser } from './superuser.ts'
import { localVariables } from './variables.ts'
import { type RunningWorker, startWorker } from './worker.ts'

const root = join(import.meta.dirname, '..')
const { env } = process
const port = Number(env.PORT ?? 8787)
const functionCpuSeconds = Number(env.FUNCTION_CPU_SECONDS || cpuMsMax / 1000)
const dataFolder = resolve(env.DATA_DIR ?? join(root, '.tessera', 'data'))
const admin = { email: env.ADMIN_EMAIL ?? 'admin@example.com', password: env.ADMIN_PASSWORD ?? 'Admin-demo-1' }
const host = '127.0.0.1'

/** How long stopping in order may take. The whole stack ends within 3 s. */
const stopMs = 2_000

/** What runs, in the order in which it was started; it is stopped in the opposite one. */
const running: { stop(): Promise<void> }[] = []
let stopping: Promise<void> | undefined

function stop(): Promise<void> {
  stopping ??= (async () => {
    for (const part of running.toReversed()) await part.stop().catch((error) => console.error(String(error)))
  })()
  return stopping
}

/** Ends this process. What has not been stopped by then, `keepChildren` ends. */
function quit(): void {
  setTimeout(() => process.exit(0), stopMs)
  void stop().then(() => process.exit(0))
}

keepChildren()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, quit)
// dev/run.mjs, which started this process, was killed; perhaps before this line.
process.on('disconnect', quit)
if (process.connected === false) quit()

try {
  await start()
} catch (error) {
  if (!stopping) {
    await stop()
    console.error(`\nTessera did not start: ${error instanceof Error ? error.message : error}`)
    process.exit(1)
  }
}

async function start(): Promise<void> {
  if (!Number.isInteger(port) || port < 1 || port > 65_535) throw new Error(`PORT is ${env.PORT}; it has to be a number from 1 to 65535.`)
  if (!(functionCpuSeconds > 0)) throw new Error(`FUNCTION_CPU_SECONDS is ${env.FUNCTION_CPU_SECONDS}; it has to be a number above 0.`)
  const variables = localVariables(env, `http://${host}:${port}`)
  if (!(await isFree(port, host))) throw new Error(`port ${port} is taken. Stop what listens there, or choose another: PORT=8788 npm start`)
  // Others may pass through, as Postgres's user has to under root; what stands in it is for its owner alone.
  mkdirSync(dataFolder, { recursive: true, mode: 0o711 })

  const keys = {
    SIGNING_KEYS: variables.SIGNING_KEYS ?? (await kept('signing-keys.json', 'SIGNING_KEYS', newSigningKeys)),
    MASTER_KEYS: variables.MASTER_KEYS ?? (await kept('master-keys.json', 'MASTER_KEYS', newMasterKeys)),
  }

  const ownerUrl = ownerDatabaseUrl(env)
  const database = ownerUrl ? await useDatabase(ownerUrl, dataFolder) : await startLocalDatabase(dataFolder)
  running.push(database)
  await ensureSuperuser(database.urls.owner, admin.email, admin.password)
  const endpoint = await startNeonEndpoint()
  running.push({ stop: endpoint.close })
  const privateHosts = variables.ALLOW_PRIVATE_HOSTS === 'true'
  const functions = await startFunctionProcesses({ cpuMs: functionCpuSeconds * 1000, privateHosts })
  running.push(functions)

  const options = {
    host,
    functions: functions.fetch,
    bindings: {
      ...variables,
      ...keys,
      DATABASE_URL: database.urls.service,
      SCHEMA_DATABASE_URL: database.urls.schema,
      NEON_ENDPOINT: endpoint.url,
    },
  }
  // The demo is made before the port opens: who waits for /readyz finds it complete.
  // Its state is its own, so that limits which clients ran into do not keep it from signing in.
  const seeding = track(await startWorker({ ...options, port: 0, quiet: true }))
  await seedDemo(await signIn(seeding.url.href, admin.email, admin.password))
  await seeding.stop()
  running.pop()

  const worker = track(await startWorker({ ...options, port, stateFolder: join(dataFolder, 'worker') }))
  const cron = setInterval(() => void worker.tick().catch(() => undefined), 60_000)
  running.push({ stop: async () => clearInterval(cron) })
  if (process.argv.includes('--watch')) reloadOnChange(async () => void (await Promise.all([worker.reload(), functions.reload()])))
  if (!stopping) greet(worker.url)
}

function track(worker: RunningWorker): RunningWorker {
  running.push(worker)
  return worker
}

/** Made at the first start and kept, so that tokens and encrypted values outlive a restart. */
async function kept(name: string, variable: VariableName, make: () => string | Promise<string>): Promise<string> {
  const file = join(dataFolder, name)
  if (!existsSync(file)) writeFileSync(file, await make(), { mode: 0o600 })
  const text = readFileSync(file, 'utf8')
  try {
    requireVariables({ [variable]: text }, [variable])
  } catch (error) {
    throw new Error(`${file} is broken. ${(error as Error).message}`)
  }
  return text
}

function reloadOnChange(reload: () => Promise<void>): void {
  let scheduled: NodeJS.Timeout | undefined
  for (const folder of ['src', 'migrations']) {
    watch(join(root, folder), { recursive: true }, () => {
      clearTimeout(scheduled)
      scheduled = setTimeout(() => {
        reload().then(
          () => console.log('Reloaded.'),
          (error) => console.error(String(error)),
        )
      }, 100)
    })
  }
}

function greet(url: URL): void {
  const address = url.href.replace(/\/$/, '')
  const data = `${address}/api/apps/${demo.app}/datatables/tools/data/`
  const credentials = JSON.stringify({ username: admin.email, password: admin.password }).replaceAll("'", "'\\''")
  console.log(`
Tessera runs at ${address}   (site "${demo.site}", app "${demo.app}"; Ctrl-C ends it)

  e-mail    ${admin.email}
  password  ${admin.password}
  sign in   ${address}/accounts/login/

Try it:

  TOKEN=$(curl -s ${address}/api/auth/jwt/token/ -H 'Content-Type: application/json' -d '${credentials}' | sed -E 's/.*"access":"([^"]+)".*/\\1/')
  curl -s -H "Authorization: Bearer $TOKEN" '${data}?condition=good&daily_fee__lt=5&ordering=-daily_fee&page_size=3'
  curl -s -H "Authorization: Bearer $TOKEN" ${data} -H 'Content-Type: application/json' -d '{"name": "Torque wrench", "category_id": 1, "daily_fee": 2.5}'
`)
}
