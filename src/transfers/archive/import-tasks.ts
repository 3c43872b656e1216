/** The tasks of an import before the site is made: the archive is unpacked, and compared with its digests. */
import { openDatabase } from '../../db/client.ts'
import { noteTransfer } from '../../db/transfer-check.ts'
import { configOf } from '../../env.ts'
import { AppError } from '../../errors.ts'
import type { Done } from '../making/making.ts'
import { makingTasks } from '../tasks.ts'
import { archiveSource, readManifest } from './archive-source.ts'
import type { Archiving } from './archive-tasks.ts'
import { sumOfDigests } from './lines-digest.ts'
import { manifestFile, safePath } from './manifest.ts'
import { deleteFile, insertPart, partOf, selectFiles } from './parts.ts'
import { openUploaded } from './uploaded.ts'
import { contentOffset, noZip, type ReadBytes, readDirectory, type ZipEntry } from './zip.ts'

const deadlineMs = 60_000
/** The bytes that a stored part is meant to have, and has at most: a line is not divided. */
const [partBytes, lineBytesMax] = [512 * 1024, 8 * 1024 * 1024]
/** How many bytes of the archive are read at a time. */
const chunkBytes = 256 * 1024
/** How many times its size the content of an archive may have. */
const ratioMax = 30

const refused = (text: string) => new AppError(422, { detail: text })

/** Unpacks the next file of the archive. `place`: how many are unpacked, and their bytes. */
export async function unpack(archiving: Archiving): Promise<Done> {
  const { env, transfer } = archiving
  const { entry: at, bytes } = (archiving.place as { entry: number; bytes: number } | null) ?? {
    entry: 0,
    bytes: 0,
  }
  const { length, read } = await openUploaded(env, transfer.id)
  const entries = (await readDirectory(read, length)).filter(({ path }) => !path.endsWith('/'))
  const entry = entries[at]
  if (!entry) return {}
  if (!safePath.test(entry.path) || entries.findIndex(({ path }) => path === entry.path) !== at)
    throw refused(
      `The archive has a file whose name is not possible: ${JSON.stringify(entry.path).slice(0, 100)}.`,
    )
  const bytesMax = configOf(env).TRANSFER_BYTES_MAX * ratioMax
  if (bytes + entry.size > bytesMax)
    throw refused(`The content of the archive has more than ${bytesMax} bytes.`)
  await unpackEntry(archiving, entry, read)
  return { place: at + 1 < entries.length ? { entry: at + 1, bytes: bytes + entry.size } : null }
}

/** Stores a file anew, part by part. What an interrupted turn has stored of it is deleted first. */
async function unpackEntry({ env, transfer }: Archiving, entry: ZipEntry, read: ReadBytes): Promise<void> {
  const { path, size, crc } = entry
  const database = openDatabase(configOf(env))
  const held = noteTransfer(transfer, null)
  await database.batch({ held, deleted: deleteFile(transfer.id, path) }, deadlineMs)
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  let [text, number, sum, total] = ['', 0, 0, 0]
  const store = async (part: string) => {
    const made = partOf(part, number === 0 ? 0 : sum)
    sum = made.crc
    await database.batch({ held, part: insertPart(transfer.id, path, number++, made) }, deadlineMs)
  }
  try {
    for await (const chunk of inflated(entry, read)) {
      total += chunk.length
      if (total > size) throw noZip()
      text += decoder.decode(chunk, { stream: true })
      const end = text.lastIndexOf('\n') + 1
      if (text.length > lineBytesMax && end === 0) throw refused(`${path} has a line that is too long.`)
      if (end > partBytes) {
        await store(text.slice(0, end))
        text = text.slice(end)
      }
    }
    text += decoder.decode()
  } catch (error) {
    if (error instanceof TypeError) throw refused(`${path} in the archive cannot be read.`)
    throw error
  }
  if (text !== '' || number === 0) await store(text)
  if (total !== size || sum !== crc) throw refused(`${path} is not as it was written.`)
}

const [stored, deflated] = [0, 8]

/** Reads the content of a file. A TypeError of the stream says that it is damaged. */
async function* inflated(entry: ZipEntry, read: ReadBytes): AsyncGenerator<Uint8Array> {
  if (entry.method !== stored && entry.method !== deflated) throw noZip()
  const begin = await contentOffset(read, entry)
  const packed = async function* () {
    for (let at = 0; at < entry.packed; at += chunkBytes)
      yield await read(begin + at, Math.min(chunkBytes, entry.packed - at))
  }
  if (entry.method === stored) return yield* packed()
  const source = packed()
  const readable = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { value, done } = await source.next()
        if (done) controller.close()
        else controller.enqueue(value)
      } catch (error) {
        controller.error(error)
      }
    },
  })
  const reader = readable
    .pipeThrough(new DecompressionStream('deflate-raw') as ReadableWritablePair<Uint8Array, Uint8Array>)
    .getReader()
  for (;;) {
    const { value, done } = await reader.read()
    if (done) return
    yield value
  }
}

/** Compares every file with its digest, and finds out what has to be done to make the site. */
export async function check({ env, transfer }: Archiving): Promise<Done> {
  const { all } = await openDatabase(configOf(env)).batch({ all: selectFiles(transfer.id) }, deadlineMs)
  const found = new Map(all.all.map((file) => [file.path, file]))
  const manifest = await readManifest(env, transfer)
  for (const { path, digests } of all.all) {
    if (path === manifestFile) continue
    const digest = manifest.files[path]
    if (digest === undefined)
      throw refused(`The archive has a file that ${manifestFile} does not name: ${path}.`)
    if (sumOfDigests(digests) !== digest) throw refused(`${path} in the archive is not as it was written.`)
  }
  const missing = Object.keys(manifest.files).find((path) => !found.has(path))
  if (missing !== undefined) throw refused(`The archive lacks ${missing.slice(0, 400)}.`)
  const source = archiveSource(env, transfer)
  const tasks = makingTasks(await source.outline(), { rows: true, secrets: transfer.sealed !== null })
  return { tasks, statements: { uploaded: deleteFile(transfer.id, '') } }
}
