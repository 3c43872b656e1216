/** Distinguishes a process from a later one with the same number, by the time of its start. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** A process as a file records it. */
export interface ProcessRecord {
  pid: number
  /** The result of `identityOf` for the process. */
  identity: string
}

/** Returns when a process started, in the format of the system; undefined if it has ended. */
export function identityOf(pid: number): string | undefined {
  const ask = askers[process.platform] ?? fromPs
  try {
    return ask(pid) || undefined
  } catch {
    return undefined
  }
}

/** Returns whether a recorded process is running, and not another one with its number. */
export const isRunning = ({ pid, identity }: ProcessRecord): boolean => identityOf(pid) === identity

const askers: Partial<Record<NodeJS.Platform, (pid: number) => string>> = {
  linux: fromProc,
  win32: fromPowerShell,
}

/**
 * Returns the ticks from the start of the machine to the start of the process, which do not depend on the
 * clock.
 */
function fromProc(pid: number): string {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  // After the name, which is in parentheses: state (0), …, starttime (19).
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
  return fields[0] === 'Z' ? '' : `${boot} ${fields[19]}`
}

function fromPs(pid: number): string {
  const text = execFileSync('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...process.env, LC_ALL: 'C' },
  })
  const [state = '', ...started] = text.trim().split(/\s+/)
  return state.startsWith('Z') ? '' : started.join(' ')
}

function fromPowerShell(pid: number): string {
  const query = `(Get-Process -Id ${pid} -ErrorAction Stop).StartTime.ToFileTimeUtc()`
  return execFileSync('powershell.exe', ['-NoProfile', '-Command', query], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    windowsHide: true,
  }).trim()
}
