/**
 * The process that `npm run setup` leaves in the background: the database with its demo, for `wrangler dev`.
 */
import { makeDemo, startBackend } from './backend.ts'
import { beginStack } from './begin-stack.ts'
import { endLeftovers } from './data-folder.ts'
import { keepBindings } from './kept-bindings.ts'
import { runUntilStopped } from './lifecycle.ts'
import { readSettings } from './settings.ts'
import { localVariables } from './variables.ts'

const { env } = process

/** Sends the result to dev/setup.ts, which waits for it; an empty text means success. */
const report = (problem: string): Promise<unknown> =>
  new Promise((done) => (process.send ? process.send(problem, done) : done(undefined)))

try {
  await runUntilStopped(start)
  await report('')
  if (process.connected) process.disconnect()
} catch (error) {
  await report(error instanceof Error ? error.message : String(error))
  process.exit(1)
}

async function start(): Promise<void> {
  const settings = readSettings(env)
  const { host, address, dataFolder } = settings
  const variables = localVariables(env, address)
  await endLeftovers(dataFolder)
  const { code } = beginStack(dataFolder, 'npm run setup', null)
  const bindings = await startBackend(settings, variables, env)
  await makeDemo({ host, bindings, code }, settings)
  keepBindings(dataFolder, bindings)
}
