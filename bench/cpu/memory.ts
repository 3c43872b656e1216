/** Reads the memory of processes, which Linux has in /proc; other systems have no figures. */
import { readFileSync } from 'node:fs'

/**
 * Returns the private memory of a process in mebibytes; undefined if the system does not tell. It does not
 * include memory that processes share, such as the buffers of Postgres.
 */
export function ownMemoryMiB(pid: number): number | undefined {
  try {
    const [, kibibytes] = /^RssAnon:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
    return kibibytes === undefined ? undefined : Number(kibibytes) / 1024
  } catch {
    return undefined
  }
}
