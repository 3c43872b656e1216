/** The target of an export: a folder or a zip file. It appears only when it is complete. */
import {
  createWriteStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { ZipWriter } from '@zip.js/zip.js'
import { Refusal } from '../loader/refusal.ts'
import { placeBelow } from '../own-files.ts'

/** Takes the files of an export, one after the other. */
export interface Sink {
  write(path: string, text: AsyncIterable<string>): Promise<void>
  /** Moves the finished export to its place. */
  finish(): Promise<void>
  /** Removes the unfinished export. */
  discard(): Promise<void>
}

/** What an export writes into its folder. */
const written = ['data', 'datapackage.json']

/**
 * Opens a folder, or a zip file if the name ends with `.zip`. Throws a Refusal if the target exists, unless
 * it is an earlier export that may be replaced.
 */
export function openSink(path: string, isReplaced: boolean): Sink {
  const found = existsSync(path) ? contentOf(path) : []
  if (found.length > 0 && !isReplaced)
    throw new Refusal(`${path} exists. Add --replace to write over it, or name another one.`)
  const others = found.filter((name) => !written.includes(name) && name !== basename(path))
  if (others.length > 0)
    throw new Refusal(`${path} has other files, for example ${others[0]}. Name another folder.`)
  mkdirSync(dirname(path), { recursive: true })
  const hidden = mkdtempSync(join(dirname(path), `.${basename(path)}-`))
  const discard = async () => rmSync(hidden, { recursive: true, force: true })
  // Only the owner can read the hidden folder; the finished files have the usual rights.
  const folder = join(hidden, 'content')
  mkdirSync(folder)
  if (/\.zip$/i.test(path)) return zipSink(path, folder, discard)
  return {
    async write(name, text) {
      const file = placeBelow(folder, name)
      mkdirSync(dirname(file), { recursive: true })
      await pipeline(Readable.from(text), createWriteStream(file))
    },
    async finish() {
      rmSync(path, { recursive: true, force: true })
      renameSync(folder, path)
      await discard()
    },
    discard,
  }
}

/** Returns the names in a folder; for a file, its own name. */
const contentOf = (path: string): string[] =>
  statSync(path).isDirectory() ? readdirSync(path) : [basename(path)]

function zipSink(path: string, folder: string, discard: () => Promise<void>): Sink {
  const file = join(folder, basename(path))
  const output = createWriteStream(file)
  // A fixed time, so that the same content gives the same bytes.
  const zip = new ZipWriter(Writable.toWeb(output), {
    useWebWorkers: false,
    lastModDate: new Date(1980, 0, 1),
    extendedTimestamp: false,
  })
  return {
    async write(name, text) {
      placeBelow(folder, name)
      const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
      await Promise.all([zip.add(name, readable), writeTo(writable, text)])
    },
    async finish() {
      await zip.close()
      renameSync(file, path)
      await discard()
    },
    async discard() {
      output.destroy()
      await discard()
    },
  }
}

async function writeTo(writable: WritableStream<Uint8Array>, text: AsyncIterable<string>): Promise<void> {
  const writer = writable.getWriter()
  const encoder = new TextEncoder()
  try {
    for await (const part of text) await writer.write(encoder.encode(part))
    await writer.close()
  } catch (error) {
    await writer.abort(error).catch(() => undefined)
    throw error
  }
}
