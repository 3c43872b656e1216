/**
 * Ends the processes that this process has started when it ends in any way, even by a signal that cannot be
 * caught. A separate process, dev/keeper-process.ts, reads the list of processes from a pipe. When the pipe
 * closes, its writer has ended, and it ends them. Windows does not need this: there, Node's children end with
 * Node.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { subscribe } from 'node:diagnostics_channel'
import { basename } from 'node:path'
import type { Child } from './end-processes.ts'
import { identityOf } from './process-identity.ts'
import { programBeside } from './program-beside.ts'

let isKept = false

/**
 * Starts to watch the processes that this process starts; a second call changes nothing. Excludes processes
 * that are awaited synchronously, and detached ones. `note` gets the list of processes after each change.
 */
export function keepChildren(note: (children: readonly Child[]) => void = () => undefined): void {
  if (process.platform === 'win32' || isKept) return
  isKept = true
  const children = new Map<number, Child>()
  let keeper = startKeeper()

  function tell(): void {
    const list = [...children.values()]
    keeper.stdin?.write(`${JSON.stringify(list)}\n`)
    note(list)
  }

  function startKeeper(): ChildProcess {
    const started = spawn(process.execPath, [programBeside('keeper-process')], {
      stdio: ['pipe', 'ignore', 'ignore'],
      // Signals to all processes of a terminal must not end this one.
      detached: true,
    })
    started.unref()
    started.stdin?.on('error', () => undefined)
    // Without it, processes would continue after this one is killed.
    started.once('exit', () => {
      keeper = startKeeper()
      tell()
    })
    return started
  }

  subscribe('child_process', (message) => {
    const child = (message as { process: ChildProcess }).process
    child.once('spawn', () => {
      const { pid, spawnfile } = child as ChildProcess & { pid: number }
      if (child === keeper) return
      children.set(pid, { pid, identity: identityOf(pid) ?? '', name: basename(spawnfile) })
      tell()
      child.once('exit', () => {
        children.delete(pid)
        tell()
      })
    })
  })
}
