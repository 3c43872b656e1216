/**
 * Keeps the state of the last pull or push of each site in the folder of an app, because several sites may
 * have the app, each in its own version.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { inOrder } from '../../../src/transfers/archive/order.ts'
import { Problem } from '../problem.ts'
import { nameOf, type Target } from '../target.ts'

/** What a site had at the last pull or push. */
export interface State {
  /** The hashes of the parts by their keys; empty if the site was never pulled or pushed. */
  parts: Readonly<Record<string, string>>
  /** The renames of fields in the files that the site has, as renames.ts writes them. */
  renames: readonly string[]
}

const stateFile = '.pulled.json'
const none: State = { parts: {}, renames: [] }

/** Reads the states by the addresses of the sites. */
export function readStates(folder: string): ReadonlyMap<string, State> {
  const file = join(folder, stateFile)
  if (!existsSync(file)) return new Map()
  try {
    const { sites } = JSON.parse(readFileSync(file, 'utf8')) as { sites?: Record<string, State> }
    return new Map(Object.entries(sites ?? {}))
  } catch {
    throw new Problem(`${file} cannot be read. Delete it, and pull again with --force.`)
  }
}

/** Reads the state of a site. */
export const readState = (folder: string, target: Target): State =>
  readStates(folder).get(nameOf(target)) ?? none

/** Replaces the state of a site. */
export function writeState(folder: string, target: Target, state: State): void {
  const sites = Object.fromEntries([...readStates(folder), [nameOf(target), state]])
  writeFileSync(join(folder, stateFile), `${JSON.stringify(inOrder({ sites }), null, 2)}\n`)
}
