/**
 * The local stack: Postgres, the local Neon endpoint, the schema, the demo, and the Worker. `npm start` runs
 * it from the sources, and the package tessera-local from its built parts.
 */
import { join } from 'node:path'
import { type Bindings, makeDemo, startBackend } from './backend.ts'
import { beginStack } from './begin-stack.ts'
import { type Command, endLeftovers } from './data-folder.ts'
import { isFree } from './free-port.ts'
import { type FunctionProcesses, startFunctionProcesses } from './functions/service.ts'
import { keepBindings } from './kept-bindings.ts'
import { keep } from './lifecycle.ts'
import type { Settings } from './settings.ts'
import { type RunningWorker, startWorker } from './worker.ts'

interface StackOptions {
  command: Command
  settings: Settings
  /** The variables that the stack does not create itself. */
  variables: Bindings
  env: NodeJS.ProcessEnv
  /** Whether to create the demo. */
  hasDemo?: boolean
  /** What the Worker needs besides: it starts when this is resolved. Called when Postgres starts. */
  prepare?(): Promise<unknown>
}

export interface Stack {
  worker: RunningWorker
  functions: FunctionProcesses
  /** All variables of the Worker. */
  bindings: Bindings
}

/**
 * Starts everything, to be stopped by lifecycle.ts. Throws if the port or the data folder is taken, with what
 * to do.
 */
export async function startStack({
  command,
  settings,
  variables,
  env,
  hasDemo = true,
  prepare = async () => undefined,
}: StackOptions): Promise<Stack> {
  const { host, port, address, dataFolder } = settings
  await endLeftovers(dataFolder)
  if (!(await isFree(port, host)))
    throw new Error(`port ${port} is taken. Stop what listens there, or set PORT to another one.`)
  const { code } = beginStack(dataFolder, command, address)
  const prepared = prepare()
  // The error reaches the line that awaits it.
  prepared.catch(() => undefined)

  const bindings = await startBackend(settings, variables, env)
  const functions = keep(
    await startFunctionProcesses({
      cpuMs: settings.functionCpuMs,
      privateHosts: variables.ALLOW_PRIVATE_HOSTS === 'true',
    }),
  )
  const options = { host, functions: functions.fetch, bindings, code }
  if (hasDemo) await makeDemo(options, settings)
  keepBindings(dataFolder, bindings)

  await prepared
  const worker = keep(await startWorker({ ...options, port, stateFolder: join(dataFolder, 'worker') }))
  functions.useGate(await worker.gate())
  const cron = setInterval(() => void worker.tick().catch(() => undefined), 60_000)
  keep({ stop: async () => clearInterval(cron) })
  return { worker, functions, bindings }
}
