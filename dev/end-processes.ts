/** Ends recorded processes, no matter how their parent ended. */
import { isRunning, type ProcessRecord } from './process-identity.ts'

/** A process that one of ours has started. */
export interface Child extends ProcessRecord {
  /** The name of its program, for messages. */
  name: string
}

/**
 * Signals to which Postgres reacts by ending its own processes at once, as after a crash. Other processes do
 * not need this.
 */
const firstSignal = (name: string): NodeJS.Signals => (name === 'postgres' ? 'SIGQUIT' : 'SIGKILL')

/** How long Postgres has to end its own processes. */
const patienceMs = 1_000

/** How long the system may take to end killed processes. */
const deadlineMs = 10_000

/**
 * Ends the processes that are running, and returns them when they have ended. Throws if one cannot be ended.
 */
export async function endProcesses(children: readonly Child[]): Promise<readonly Child[]> {
  const found = children.filter(isRunning)
  for (const { pid, name } of found) signal(pid, firstSignal(name))
  const began = performance.now()
  let killed = false
  for (let left = found; left.length > 0; left = left.filter(isRunning)) {
    const waitedMs = performance.now() - began
    if (waitedMs > deadlineMs) throw new Error(`${namesOf(left)} cannot be ended.`)
    if (waitedMs > patienceMs && !killed) {
      for (const { pid } of left) signal(pid, 'SIGKILL')
      killed = true
    }
    await new Promise((again) => setTimeout(again, 20))
  }
  return found
}

/** Returns the names and numbers of processes, for a sentence. */
export const namesOf = (children: readonly Child[]): string =>
  children.map(({ name, pid }) => `${name} (pid ${pid})`).join(', ')

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch {
    // The process has ended.
  }
}
