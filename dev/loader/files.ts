/** The files of a package, in a folder or in a zip file. Each is read as a stream. */
import { createReadStream, existsSync, openAsBlob, readdirSync, realpathSync, statSync } from 'node:fs'
import { join, posix, sep } from 'node:path'
import { nearest } from '../../src/kernel/lib/nearest.ts'
import { quoteValue } from '../../src/kernel/lib/quote-value.ts'
import { packagePath } from './package-path.ts'
import { Refusal } from './refusal.ts'

/** The bytes of a file, in chunks. */
export type Bytes = AsyncIterable<Uint8Array>

/** Files by their paths, which are relative and have slashes. */
export interface Files {
  /** Returns the paths of the files that the loader finds by itself. */
  paths(): string[]
  /** Returns the paths of the files in the folder of a path. */
  beside(path: string): string[]
  /** Returns whether there is such a file. Throws a Refusal for a path that leads out of the folder. */
  has(path: string): boolean
  /** Reads a file. Throws a Refusal if there is none. */
  open(path: string): Bytes
  /** Returns a file as a blob, for formats that need random access. */
  blob(path: string): Promise<Blob>
}

/** Returns the names of the files in a folder, or of all that is in it; none if it cannot be read. */
export function namesIn(folder: string, hasFolders = false): string[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true })
    return entries.flatMap((entry) => (hasFolders || entry.isFile() ? entry.name : [])).sort()
  } catch {
    return []
  }
}

/** The largest file that is read as a whole. */
export const wholeBytesMax = 256 * 1024 * 1024

/** Returns the files of a folder. Files in its subfolders must be named to be read. */
export function folderFiles(folder: string): Files {
  const root = realpathSync(folder)
  const find = (path: string): string | undefined => {
    const file = join(root, packagePath(path))
    if (!existsSync(file)) return undefined
    if (!realpathSync(file).startsWith(root.endsWith(sep) ? root : root + sep))
      throw new Refusal(`${quoteValue(path)} is a link that leads out of the folder of the package.`)
    return statSync(file).isFile() ? file : undefined
  }
  const found = (path: string): string => {
    const file = find(path)
    if (file === undefined) throw missing(path, root, beside(path))
    return file
  }
  const beside = (path: string) => {
    const folder = posix.dirname(packagePath(path))
    return namesIn(join(root, folder)).map((name) => posix.join(folder, name))
  }
  return {
    paths: () => namesIn(root),
    beside,
    has: (path) => find(path) !== undefined,
    open: (path) => createReadStream(found(path)),
    blob: (path) => openAsBlob(found(path)),
  }
}

/** Returns the refusal for a missing file. `others`: the files that are there. */
export const missing = (path: string, where: string, others: readonly string[]): Refusal =>
  new Refusal(`There is no file ${quoteValue(path)} in ${where}.${nearHint(path, others)}`)

/** Offers the file whose name is closest to one that does not exist. */
export function nearHint(path: string, others: readonly string[]): string {
  const near = nearest(path, others) ?? others.find((other) => nameWithoutEnd(other) === nameWithoutEnd(path))
  return near === undefined ? '' : ` Is it ${quoteValue(near)}?`
}

const nameWithoutEnd = (path: string): string => path.toLowerCase().replace(/(?:\.[a-z0-9]+)+$/, '')

/** Returns the files below a folder of other files, with paths relative to that folder. */
export function filesBelow(files: Files, folder: string): Files {
  if (folder === '.' || folder === '') return files
  const within = (path: string) => `${folder}/${packagePath(path)}`
  return {
    paths: () =>
      files
        .paths()
        .filter((path) => path.startsWith(`${folder}/`))
        .map((path) => path.slice(folder.length + 1)),
    beside: (path) => files.beside(within(path)).map((other) => other.slice(folder.length + 1)),
    has: (path) => files.has(within(path)),
    open: (path) => files.open(within(path)),
    blob: (path) => files.blob(within(path)),
  }
}

/** Reads a file as a whole. Throws a Refusal if it is larger than `wholeBytesMax`. */
export async function readWhole(bytes: Bytes, label: string): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of bytes) {
    size += chunk.length
    if (size > wholeBytesMax) throw tooLarge(label)
    chunks.push(chunk)
  }
  const whole = new Uint8Array(size)
  let at = 0
  for (const chunk of chunks) {
    whole.set(chunk, at)
    at += chunk.length
  }
  return whole
}

const tooLarge = (label: string): Refusal =>
  new Refusal(
    `${label} is larger than ${wholeBytesMax / 1024 / 1024} MB, and its format has to be read as a whole. ` +
      'Save it as CSV or as JSON lines, which are read row by row.',
  )
