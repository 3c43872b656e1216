/** Writes zip files from compressed files, and reads the contents of zip files. */
import { AppError } from '../../../kernel/errors.ts'

const utf8Flag = 0x800
const deflated = 8
/** The date 1980-01-01. With a fixed date, equal contents make equal bytes. */
const [time, date] = [0, 0x21]
const version = 20

/** A file in a zip file. */
export interface ZipEntry {
  path: string
  crc: number
  size: number
  /** The number of its compressed bytes. */
  packed: number
  method: number
  /** The position of its header. */
  offset: number
}

/** Returns the header before a file. */
export function localHeader({ path, crc, size, packed }: ZipEntry): Uint8Array {
  const name = new TextEncoder().encode(path)
  const bytes = new Uint8Array(30 + name.length)
  const view = new DataView(bytes.buffer)
  view.setUint32(0, 0x04034b50, true)
  writeHead(view, 4, { crc, size, packed, nameLength: name.length })
  bytes.set(name, 30)
  return bytes
}

interface Head {
  crc: number
  size: number
  packed: number
  nameLength: number
}

/**
 * Writes the fields that both headers of a file contain: version, flags, method, time, CRC, sizes and the
 * length of the name.
 */
function writeHead(view: DataView, at: number, { crc, size, packed, nameLength }: Head): void {
  view.setUint16(at, version, true)
  view.setUint16(at + 2, utf8Flag, true)
  view.setUint16(at + 4, deflated, true)
  view.setUint16(at + 6, time, true)
  view.setUint16(at + 8, date, true)
  view.setUint32(at + 10, crc, true)
  view.setUint32(at + 14, packed, true)
  view.setUint32(at + 18, size, true)
  view.setUint16(at + 22, nameLength, true)
}

/** Returns the list of files at the end of a zip file. `offset` is the position where the list begins. */
export function directoryOf(entries: readonly ZipEntry[], offset: number): Uint8Array {
  const records = entries.map((entry) => {
    const name = new TextEncoder().encode(entry.path)
    const bytes = new Uint8Array(46 + name.length)
    const view = new DataView(bytes.buffer)
    view.setUint32(0, 0x02014b50, true)
    view.setUint16(4, version, true)
    writeHead(view, 6, { ...entry, nameLength: name.length })
    view.setUint32(42, entry.offset, true)
    bytes.set(name, 46)
    return bytes
  })
  const length = records.reduce((sum, one) => sum + one.length, 0)
  const end = new Uint8Array(22)
  const view = new DataView(end.buffer)
  view.setUint32(0, endSignature, true)
  view.setUint16(8, entries.length, true)
  view.setUint16(10, entries.length, true)
  view.setUint32(12, length, true)
  view.setUint32(16, offset, true)
  return new Uint8Array(Buffer.concat([...records, end]))
}

const endSignature = 0x06054b50
const commentMax = 65_535
/** The maximum number of files in a zip file without the extension for large files. */
const entriesMax = 65_000
/** The maximum size of the list of files, which is read as a whole. */
const directoryBytesMax = 16 * 1024 * 1024

/** Reads bytes of a file, independently of where it is stored. */
export type ReadBytes = (offset: number, length: number) => Promise<Uint8Array>

/** Reads the list of files in a zip file of a given length. Throws 422 if it is not a zip file. */
export async function readDirectory(read: ReadBytes, length: number): Promise<ZipEntry[]> {
  const tailLength = Math.min(length, commentMax + 22)
  const tail = await read(length - tailLength, tailLength)
  const view = new DataView(tail.buffer, tail.byteOffset, tail.length)
  let at = tail.length - 22
  while (at >= 0 && view.getUint32(at, true) !== endSignature) at--
  if (at < 0) throw noZip()
  const count = view.getUint16(at + 10, true)
  const [size, offset] = [view.getUint32(at + 12, true), view.getUint32(at + 16, true)]
  if (count > entriesMax || size > directoryBytesMax || offset + size > length) throw noZip()
  const bytes = await read(offset, size)
  return entriesOf(bytes, count)
}

function entriesOf(bytes: Uint8Array, count: number): ZipEntry[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  const entries: ZipEntry[] = []
  for (let at = 0; entries.length < count; ) {
    if (at + 46 > bytes.length || view.getUint32(at, true) !== 0x02014b50) throw noZip()
    const [nameLength, extra, comment] = [28, 30, 32].map((place) => view.getUint16(at + place, true)) as [
      number,
      number,
      number,
    ]
    if (at + 46 + nameLength > bytes.length) throw noZip()
    entries.push({
      method: view.getUint16(at + 10, true),
      crc: view.getUint32(at + 16, true),
      packed: view.getUint32(at + 20, true),
      size: view.getUint32(at + 24, true),
      offset: view.getUint32(at + 42, true),
      path: new TextDecoder().decode(bytes.subarray(at + 46, at + 46 + nameLength)),
    })
    at += 46 + nameLength + extra + comment
  }
  return entries
}

/** Returns the position of a file's content. Throws 422 if the file does not exist. */
export async function contentOffset(read: ReadBytes, { offset }: ZipEntry): Promise<number> {
  const bytes = await read(offset, 30)
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  if (bytes.length < 30 || view.getUint32(0, true) !== 0x04034b50) throw noZip()
  return offset + 30 + view.getUint16(26, true) + view.getUint16(28, true)
}

/** The 422 for an archive that is not a zip file. */
export const noZip = () =>
  new AppError(422, 'archive_invalid', {
    detail: 'The archive is not a zip file, or a part of it is missing.',
  })
