/** Reads the CPU time and memory of processes from the system. */
import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { promisify } from 'node:util'

export interface Usage {
  cpuMs: number
  residentBytes: number
}

const hasProc = existsSync('/proc/self/stat')

/**
 * Reads the use of processes. Omits processes that have ended. On Windows, which has no `ps`, omits all: only
 * the time limit ends a loop there.
 */
export const usageOf = async (pids: readonly number[]): Promise<ReadonlyMap<number, Usage>> =>
  hasProc ? fromProc(pids) : fromPs(pids)

/** Linux shows CPU time in hundredths of a second. */
const tickMs = 10

function fromProc(pids: readonly number[]): ReadonlyMap<number, Usage> {
  const usages = new Map<number, Usage>()
  for (const pid of pids) {
    try {
      // After the name, which is in parentheses: state, …, utime (11), stime (12).
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      const resident = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0
      const cpuMs = (Number(fields[11]) + Number(fields[12])) * tickMs
      usages.set(pid, { cpuMs, residentBytes: Number(resident) * 1024 })
    } catch {
      // The process has ended.
    }
  }
  return usages
}

async function fromPs(pids: readonly number[]): Promise<ReadonlyMap<number, Usage>> {
  try {
    const { stdout } = await promisify(execFile)('ps', ['-o', 'pid=,time=,rss=', '-p', pids.join(',')])
    const lines = stdout.trim().split('\n')
    return new Map(lines.map((line) => usageOfLine(line.trim().split(/\s+/) as [string, string, string])))
  } catch {
    return new Map()
  }
}

/** `time` is `[hours:]minutes:seconds.hundredths`. */
function usageOfLine([pid, time, kibibytes]: [pid: string, time: string, kibibytes: string]): [
  number,
  Usage,
] {
  const seconds = time.split(':').reduce((sum, part) => sum * 60 + Number(part), 0)
  return [Number(pid), { cpuMs: seconds * 1000, residentBytes: Number(kibibytes) * 1024 }]
}
