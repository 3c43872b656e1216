/**
 * Measures the CPU time of a process and its descendants: by a control group if one can be created, because
 * it counts microseconds and includes ended processes; otherwise by the figures of the system for each
 * process.
 */
import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { cpuMsOf, processesBelow } from './processes.ts'

export interface CpuMeter {
  /** The method of the measurement. */
  source: 'cgroup' | 'processes'
  /** The CPU time in milliseconds since an arbitrary start. */
  cpuMs(): number
  /** Moves the processes back to their previous groups. */
  close(): void
}

/** A hierarchy of control groups, and how to read the CPU time of one of its groups. */
interface Hierarchy {
  /** The path of the group of this process. */
  folder: string
  milliseconds(group: string): number
}

/** The kinds of hierarchies: version 2, also next to version 1; and version 1. */
const kinds: { mounts: string[]; line: RegExp; milliseconds(group: string): number }[] = [
  {
    mounts: ['/sys/fs/cgroup', '/sys/fs/cgroup/unified'],
    line: /^0::(.*)$/m,
    milliseconds: (group) =>
      Number(/usage_usec (\d+)/.exec(readFileSync(join(group, 'cpu.stat'), 'utf8'))?.[1]) / 1e3,
  },
  {
    mounts: ['/sys/fs/cgroup/cpuacct', '/sys/fs/cgroup/cpu,cpuacct'],
    line: /^\d+:(?:cpuacct|cpu,cpuacct|cpuacct,cpu):(.*)$/m,
    milliseconds: (group) => Number(readFileSync(join(group, 'cpuacct.usage'), 'utf8')) / 1e6,
  },
]

/** Starts to measure the process and its descendants. `name` is part of the name of the group. */
export function openCpuMeter(pid: number, name: string): CpuMeter {
  for (const hierarchy of hierarchies()) {
    const meter = groupMeter(hierarchy, pid, name)
    if (meter) return meter
  }
  return { source: 'processes', cpuMs: () => cpuMsOf(pid), close: () => undefined }
}

function hierarchies(): Hierarchy[] {
  if (!existsSync('/proc/self/cgroup')) return []
  const own = readFileSync('/proc/self/cgroup', 'utf8')
  return kinds.flatMap(({ mounts, line, milliseconds }) => {
    const path = line.exec(own)?.[1]
    const mount = mounts.find((folder) => existsSync(join(folder, 'cgroup.procs')))
    return path === undefined || !mount ? [] : [{ folder: join(mount, path), milliseconds }]
  })
}

/** Returns undefined if no group can be created, or if it does not report its CPU time. */
function groupMeter({ folder, milliseconds }: Hierarchy, pid: number, name: string): CpuMeter | undefined {
  const group = join(folder, `tessera-bench-${process.pid}-${name}`)
  const moveTo = (target: string) => {
    for (const each of processesBelow(pid)) writeFileSync(join(target, 'cgroup.procs'), String(each))
  }
  const remove = () => {
    try {
      for (const left of readFileSync(join(group, 'cgroup.procs'), 'utf8').split('\n').filter(Boolean))
        writeFileSync(join(folder, 'cgroup.procs'), left)
      rmdirSync(group)
    } catch {
      // A process of the group has ended meanwhile. An empty group that remains costs nothing.
    }
  }
  try {
    mkdirSync(group)
    moveTo(group)
    if (!Number.isFinite(milliseconds(group))) throw new Error('no CPU time')
    return { source: 'cgroup', cpuMs: () => milliseconds(group), close: remove }
  } catch {
    if (existsSync(group)) remove()
    return undefined
  }
}
