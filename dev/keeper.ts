/**
 * Ends what this process has started when this process ends, however it does: by a signal that cannot be caught, too.
 * A shell reads from a pipe which processes are there; when the pipe ends, its writer has, and it ends them. Windows
 * needs none of this: there Node's children end with it.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { subscribe } from 'node:diagnostics_channel'
import { basename } from 'node:path'

type Signal = 'KILL' | 'QUIT'

/** Each line has a signal and all processes that are to get it. QUIT ends Postgres at once, with its own processes. */
const script = `
trap '' INT TERM HUP QUIT PIPE
while read -r signal pids; do
  case $signal in KILL) kill=$pids ;; QUIT) quit=$pids ;; esac
done
if [ -n "$kill" ]; then kill -KILL $kill; fi
if [ -n "$quit" ]; then kill -QUIT $quit; sleep 1; kill -KILL $quit; fi
`

/** From now on. Processes that are waited for synchronously are left out. */
export function keepChildren(): void {
  if (process.platform === 'win32') return
  const keeper = spawn('/bin/sh', ['-c', script], { stdio: ['pipe', 'ignore', 'ignore'] })
  keeper.unref()
  keeper.stdin.on('error', () => undefined)
  const pids: Record<Signal, Set<number>> = { KILL: new Set(), QUIT: new Set() }
  const tell = (signal: Signal) => keeper.stdin.write(`${signal} ${[...pids[signal]].join(' ')}\n`)

  subscribe('child_process', (message) => {
    const child = (message as { process: ChildProcess }).process
    child.once('spawn', () => {
      const { pid, spawnfile } = child as ChildProcess & { pid: number }
      const signal = basename(spawnfile) === 'postgres' ? 'QUIT' : 'KILL'
      pids[signal].add(pid)
      tell(signal)
      child.once('exit', () => {
        pids[signal].delete(pid)
        tell(signal)
      })
    })
  })
}
