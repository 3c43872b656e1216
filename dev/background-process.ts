/** Starts and ends the process of background.ts. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdirSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { holderOf } from './data-folder.ts'
import { isRunning } from './process-identity.ts'

/** How long it may take to stop Postgres cleanly. */
const stopMs = 5_000

/**
 * Starts the process. Returns when the database can be used. Throws, with the reason, if it does not start.
 */
export async function startBackground(dataFolder: string): Promise<void> {
  mkdirSync(dataFolder, { recursive: true, mode: 0o711 })
  const log = openSync(join(dataFolder, 'background.log'), 'w', 0o600)
  const child = spawn(process.execPath, [join(import.meta.dirname, 'background.ts')], {
    stdio: ['ignore', log, log, 'ipc'],
    detached: true,
    windowsHide: true,
  })
  closeSync(log)
  const abandon = () => {
    child.kill('SIGTERM')
    process.exit(1)
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, abandon)
  const [problem] = await Promise.race([once(child, 'message'), once(child, 'exit')])
  if (problem !== '') throw new Error(typeof problem === 'string' ? problem : 'its process ended.')
  child.unref()
  if (child.connected) child.disconnect()
}

/** Ends the process if it runs for a data folder, and prints that. Returns whether it did. */
export async function endBackground(dataFolder: string): Promise<boolean> {
  const holder = holderOf(dataFolder)
  if (holder?.command !== 'npm run setup') return false
  process.kill(holder.pid, 'SIGTERM')
  const deadline = Date.now() + stopMs
  while (isRunning(holder)) {
    if (Date.now() > deadline) process.kill(holder.pid, 'SIGKILL')
    await new Promise((again) => setTimeout(again, 50))
  }
  console.log(`The database that npm run setup had started (pid ${holder.pid}) has ended.`)
  return true
}
