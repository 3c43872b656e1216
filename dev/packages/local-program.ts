/** The program `tessera-local`: runs the local stack from its built parts, with its data in the folder. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { copyDataFolder } from '../copy-data-folder.ts'
import { greeting } from '../greeting.ts'
import { isStopping, runProgram } from '../lifecycle.ts'
import { readSettings } from '../settings.ts'
import { startStack } from '../stack.ts'
import { localVariables } from '../variables.ts'

await runProgram(start)

/**
 * `--plain`: without the demo. `--from`: a new data folder begins as a copy of this one, which no stack uses.
 * Says to the process that started this one, if there is one, where the Worker listens.
 */
async function start(): Promise<void> {
  const { values: options } = parseArgs({
    options: { plain: { type: 'boolean', default: false }, from: { type: 'string' } },
  })
  const env = { DATA_DIR: join(process.cwd(), '.tessera', 'data'), ...process.env }
  const settings = readSettings(env)
  const variables = localVariables(env, settings.address)
  if (options.from && !existsSync(join(settings.dataFolder, 'postgres')))
    copyDataFolder(options.from, settings.dataFolder)
  const stack = { command: 'tessera-local', settings, variables, env, hasDemo: !options.plain } as const
  const { worker } = await startStack(stack)
  if (isStopping()) return
  if (process.send) process.send({ url: worker.url.href, ...settings.admin })
  else console.log(greeting(worker.url, settings, false))
}
