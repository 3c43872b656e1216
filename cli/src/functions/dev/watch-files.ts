/** Detects changes of files, no matter which tool writes them and how. */
import { statSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'

/** How often files are checked, in ms. */
const everyMs = 200

/** Returns a text that changes with the file; empty if the file does not exist. */
function markOf(file: string): string {
  const found = statSync(file, { throwIfNoEntry: false })
  return found ? `${found.mtimeMs} ${found.size} ${found.ino}` : ''
}

/** Files with their states at the time when they were added. */
export interface WatchedFiles {
  add(files: readonly string[]): void
  /** Waits until one of the files has changed, and returns its path. */
  change(): Promise<string>
}

/** Watches files from now on. */
export function watchFiles(): WatchedFiles {
  const marks = new Map<string, string>()
  return {
    add(files) {
      for (const file of files) if (!marks.has(file)) marks.set(file, markOf(file))
    },
    async change() {
      for (;;) {
        for (const [file, mark] of marks) if (markOf(file) !== mark) return file
        await wait(everyMs)
      }
    },
  }
}
