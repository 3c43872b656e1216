/** What every package says of itself. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export const root = join(import.meta.dirname, '..', '..')

export interface Manifest {
  name: string
  version: string
  description: string
  license: string
  dependencies?: Record<string, string>
  [member: string]: unknown
}

export const readManifest = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'))

const own = readManifest('.')

/** The version of the service and of all packages. */
export const { version } = own

const { GITHUB_REPOSITORY: repository } = process.env

/** Returns a manifest with what all packages share. npm publishes a provenance only with the repository. */
export const completed = (manifest: Omit<Manifest, 'version' | 'license'>): string => {
  const shared = {
    version,
    license: own.license,
    type: 'module',
    ...(repository ? { repository: { type: 'git', url: `git+https://github.com/${repository}.git` } } : {}),
  }
  return `${JSON.stringify({ ...manifest, ...shared }, null, 2)}\n`
}

/** Returns the exact versions of packages that the repository uses. Throws for one that it does not. */
export function versionsOf(names: readonly string[]): Record<string, string> {
  const all = { ...own.dependencies, ...(own.devDependencies as Record<string, string>) }
  return Object.fromEntries(
    names.map((name) => {
      const found = all[name]
      if (found === undefined) throw new Error(`package.json has no ${name}.`)
      return [name, found]
    }),
  )
}
