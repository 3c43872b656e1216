/** The progress of a load, stored in a file, so that an interrupted load can continue. */
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** The progress of a table. */
export interface TableState {
  /** The records that the table had before the load. */
  before: number
  /** The rows of the file that are done: stored, or left out. */
  read: number
  /** The records that are stored. */
  stored: number
  /** A request that was sent: whether it was stored is not known until its answer is there. */
  sent?: { read: number; stored: number }
}

/** The state of a load. Every change is written at once. */
export interface LoadState {
  tables: Record<string, TableState>
  /** The names of the steps that are done as a whole. */
  done: string[]
}

const folder = join(import.meta.dirname, '..', '..', '.tessera', 'loads')

/** The state of one load, in its file. */
export interface StateFile {
  state: LoadState | undefined
  save(state: LoadState): void
  remove(): void
}

/** Opens the state of the load of a path into an app. */
export function stateFile(service: string, app: string, path: string): StateFile {
  const name = createHash('sha256').update([service, app, path].join('\n')).digest('hex').slice(0, 32)
  const file = join(folder, `${name}.json`)
  return {
    state: read(file),
    save(state) {
      mkdirSync(folder, { recursive: true })
      // Written next to its place first, so that a load which is killed while it writes leaves the earlier
      // state.
      writeFileSync(`${file}.unfinished`, JSON.stringify(state))
      renameSync(`${file}.unfinished`, file)
    },
    remove: () => rmSync(file, { force: true }),
  }
}

function read(file: string): LoadState | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as LoadState
  } catch {
    return undefined
  }
}
