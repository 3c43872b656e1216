/** `npm start`: runs the local stack from the sources. docs/guide/start.md. */
import { join } from 'node:path'
import { endBackground } from './background-process.ts'
import { buildConsole } from './build-console.ts'
import { writeDevVars } from './dev-vars.ts'
import { greeting } from './greeting.ts'
import { isStopping, keep, runProgram } from './lifecycle.ts'
import { startMongodbServer } from './mongodb-server.ts'
import { reloadOnChange } from './reload-on-change.ts'
import { defaultDataFolder, readSettings } from './settings.ts'
import { type Stack, startStack } from './stack.ts'
import { localVariables } from './variables.ts'

const { env } = process

await runProgram(start)

async function start(): Promise<void> {
  const settings = readSettings(env)
  const { dataFolder } = settings
  const withMongodb = process.argv.includes('--with-mongodb')
  // That server has a private address.
  const allowing: Record<string, string> = withMongodb ? { ALLOW_PRIVATE_HOSTS: 'true' } : {}
  const variables = { ...localVariables(env, settings.address), ...allowing }
  await endBackground(dataFolder)
  const stack = await startStack({
    command: 'npm start',
    settings,
    variables,
    env,
    prepare: buildWhatIsServed,
  })
  const mongodb = withMongodb
    ? await startMongodbServer({ dataFolder: join(dataFolder, 'mongodb') })
    : undefined
  if (mongodb && 'reason' in mongodb) throw new Error(`there is no server of MongoDB: ${mongodb.reason}.`)
  if (mongodb) keep(mongodb)
  // Only for the default data folder, because other stacks of this checkout, such as those of tests, come and
  // go.
  const isUsual = dataFolder === defaultDataFolder
  if (isUsual) writeDevVars(stack.bindings)
  if (process.argv.includes('--watch')) keep(reloadOnChange(() => reload(stack)))
  if (!isStopping()) console.log(greeting(stack.worker.url, settings, isUsual, mongodb?.url))
}

/** If the build fails, everything but the console works. */
function buildWhatIsServed(): Promise<unknown> {
  return buildConsole().catch((error: Error) => console.error(`The console was not built: ${error.message}`))
}

/** Returns whether something has changed. */
async function reload({ worker, functions }: Stack): Promise<boolean> {
  const isNewConsole = await buildConsole()
  const reloaded = await Promise.all([worker.reload(), functions.reload()])
  // The Worker lists its files when it starts.
  if (isNewConsole && !reloaded[0]) await worker.restart()
  functions.useGate(await worker.gate())
  return isNewConsole || reloaded.includes(true)
}
