/** The progress of a load, stored in a file, so that an interrupted load can continue. */
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** The progress of a table. */
export interface TableState {
  /** The number of records that the table had before the load. */
  before: number
  /** The number of finished rows of the file: stored, or left out. */
  read: number
  /** The number of stored records. */
  stored: number
  /** A sent request without a response yet, so that it is unknown whether it was stored. */
  sent?: { read: number; stored: number }
}

/** The state of a load. Every change is written at once. */
export interface LoadState {
  tables: Record<string, TableState>
  /** The names of the completely finished steps. */
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
      // Written to a temporary file first, so that a load that is killed while it writes keeps the earlier
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
