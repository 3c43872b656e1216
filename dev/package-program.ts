/**
 * Finds the programs of packages, which Node itself starts, because node_modules/.bin differs between
 * systems.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const modules = join(import.meta.dirname, '..', 'node_modules')

/** Returns the file of a program. `name`: its name, if it differs from that of the package. */
export function packageProgram(packageName: string, name = packageName): string {
  const folder = join(modules, ...packageName.split('/'))
  const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const path = typeof bin === 'string' ? bin : bin[name]
  return join(folder, path)
}
