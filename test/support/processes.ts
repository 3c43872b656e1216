/** The processes of this machine, as a test looks for those that it started, and stops them. */
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'

interface ProcessInfo {
  pid: number
  parent: number
  group: number
  /** As ps has it: a zombie's begins with Z. */
  state: string
  name: string
}

/** The living processes of a group. */
export const membersOf = (group: number): ProcessInfo[] => living().filter((info) => info.group === group)

/** Stops a process and its children, as a machine that hangs would. Answers what lets them go on; that may be called twice. */
export function freeze(pid: number): () => void {
  // The parent first, so that it makes no more of them.
  process.kill(pid, 'SIGSTOP')
  const children = living().filter(({ parent }) => parent === pid)
  for (const child of children) signal(child.pid, 'SIGSTOP')
  return () => {
    for (const child of children) signal(child.pid, 'SIGCONT')
    signal(pid, 'SIGCONT')
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch {
    // It ended meanwhile.
  }
}

function living(): ProcessInfo[] {
  const all = existsSync('/proc/self/stat') ? fromProc() : fromPs()
  return all.filter(({ state }) => !state.startsWith('Z'))
}

function fromProc(): ProcessInfo[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return pids.flatMap((pid) => {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
      const [state = '', parent, group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      const name = stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')'))
      return [{ pid: Number(pid), parent: Number(parent), group: Number(group), state, name }]
    } catch {
      // It ended while we looked.
      return []
    }
  })
}

function fromPs(): ProcessInfo[] {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,pgid=,stat=,comm='], { encoding: 'utf8' }).trim().split('\n')
  return lines.map((line) => {
    const [pid, parent, group, state = '', ...name] = line.trim().split(/\s+/)
    return { pid: Number(pid), parent: Number(parent), group: Number(group), state, name: name.join(' ') }
  })
}
