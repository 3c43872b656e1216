/**
 * The previous release, as one compressed file: its Worker, its migrations, and requests for its operations.
 * The tests of upgrades run it on the current schema, without needing the git history.
 */
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib'
import { bundleForRelease } from '../bundle.ts'

const root = join(import.meta.dirname, '..', '..')
const file = join(root, 'test', 'release', 'release.json.br')

export interface KeptRelease {
  /** The commit that it was built from; null without git. */
  commit: string | null
  /** The Worker as one module for workerd. */
  worker: string
  /** dev/release/client.ts as one module for Node. */
  client: string
  /** The files of migrations/, by their paths in it with slashes. */
  migrations: Readonly<Record<string, string>>
}

/** Keeps this version as the previous release of the next one. Returns the size of the file in bytes. */
export async function keepRelease(): Promise<{ commit: string | null; bytes: number }> {
  const commit = commitOf()
  const release: KeptRelease = {
    commit,
    worker: await bundleForRelease('src/worker.ts', 'workerd'),
    client: await bundleForRelease('dev/release/client.ts', 'node'),
    migrations: migrations(),
  }
  const text = Buffer.from(JSON.stringify(release))
  const params = {
    [constants.BROTLI_PARAM_SIZE_HINT]: text.length,
    [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
  }
  writeFileSync(file, brotliCompressSync(text, { params }))
  return { commit, bytes: statSync(file).size }
}

/** Returns the previous release. */
export const readRelease = (): KeptRelease => JSON.parse(brotliDecompressSync(readFileSync(file)).toString())

function migrations(): Record<string, string> {
  const folder = join(root, 'migrations')
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return Object.fromEntries(
    names
      .filter((name) => name.endsWith('.sql'))
      .sort()
      .map((name) => [name.replaceAll('\\', '/'), readFileSync(join(folder, name), 'utf8')]),
  )
}

function commitOf(): string | null {
  try {
    return execFileSync('git', ['rev-parse', 'HEAD'], { cwd: root, encoding: 'utf8' }).trim()
  } catch {
    return null
  }
}
