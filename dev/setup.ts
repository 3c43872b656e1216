/**
 * `npm run setup`: starts the database for `wrangler dev` in the background, unless `npm start` runs it, and
 * writes its address to .dev.vars. `npm run setup -- --stop` ends it.
 */
import { endBackground, startBackground } from './background-process.ts'
import { buildConsole } from './build-console.ts'
import { holderOf } from './data-folder.ts'
import { writeDevVars } from './dev-vars.ts'
import { setupGreeting } from './greeting.ts'
import { keptBindings } from './kept-bindings.ts'
import { readSettings } from './settings.ts'
import { localVariables } from './variables.ts'

try {
  const settings = readSettings(process.env)
  if (process.argv.includes('--stop')) await stop(settings.dataFolder)
  else {
    localVariables(process.env, settings.address)
    await buildConsole()
    if (!holderOf(settings.dataFolder)) await startBackground(settings.dataFolder)
    const holder = holderOf(settings.dataFolder)
    writeDevVars(keptBindings(settings.dataFolder))
    const where = holder?.command === 'npm start' ? 'npm start has it' : 'in the background'
    console.log(setupGreeting(settings, `${where} (pid ${holder?.pid})`))
  }
} catch (error) {
  console.error(`\nThe database was not set up: ${error instanceof Error ? error.message : error}`)
  process.exitCode = 1
}

async function stop(dataFolder: string): Promise<void> {
  if (await endBackground(dataFolder)) return
  const holder = holderOf(dataFolder)
  console.log(
    holder
      ? `The database is of ${holder.command} (pid ${holder.pid}), and ends with it.`
      : 'There is no database in the background.',
  )
}
