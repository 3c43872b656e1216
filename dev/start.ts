/**
 * `npm start`: runs Postgres, the local Neon endpoint, the schema, the demo, and the Worker.
 * docs/guide/start.md.
 */
import { join } from 'node:path'
import { makeDemo, startBackend } from './backend.ts'
import { endBackground } from './background-process.ts'
import { beginStack } from './begin-stack.ts'
import { buildConsole } from './build-console.ts'
import { endLeftovers } from './data-folder.ts'
import { writeDevVars } from './dev-vars.ts'
import { startFunctionProcesses } from './functions/service.ts'
import { greeting } from './greeting.ts'
import { keepBindings } from './kept-bindings.ts'
import { isStopping, keep, quit, runUntilStopped } from './lifecycle.ts'
import { startMongodbServer } from './mongodb-server.ts'
import { isFree } from './postgres.ts'
import { reloadOnChange } from './reload-on-change.ts'
import { defaultDataFolder, readSettings } from './settings.ts'
import { localVariables } from './variables.ts'
import { startWorker } from './worker.ts'

const { env } = process

// dev/run.mjs, which started this process, was killed; perhaps before this line.
process.on('disconnect', quit)
if (process.connected === false) quit()

try {
  await runUntilStopped(start)
} catch (error) {
  console.error(`\nTessera did not start: ${error instanceof Error ? error.message : error}`)
  process.exit(1)
}

async function start(): Promise<void> {
  const settings = readSettings(env)
  const { host, port, address, dataFolder } = settings
  const withMongodb = process.argv.includes('--with-mongodb')
  // That server has a private address.
  const allowing: Record<string, string> = withMongodb ? { ALLOW_PRIVATE_HOSTS: 'true' } : {}
  const variables = { ...localVariables(env, address), ...allowing }
  await endBackground(dataFolder)
  await endLeftovers(dataFolder)
  if (!(await isFree(port, host)))
    throw new Error(`port ${port} is taken. Stop what listens there, or set PORT to another one.`)
  const { code } = beginStack(dataFolder, 'npm start', address)
  // Built while Postgres starts. If the build fails, everything else works.
  const built = buildConsole().catch((error: Error) =>
    console.error(`The console was not built: ${error.message}`),
  )

  const bindings = await startBackend(settings, variables, env)
  const functions = keep(
    await startFunctionProcesses({
      cpuMs: settings.functionCpuMs,
      privateHosts: variables.ALLOW_PRIVATE_HOSTS === 'true',
    }),
  )
  const mongodb = withMongodb ? await startMongodbServer(join(dataFolder, 'mongodb')) : undefined
  if (mongodb && 'reason' in mongodb) throw new Error(`there is no server of MongoDB: ${mongodb.reason}.`)
  if (mongodb) keep(mongodb)
  const options = { host, functions: functions.fetch, bindings, code }
  await makeDemo(options, settings)
  keepBindings(dataFolder, bindings)
  // Only for the default data folder, because other stacks of this checkout, such as those of tests, come and
  // go.
  const isUsual = dataFolder === defaultDataFolder
  if (isUsual) writeDevVars(bindings)

  await built
  const worker = keep(await startWorker({ ...options, port, stateFolder: join(dataFolder, 'worker') }))
  functions.useGate(await worker.gate())
  const cron = setInterval(() => void worker.tick().catch(() => undefined), 60_000)
  keep({ stop: async () => clearInterval(cron) })
  if (process.argv.includes('--watch'))
    keep(
      reloadOnChange(async () => {
        const isNewConsole = await buildConsole()
        const reloaded = await Promise.all([worker.reload(), functions.reload()])
        // The Worker lists its files when it starts.
        if (isNewConsole && !reloaded[0]) await worker.restart()
        functions.useGate(await worker.gate())
        return isNewConsole || reloaded.includes(true)
      }),
    )
  if (!isStopping()) console.log(greeting(worker.url, settings, isUsual, mongodb?.url))
}
