/** The commands of the local stack as processes, and their data from the operating system. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..', '..')

export interface Run {
  process: ChildProcess
  output(): string
  exited: Promise<number | null>
}

/** Runs a command of the stack in its own process group, like a shell. */
export const run = (args: string[], env: Record<string, string> = {}): Run =>
  runProgram(process.execPath, [join(root, 'dev', 'run.mjs'), ...args], env)

export function runProgram(program: string, args: string[], env: Record<string, string>, cwd = root): Run {
  let output = ''
  const child = spawn(program, args, {
    cwd,
    detached: true,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  child.stdout.on('data', (chunk) => {
    output += chunk
  })
  child.stderr.on('data', (chunk) => {
    output += chunk
  })
  return { process: child, output: () => output, exited: new Promise((done) => child.once('exit', done)) }
}

export interface ProcessInfo {
  pid: number
  parent: number
  name: string
}

const living = () =>
  (existsSync('/proc/self/stat') ? fromProc() : fromPs()).filter(({ state }) => !state.startsWith('Z'))

/** Returns the living processes of a group. */
export const membersOf = (group: number): ProcessInfo[] => living().filter((info) => info.group === group)

/** Returns a living process and all its descendants in any group: those of Postgres have their own groups. */
export function treeOf(root: number): ProcessInfo[] {
  const all = living()
  const tree = all.filter(({ pid }) => pid === root)
  for (const { pid } of tree) tree.push(...all.filter(({ parent }) => parent === pid))
  return tree
}

/**
 * Stops a process and its children, like a machine that hangs. Returns a function that continues them, and
 * may be called twice.
 */
export function freeze(pid: number): () => void {
  // The parent first, so that it creates no more children.
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
    // It has ended in the meantime.
  }
}

/** Returns the program and arguments of a process. */
export function commandOf(pid: number): string {
  if (existsSync('/proc/self/cmdline'))
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
  return execFileSync('ps', ['-o', 'args=', '-p', String(pid)], { encoding: 'utf8' })
}

/** Returns those processes that are still alive. */
export function survivorsOf(before: readonly ProcessInfo[]): ProcessInfo[] {
  const now = new Map(living().map((info) => [info.pid, info]))
  return before.filter(({ pid, name }) => now.get(pid)?.name === name)
}

function fromProc() {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return pids.flatMap((pid) => {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
      const [state = '', parent, group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      return [
        {
          pid: Number(pid),
          parent: Number(parent),
          group: Number(group),
          state,
          name: stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')')),
        },
      ]
    } catch {
      // It ended during the look-up.
      return []
    }
  })
}

function fromPs() {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,pgid=,stat=,comm='], { encoding: 'utf8' })
    .trim()
    .split('\n')
  return lines.map((line) => {
    const [pid, parent, group, state = '', ...name] = line.trim().split(/\s+/)
    return { pid: Number(pid), parent: Number(parent), group: Number(group), state, name: name.join(' ') }
  })
}
