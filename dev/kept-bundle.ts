/**
 * Caches bundles below node_modules/.cache. A bundle is used again as long as none of its files has changed.
 */
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

export interface Bundle {
  text: string
  /** The files in the bundle, relative to the root of the repository. */
  inputs: readonly string[]
}

interface KeptBundle extends Bundle {
  digest: string
}

/** The files that define the packages and the build of a bundle. */
const always = ['package-lock.json', 'dev/bundle.ts']

const fileOf = (root: string, entry: string): string =>
  join(root, 'node_modules', '.cache', 'tessera', `${entry.replaceAll('/', '-')}.json`)

/** Our own files of a bundle, and those that build it. Packages change only with package-lock.json. */
const ownFiles = (inputs: readonly string[]): string[] => [
  ...always,
  ...inputs.filter((input) => !input.includes('node_modules/')),
]

/**
 * Returns a digest of the files. A bundle may contain paths, so it is valid only for its root. Throws if a
 * file is missing.
 */
function digestOf(root: string, inputs: readonly string[]): string {
  const hash = createHash('sha256').update(`${root}\n`)
  for (const path of ownFiles(inputs)) {
    const content = readFileSync(join(root, path))
    hash.update(`${path} ${content.length}\n`).update(content)
  }
  return hash.digest('hex')
}

/**
 * Returns the text of the bundle of an entry; undefined if there is none, or if one of its files has changed.
 */
export function keptBundle(root: string, entry: string): string | undefined {
  try {
    const { text, inputs, digest }: KeptBundle = JSON.parse(readFileSync(fileOf(root, entry), 'utf8'))
    return digestOf(root, inputs) === digest ? text : undefined
  } catch {
    return undefined
  }
}

/**
 * Caches a bundle whose build began at `began`, a time in milliseconds, unless one of its files has changed
 * since.
 */
export function keepBundle(root: string, entry: string, { text, inputs }: Bundle, began: number): void {
  const file = fileOf(root, entry)
  const unfinished = `${file}-${process.pid}`
  try {
    if (ownFiles(inputs).some((path) => statSync(join(root, path)).mtimeMs >= began)) return
    const digest = digestOf(root, inputs)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(unfinished, JSON.stringify({ digest, inputs, text } satisfies KeptBundle))
    renameSync(unfinished, file)
  } catch {
    // If the folder is not writable, the next bundle is built again.
  }
}
