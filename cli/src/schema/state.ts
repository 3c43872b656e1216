/**
 * Keeps the state of the last pull or push of each site in the folder of an app, because several sites may
 * have the app, each in its own version.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { readOwn, writeOwn } from '../../../dev/own-files.ts'
import { sha256 } from '../../../src/kernel/lib/sha256.ts'
import { inOrder } from '../../../src/operation/transfers/archive/order.ts'
import { Problem } from '../problem.ts'
import { nameOf, type Target } from '../target.ts'
import { hashesOf, type Parts } from './parts.ts'

/** What a site had at the last pull or push. */
export interface State {
  /** The hashes of the parts by their keys; empty if the site was never pulled or pushed. */
  parts: Readonly<Record<string, string>>
  /** The hashes of the codes of functions. */
  codes: readonly string[]
  /** The renames of fields in the files that the site has, as renames.ts writes them. */
  renames: readonly string[]
}

const stateFile = '.pulled.json'
const none: State = { parts: {}, codes: [], renames: [] }

/** Reads the states by the addresses of the sites. */
export function readStates(folder: string): ReadonlyMap<string, State> {
  const file = join(folder, stateFile)
  if (!existsSync(file)) return new Map()
  try {
    const { sites } = JSON.parse(readOwn(folder, stateFile)) as { sites?: Record<string, Partial<State>> }
    return new Map(Object.entries(sites ?? {}).map(([name, state]) => [name, { ...none, ...state }]))
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
  writeOwn(folder, stateFile, `${JSON.stringify(inOrder({ sites }), null, 2)}\n`)
}

/** Returns what a site has now as its state. */
export const stateOf = (parts: Parts | undefined, renames: readonly string[]): State => ({
  parts: hashesOf(parts),
  codes: codesOf(parts),
  renames,
})

/** Returns the hashes of the codes of functions. */
export const codesOf = (parts: Parts | undefined): string[] =>
  [...new Set([...(parts?.functions.values() ?? [])].map(({ code }) => sha256(code)))].toSorted()

/** Returns whether a text is the code that a function of some site had at the last pull or push. */
export function isAsPulled(folder: string, text: string): boolean {
  const hash = sha256(text)
  return [...readStates(folder).values()].some(({ codes }) => codes.includes(hash))
}
