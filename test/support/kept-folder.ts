/**
 * Keeps migrated clusters of Postgres below node_modules/.cache, because making one takes longer than most
 * test files. A cluster is used as long as nothing has changed that it is made of.
 */
import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { join, relative } from 'node:path'
import { temporaryFolder } from '../../dev/temporary-folder.ts'

const root = join(import.meta.dirname, '..', '..')
const cache = join(root, 'node_modules', '.cache', 'tessera', 'clusters')

/** Returns a digest of what a cluster is made of: the schema, and the programs that apply it. */
function digestOf(name: string): string {
  const hash = createHash('sha256').update(`${name}\n`)
  const programs = importedFrom(join(root, 'test', 'support', 'postgres.ts'))
  const schema = readdirSync(join(root, 'migrations'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.sql'))
    .map((file) => join(root, 'migrations', file))
  for (const path of [...programs, ...schema, join(root, 'package-lock.json')].sort()) {
    const content = readFileSync(path)
    hash.update(`${relative(root, path)} ${content.length}\n`).update(content)
  }
  return hash.digest('hex').slice(0, 32)
}

/** Returns a module and all modules of the project that it imports. */
function importedFrom(path: string, found = new Set<string>()): Set<string> {
  if (found.has(path)) return found
  found.add(path)
  const imports = readFileSync(path, 'utf8').matchAll(
    /^(?:import|export) .*?from '(\.[^']+\.ts)'|^\} from '(\.[^']+\.ts)'/gm,
  )
  for (const [, one, other] of imports) importedFrom(join(path, '..', one ?? other ?? ''), found)
  return found
}

/**
 * Returns the kept folder of a stopped server; `make` makes it if there is none. Only the newest
 * ones stay, because each is larger than 50 MB.
 */
export async function keptFolder(name: string, make: (folder: string) => Promise<void>): Promise<string> {
  const kept = join(cache, digestOf(name))
  if (existsSync(kept)) return kept
  const folder = temporaryFolder('cluster')
  await make(folder)
  try {
    mkdirSync(cache, { recursive: true })
    removeOld()
    const unfinished = `${kept}-${process.pid}`
    // The programs of Postgres may be in it, and links between their libraries.
    cpSync(folder, unfinished, { recursive: true, verbatimSymlinks: true })
    renameSync(unfinished, kept)
  } catch {
    // Another process has kept the same, or the folder is not writable: the next run makes it again.
    return folder
  }
  rmSync(folder, { recursive: true, force: true })
  return kept
}

/** How many clusters are kept: the newest ones. */
const keptMax = 6

function removeOld(): void {
  const byAge = readdirSync(cache)
    .map((name) => ({ path: join(cache, name), madeAt: statSync(join(cache, name)).mtimeMs }))
    .sort((a, b) => b.madeAt - a.madeAt)
  for (const { path } of byAge.slice(keptMax)) rmSync(path, { recursive: true, force: true })
}
