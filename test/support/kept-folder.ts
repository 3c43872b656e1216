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
import { join } from 'node:path'
import { temporaryFolder } from '../../dev/temporary-folder.ts'

const root = join(import.meta.dirname, '..', '..')
const cache = join(root, 'node_modules', '.cache', 'tessera', 'clusters')

/** What a cluster is made of: the schema, the programs that apply it, and the version of Postgres. */
const sources = ['migrations', 'dev', 'package-lock.json', 'test/support/postgres.ts']

/** Returns a digest of the sources. `name` tells clusters of the same sources apart. */
function digestOf(name: string): string {
  const hash = createHash('sha256').update(`${name}\n`)
  for (const path of sources.flatMap(filesOf)) {
    const content = readFileSync(join(root, path))
    hash.update(`${path} ${content.length}\n`).update(content)
  }
  return hash.digest('hex').slice(0, 32)
}

/** Returns a file, or the files of a folder; of dev those directly in it, which make clusters. */
function filesOf(path: string): string[] {
  if (statSync(join(root, path)).isFile()) return [path]
  return readdirSync(join(root, path), { recursive: path !== 'dev', encoding: 'utf8' })
    .map((name) => join(path, name))
    .filter((file) => /\.(sql|ts)$/.test(file) && statSync(join(root, file)).isFile())
    .sort()
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
    cpSync(folder, unfinished, { recursive: true })
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
