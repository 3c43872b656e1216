/** Memory of processes. Linux tells it in /proc; elsewhere there are no figures. */
import { readFileSync } from 'node:fs'

/**
 * Returns the mebibytes that a process has to itself, or undefined where the system does not say. Memory that
 * processes share, as the buffers of Postgres, is not in it.
 */
export function ownMemoryMiB(pid: number): number | undefined {
  try {
    const [, kibibytes] = /^RssAnon:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
    return kibibytes === undefined ? undefined : Number(kibibytes) / 1024
  } catch {
    return undefined
  }
}
