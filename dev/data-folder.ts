/**
 * Reserves a data folder for one stack at a time. A file of the folder records the stack and the processes
 * that it has started. If a stack was killed, the next one ends its processes.
 */
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Child, endProcesses, namesOf } from './end-processes.ts'
import { identityOf, isRunning, type ProcessRecord } from './process-identity.ts'

/** The commands that use a data folder. */
export type Command = 'npm start' | 'npm run setup' | 'tessera-local'

export interface Holder extends ProcessRecord {
  command: Command
  /** The address of its Worker; null if it runs none. */
  address: string | null
  children: readonly Child[]
}

export interface Hold {
  /** Records the started processes. */
  note(children: readonly Child[]): void
  /** Releases the folder for the next stack. */
  release(): void
}

const fileOf = (folder: string): string => join(folder, 'running.json')

/** Returns the user of a folder, if there is one. */
export function holderOf(folder: string): Holder | undefined {
  const holder = read(folder)
  return holder && isRunning(holder) ? holder : undefined
}

/** Ends the processes that a stack has left in a folder, and prints that. Throws if the stack still runs. */
export async function endLeftovers(folder: string): Promise<void> {
  const before = read(folder)
  if (!before) return removeBroken(folder)
  if (isRunning(before)) throw new Error(inUse(folder, before))
  const ended = await endProcesses(before.children)
  if (ended.length > 0)
    console.error(`Ended what an earlier ${before.command} has left behind: ${namesOf(ended)}.`)
  // Another start may have been faster: the file then belongs to it.
  if (read(folder)?.identity === before.identity) rmSync(fileOf(folder), { force: true })
}

/** Reserves a folder for this process. Creates it if it does not exist. Throws if another process uses it. */
export function holdFolder(folder: string, command: Command, address: string | null): Hold {
  // Other users may pass through, as Postgres's user must under root; the content is only for the owner.
  mkdirSync(folder, { recursive: true, mode: 0o711 })
  const file = fileOf(folder)
  const draft = `${file}.new`
  const holder: Holder = {
    pid: process.pid,
    identity: identityOf(process.pid) ?? '',
    command,
    address,
    children: [],
  }
  const write = (path: string, content: Holder, flag = 'w') =>
    writeFileSync(path, JSON.stringify(content, null, 1), { mode: 0o600, flag })
  try {
    write(file, holder, 'wx')
  } catch {
    throw new Error(inUse(folder, read(folder)))
  }
  let released = false
  return {
    note(children) {
      if (released) return
      write(draft, { ...holder, children })
      renameSync(draft, file)
    },
    release() {
      released = true
      rmSync(file, { force: true })
    },
  }
}

function read(folder: string): Holder | undefined {
  try {
    return JSON.parse(readFileSync(fileOf(folder), 'utf8')) as Holder
  } catch {
    return undefined
  }
}

/** Removes an unreadable file. It was left by a power failure, unless it is being written now. */
function removeBroken(folder: string): void {
  const file = fileOf(folder)
  if (existsSync(file) && Date.now() - statSync(file).mtimeMs > 2_000) rmSync(file, { force: true })
}

function inUse(folder: string, holder: Holder | undefined): string {
  const where = holder?.address ? ` at ${holder.address}` : ''
  const who = holder ? `${holder.command} (pid ${holder.pid})${where}` : 'another start'
  return `${folder} is in use by ${who}. Stop that one, or set DATA_DIR and PORT to others.`
}
