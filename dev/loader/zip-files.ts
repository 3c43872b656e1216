/**
 * The files in a zip file. Nothing is unpacked to disk; each file is inflated while it is read, up to a
 * limit.
 */
import { BlobReader, type Entry, type FileEntry, ZipReader } from '@zip.js/zip.js'
import { quoteValue } from '../../src/kernel/lib/quote-value.ts'
import { type Bytes, type Files, missing, readWhole } from './files.ts'
import { messageOf, Refusal } from './refusal.ts'

/** Entries smaller than this are never refused. */
const inflatedFree = 64 * 1024 * 1024
/** The maximum ratio of an entry's size to its size in the zip file. */
const ratioMax = 200
const entriesMax = 100_000

/** Returns the maximum decompressed size of compressed data in bytes. */
export const inflatedMax = (compressed: number): number => Math.max(inflatedFree, compressed * ratioMax)

/** Throws a Refusal if the data exceeds its maximum decompressed size. */
export function refuseInflation(label: string): never {
  throw new Refusal(
    `${label} inflates to more than ${ratioMax} times its size, as files do that are made to fill a disk. ` +
      'If you trust it, unpack it yourself and load the folder.',
  )
}

/** Opens a zip file. `label` is what messages call it. Throws a Refusal if it cannot be read. */
export async function zipFiles(blob: Blob, label: string): Promise<Files> {
  const entries = await readEntries(blob, label)
  const find = (path: string): FileEntry => {
    const entry = entries.get(path)
    if (!entry) throw missing(path, label, [...entries.keys()])
    return entry
  }
  const open = (path: string) => inflate(find(path), `${quoteValue(path)} in ${label}`)
  return {
    paths: () => [...entries.keys()].sort(),
    beside: () => [...entries.keys()],
    has: (path) => entries.has(path),
    open,
    blob: async (path) => new Blob([await readWhole(open(path), `${quoteValue(path)} in ${label}`)]),
  }
}

async function readEntries(blob: Blob, label: string): Promise<Map<string, FileEntry>> {
  try {
    const entries = new Map<string, FileEntry>()
    const reader = new ZipReader(new BlobReader(blob), { useWebWorkers: false })
    for await (const entry of reader.getEntriesGenerator()) {
      if (entries.size >= entriesMax) throw new Error(`it has more than ${entriesMax} files`)
      if (isFile(entry)) entries.set(entry.filename, entry)
    }
    return entries
  } catch (error) {
    throw new Refusal(`${label} cannot be read as a zip file: ${messageOf(error)}.`)
  }
}

/** Leaves out folders, and the files that macOS adds. */
const isFile = (entry: Entry): entry is FileEntry =>
  !entry.directory && !/(?:^|\/)(?:__MACOSX\/|\._|\.DS_Store$)/.test(entry.filename)

async function* inflate(entry: FileEntry, label: string): Bytes & AsyncGenerator<Uint8Array> {
  if (entry.encrypted) throw new Refusal(`${label} is encrypted. Unpack it, and load the folder.`)
  const max = inflatedMax(entry.compressedSize)
  if (entry.uncompressedSize > max) refuseInflation(label)
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
  // An error here also fails the readable side.
  entry.getData(writable, { useWebWorkers: false, checkOverlappingEntry: true }).catch(() => undefined)
  let size = 0
  try {
    for await (const chunk of readable) {
      size += chunk.length
      if (size > max) refuseInflation(label)
      yield chunk
    }
  } catch (error) {
    if (error instanceof Refusal) throw error
    throw new Refusal(`${label} cannot be inflated: ${messageOf(error)}.`)
  }
}
