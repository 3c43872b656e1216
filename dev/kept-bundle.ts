/** Bundles that are kept below node_modules/.cache: one is used again as long as everything in it is the same. */
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

export interface Bundle {
  text: string
  /** The files in it, relative to the root of the repository. */
  inputs: readonly string[]
}

interface KeptBundle extends Bundle {
  digest: string
}

/** The files that define the packages, and how a bundle is built. */
const always = ['package-lock.json', 'dev/bundle.ts']

const fileOf = (root: string, entry: string): string =>
  join(root, 'node_modules', '.cache', 'tessera', `${entry.replaceAll('/', '-')}.json`)

/** Our own files of a bundle, and those that build it. Packages change only with package-lock.json. */
const ownFiles = (inputs: readonly string[]): string[] => [
  ...always,
  ...inputs.filter((input) => !input.includes('node_modules/')),
]

/** A bundle may contain paths, so it is valid only for its root. Throws if one of the files is missing. */
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

/** Keeps a bundle whose making began at `began`, a time in milliseconds; none of which a file has changed since. */
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
    // The folder may not be writable: the next bundle is then built again.
  }
}
