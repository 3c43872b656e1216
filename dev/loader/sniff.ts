/** Finds the delimiter of a CSV file that no dialect describes. */
import type { Files } from './files.ts'
import { compressionOf, extensionOf } from './formats.ts'
import { decode, linesOf } from './text.ts'

const candidates = [',', ';', '\t', '|']

/** Returns the delimiter that is most frequent in the first line; undefined if it has none. */
export async function sniffDelimiter(
  files: Files,
  path: string,
  encoding: string | undefined,
): Promise<{ delimiter?: string }> {
  if (extensionOf(path) !== 'csv' || compressionOf(path) !== undefined) return {}
  for await (const line of linesOf(decode(files.open(path), encoding, path), path)) {
    const unquoted = line.replace(/"(?:[^"]|"")*"/g, '')
    const counted = candidates.map((delimiter) => ({
      delimiter,
      count: unquoted.split(delimiter).length - 1,
    }))
    const [best] = counted.toSorted((one, other) => other.count - one.count)
    return best && best.count > 0 ? { delimiter: best.delimiter } : {}
  }
  return {}
}
