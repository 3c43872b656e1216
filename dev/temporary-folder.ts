/**
 * Creates folders that a process needs only while it runs. If a process was killed, a later one removes its
 * folders.
 */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The name contains the process that created the folder: tessera-<purpose>-<process>-<random>. */
const made = /^tessera-[a-z-]+-(\d+)-\w{6}$/

/** Creates a temporary folder, named after its purpose, in `below`. */
export const temporaryFolder = (purpose: string, below = tmpdir()): string =>
  mkdtempSync(join(below, `tessera-${purpose}-${process.pid}-`))

/** Removes the folders below another one whose processes have ended. */
export function removeAbandoned(below: string): void {
  for (const name of readdirSync(below)) {
    const pid = Number(made.exec(name)?.[1])
    if (!pid || exists(pid)) continue
    try {
      rmSync(join(below, name), { recursive: true, force: true })
    } catch {
      // The folder belongs to another user, who must remove it.
    }
  }
}

/**
 * Returns whether a process has this number. A later process with the number keeps the folder until it ends.
 */
function exists(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
