/** The program `tessera-local`: runs the local stack from its built parts, with its data in the folder. */
import { join } from 'node:path'
import { greeting } from '../greeting.ts'
import { isStopping, runProgram } from '../lifecycle.ts'
import { readSettings } from '../settings.ts'
import { startStack } from '../stack.ts'
import { localVariables } from '../variables.ts'

await runProgram(start)

/**
 * `--plain`: without the demo. Says to the process that started this one, if there is one, where the Worker
 * listens.
 */
async function start(): Promise<void> {
  const env = { DATA_DIR: join(process.cwd(), '.tessera', 'data'), ...process.env }
  const settings = readSettings(env)
  const variables = localVariables(env, settings.address)
  const hasDemo = !process.argv.includes('--plain')
  const { worker } = await startStack({ command: 'tessera-local', settings, variables, env, hasDemo })
  if (isStopping()) return
  if (process.send) process.send({ url: worker.url.href, ...settings.admin })
  else console.log(greeting(worker.url, settings, false))
}
