/**
 * In the package tessera-local, this module takes the place of dev/bundle.ts and dev/worker-settings.ts: the
 * Workers and their settings were built when it was packed.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { workerSettings as settingsOfSources } from '../worker-settings.ts'
import { fileOf } from './built-files.ts'

/** The root of the package. */
const root = join(import.meta.dirname, '..')

const built = (file: string): Promise<string> => readFile(join(root, 'built', file), 'utf8')

/** Returns the text of the module of a Worker. `entry`: its source in the repository. */
export const bundle = (entry: string): Promise<string> => built(fileOf(entry))

/** Returns the settings of the Worker in Miniflare's form. */
export const workerSettings: typeof settingsOfSources = async () => ({
  ...JSON.parse(await built('settings.json')),
  rootPath: root,
})
