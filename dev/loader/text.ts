/** Reads text from files: encodings, compression, and lines. */
import { pipeline, Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { encodingOf } from '../../src/kernel/lib/written/encoding.ts'
import { FaultsError } from './faults.ts'
import type { Bytes } from './files.ts'
import { messageOf, Refusal } from './refusal.ts'
import { inflatedMax, refuseInflation } from './zip-files.ts'

/** Names of encodings that other tools use, with their names in the Encoding Standard. */
const others: Record<string, string> = {
  'utf-8-sig': 'utf-8',
  'utf8-sig': 'utf-8',
  'latin-1': 'latin1',
  cp437: '',
}

/**
 * Returns a decoder that rejects bytes which are invalid in the encoding. Throws a Refusal for an unknown
 * encoding.
 */
function decoderOf(encoding: string, label: string): TextDecoder {
  const name = encoding.trim().toLowerCase().replaceAll('_', '-')
  try {
    return new TextDecoder(others[name] ?? name.replace(/^cp(?=125\d$)/, 'windows-'), {
      fatal: true,
      ignoreBOM: false,
    })
  } catch {
    throw new Refusal(
      `${label} has the encoding ${JSON.stringify(encoding)}, which is unknown. ` +
        'Encodings are named as on the web: utf-8, utf-16le, iso-8859-1, windows-1252, shift_jis, …',
    )
  }
}

/** Decodes a file. The default encoding is the one that its first bytes tell: UTF-8 or UTF-16. */
export async function* decode(
  bytes: Bytes,
  encoding: string | undefined,
  file: string,
): AsyncGenerator<string> {
  let decoder: TextDecoder | undefined
  let line = 1
  const read = (chunk?: Uint8Array): string => {
    decoder ??= decoderOf(encoding ?? encodingOf(chunk ?? new Uint8Array()), file)
    try {
      const text = decoder.decode(chunk, { stream: chunk !== undefined })
      line += newlines(text)
      return text
    } catch {
      const before = new TextDecoder(decoder.encoding).decode(chunk).split('\uFFFD')[0] ?? ''
      throw new FaultsError([
        {
          file,
          line: line + newlines(before),
          text:
            `The bytes are not ${decoder.encoding}. Name the encoding of the file: "encoding" of its ` +
            `resource, ` +
            'or --encoding, for example windows-1252.',
        },
      ])
    }
  }
  for await (const chunk of bytes) yield read(chunk)
  yield read()
}

/** Counts the line ends in a text. */
export function newlines(text: string): number {
  let count = 0
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count++
  return count
}

/** The maximum number of characters of a row: more than a request may have. */
export const rowLengthMax = 32 * 1024 * 1024

/** Splits a text into lines, without the line ends. Throws a Refusal for a line that is too long. */
export async function* linesOf(text: AsyncIterable<string>, file: string): AsyncGenerator<string> {
  let rest = ''
  for await (const chunk of text) {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop() ?? ''
    if (rest.length > rowLengthMax)
      throw new Refusal(`${file} has a line of more than ${rowLengthMax} characters.`)
    for (const line of lines) yield line.endsWith('\r') ? line.slice(0, -1) : line
  }
  if (rest !== '') yield rest
}

/** Inflates a gzip file, up to a limit. */
export async function* gunzip(bytes: Bytes, label: string): AsyncGenerator<Uint8Array> {
  let compressed = 0
  let inflated = 0
  const counted = async function* () {
    for await (const chunk of bytes) {
      compressed += chunk.length
      yield chunk
    }
  }
  const stream = pipeline(Readable.from(counted()), createGunzip(), () => undefined)
  try {
    for await (const chunk of stream) {
      inflated += chunk.length
      if (inflated > inflatedMax(compressed)) refuseInflation(label)
      yield chunk
    }
  } catch (error) {
    if (error instanceof Refusal) throw error
    throw new Refusal(`${label} cannot be read as gzip: ${messageOf(error)}.`)
  }
}
