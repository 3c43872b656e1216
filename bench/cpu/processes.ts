/** Reads the CPU time of processes and their descendants: from /proc on Linux, from `ps` elsewhere. */
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'

interface Process {
  pid: number
  parent: number
  name: string
  /** CPU time in milliseconds of the process and its ended children. */
  cpuMs: number
}

/** Returns every process of the machine. */
function processes(): Process[] {
  return process.platform === 'linux' ? fromProc() : fromPs()
}

const ticksPerSecond = 100

function fromProc(): Process[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      const text = statOf(pid)
      // The name is in parentheses and may have any character; the state and the numbers follow it.
      const [, name = '', rest = ''] = /\((.*)\) (.*)/s.exec(text) ?? []
      const fields = rest.split(' ')
      if (fields.length < 15) return []
      const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0)
      return [{ pid: Number(pid), parent: Number(fields[1]), name, cpuMs: (ticks * 1000) / ticksPerSecond }]
    })
}

/** Returns an empty string for a process that has ended. */
function statOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8')
  } catch {
    return ''
  }
}

function fromPs(): Process[] {
  const lines = execFileSync('ps', ['-axo', 'pid=,ppid=,time=,comm='], { encoding: 'utf8' }).split('\n')
  return lines.flatMap((line) => {
    const [, pid, parent, time = '', name = ''] = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line) ?? []
    if (pid === undefined) return []
    const seconds = time.split(':').reduce((sum, part) => sum * 60 + Number(part), 0)
    return [{ pid: Number(pid), parent: Number(parent), name, cpuMs: seconds * 1000 }]
  })
}

/** Returns the CPU time of a process and its descendants in milliseconds. */
export function cpuMsOf(pid: number): number {
  const all = processes()
  return below(pid, all).reduce((sum, { cpuMs }) => sum + cpuMs, 0)
}

/** Returns a process and its descendants. */
export function processesBelow(pid: number): number[] {
  return below(pid, processes()).map((one) => one.pid)
}

/** Returns the processes of a name that this process has started and that `before` does not have. */
export function startedProcesses(name: string, before: readonly number[] = []): number[] {
  return below(process.pid, processes())
    .filter((one) => one.name.startsWith(name) && !before.includes(one.pid))
    .map(({ pid }) => pid)
}

function below(pid: number, all: readonly Process[]): Process[] {
  const own = all.filter((one) => one.pid === pid)
  const children = all.filter(({ parent }) => parent === pid)
  return [...own, ...children.flatMap((child) => below(child.pid, all))]
}
