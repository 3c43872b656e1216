/** The tasks of an import before the site is created. They unpack the archive and check its digests. */
import { openDatabase } from '../../../kernel/db/client.ts'
import { noteTransfer } from '../../../kernel/db/transfer-check.ts'
import { configOf } from '../../../kernel/env.ts'
import { AppError } from '../../../kernel/errors.ts'
import { pageRows } from '../limits.ts'
import type { Done } from '../making/making.ts'
import { keepLease } from '../store.ts'
import { makingTasks } from '../tasks.ts'
import { archiveSource, readManifest } from './archive-source.ts'
import type { Archiving } from './archiving.ts'
import { inflated } from './inflate.ts'
import { sumOfDigests } from './lines-digest.ts'
import { appFile, manifestFile, safePath } from './manifest.ts'
import { deleteFile, insertPart, partOf, selectEnd, selectFiles } from './parts.ts'
import { openUploaded } from './uploaded.ts'
import { contentOffset, noZip, type ReadBytes, readDirectory, type ZipEntry } from './zip.ts'

const deadlineMs = 60_000
/** The intended number of bytes of a stored part, and the maximum. Lines are not split. */
const [partBytes, lineBytesMax] = [512 * 1024, 8 * 1024 * 1024]
/** The maximum number of lines of a stored part, because each part of a table is written as one page. */
const partLinesMax = pageRows
/** The number of bytes of the archive to read at a time. */
const chunkBytes = 256 * 1024
/** The maximum ratio of the content's size to the archive's size. */
const ratioMax = 30
/** Progress is saved after this number of files or this time. The next step continues from there. */
const [filesAtOnce, stepMs] = [500, 8_000]

const refused = (text: string) => new AppError(422, 'archive_invalid', { detail: text })

/**
 * Unpacks the next files of the archive. `place` contains the number of unpacked files, and of their bytes.
 */
export async function unpack(archiving: Archiving): Promise<Done> {
  const { env, transfer } = archiving
  let { entry: at, bytes } = (archiving.place as { entry: number; bytes: number } | null) ?? {
    entry: 0,
    bytes: 0,
  }
  const { length, read } = await openUploaded(env, transfer.id)
  const entries = (await readDirectory(read, length)).filter(({ path }) => !path.endsWith('/'))
  const firstAt = new Map(entries.map(({ path }, index) => [path, index] as const).toReversed())
  const bytesMax = configOf(env).TRANSFER_BYTES_MAX * ratioMax
  const until = Date.now() + stepMs
  for (const entry of entries.slice(at, at + filesAtOnce)) {
    if (!safePath.test(entry.path) || firstAt.get(entry.path) !== at)
      throw refused(
        `The archive has a file whose name is not possible: ${JSON.stringify(entry.path).slice(0, 100)}.`,
      )
    if (bytes + entry.size > bytesMax)
      throw refused(`The content of the archive has more than ${bytesMax} bytes.`)
    if (!(await unpackEntry(archiving, entry, read, until))) break
    bytes += entry.size
    at++
  }
  return { place: at < entries.length ? { entry: at, bytes } : null }
}

/**
 * Stores a file in parts, after the parts that an earlier step has stored. Returns whether the file is
 * complete. If the step's time is used up, a later step continues.
 */
async function unpackEntry(
  { env, transfer }: Archiving,
  entry: ZipEntry,
  read: ReadBytes,
  until: number,
): Promise<boolean> {
  const { path, size, crc } = entry
  const database = openDatabase(configOf(env))
  const { end } = await database.batch({ end: selectEnd(transfer.id, path) }, deadlineMs)
  let { number, crc: sum, size: skipped } = end.first ?? { number: -1, crc: 0, size: 0 }
  const store = async (part: string) => {
    const made = partOf(part, sum)
    await database.batch(
      {
        held: noteTransfer(transfer, null),
        kept: keepLease(transfer),
        part: insertPart({ config: configOf(env), id: transfer.id }, path, number + 1, made),
      },
      deadlineMs,
    )
    number++
    sum = made.crc
  }
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  // `lines` is the length of the whole lines in the text. Only new text is searched, because a line may be
  // long.
  let [text, lines, total] = ['', 0, 0]
  try {
    for await (const chunk of contentOf(entry, read)) {
      total += chunk.length
      if (total > size) throw noZip()
      const known = Math.min(skipped, chunk.length)
      skipped -= known
      const piece = decoder.decode(chunk.subarray(known), { stream: true })
      const end = piece.lastIndexOf('\n') + 1
      if (end > 0) lines = text.length + end
      text += piece
      if (text.length - lines > lineBytesMax) throw refused(`${path} has a line that is too long.`)
      if (lines <= partBytes) continue
      for (const part of partsOf(text.slice(0, lines))) await store(part)
      text = text.slice(lines)
      lines = 0
      if (Date.now() > until) return false
    }
    text += decoder.decode()
  } catch (error) {
    if (error instanceof TypeError) throw refused(`${path} in the archive cannot be read.`)
    throw error
  }
  for (const part of partsOf(text)) await store(part)
  if (number < 0) await store('')
  if (total !== size || sum !== crc) throw refused(`${path} is not as it was written.`)
  return true
}

/** Divides a text into parts of whole lines. */
function* partsOf(text: string): Generator<string> {
  let [from, lines] = [0, 0]
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) {
    if (++lines < partLinesMax) continue
    yield text.slice(from, at + 1)
    ;[from, lines] = [at + 1, 0]
  }
  if (from < text.length) yield text.slice(from)
}

const [stored, deflated] = [0, 8]

/** Reads the content of a file. Throws a TypeError if it is damaged. */
async function* contentOf(entry: ZipEntry, read: ReadBytes): AsyncGenerator<Uint8Array> {
  if (entry.method !== stored && entry.method !== deflated) throw noZip()
  const begin = await contentOffset(read, entry)
  const packed = async function* () {
    for (let at = 0; at < entry.packed; at += chunkBytes)
      yield await read(begin + at, Math.min(chunkBytes, entry.packed - at))
  }
  yield* entry.method === stored ? packed() : inflated(packed())
}

/** Compares every file with its digest, and determines the tasks that create the site. */
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
  const bare = manifest.apps.map(appFile).find((path) => !found.has(path))
  if (bare !== undefined) throw refused(`The archive lacks ${bare}.`)
  const source = archiveSource(env, transfer)
  const tasks = makingTasks(await source.outline(), { rows: true, secrets: transfer.sealed !== null })
  return { tasks, statements: { uploaded: deleteFile(transfer.id, '') } }
}
