/** The variables that the Worker of a data folder gets, kept there for `npm run setup`. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Bindings } from './backend.ts'

const fileOf = (dataFolder: string): string => join(dataFolder, 'variables.json')

/** Stores them readable only for their owner, because they contain keys and passwords. */
export function keepBindings(dataFolder: string, bindings: Bindings): void {
  writeFileSync(fileOf(dataFolder), JSON.stringify(bindings, null, 1), { mode: 0o600 })
}

/** Returns the bindings of the last start. */
export const keptBindings = (dataFolder: string): Bindings =>
  JSON.parse(readFileSync(fileOf(dataFolder), 'utf8'))
