/** The delimiters of CSV: finds the one of a file that no dialect describes, and names a wrong one. */
import { comparedLines, delimiterOf, delimiters } from '../../src/kernel/lib/written/delimiter.ts'
import type { Files } from './files.ts'
import { compressionOf, extensionOf, formatOf } from './formats.ts'
import { decode, gunzip, linesOf } from './text.ts'

const names: Readonly<Record<string, string>> = { '\t': 'a tab' }
const nameOf = (delimiter: string): string => names[delimiter] ?? JSON.stringify(delimiter)

/** Returns the delimiter of a file, if it has one and is CSV. */
export async function sniffDelimiter(
  files: Files,
  path: string,
  encoding: string | undefined,
): Promise<{ delimiter?: string }> {
  const format = formatOf(extensionOf(path))
  const compression = compressionOf(path)
  if (typeof format === 'string' || format.format !== 'csv' || compression === 'zip') return {}
  const bytes = compression === 'gz' ? gunzip(files.open(path), path) : files.open(path)
  const lines: string[] = []
  for await (const line of linesOf(decode(bytes, encoding, path), path)) {
    if (line !== '') lines.push(line)
    if (lines.length === comparedLines) break
  }
  const delimiter = delimiterOf(lines)
  return delimiter === undefined ? {} : { delimiter }
}

/** Returns a sentence about the text of a row that is one value, if another delimiter would split it. */
export function delimiterHint(text: unknown, delimiter: string): string {
  const other = delimiters.find((one) => one !== delimiter && String(text ?? '').includes(one))
  return other === undefined
    ? ''
    : ` If its values are separated by ${nameOf(other)}, not by ${nameOf(delimiter)}, set "delimiter": ` +
        `${JSON.stringify(other)} in the dialect.`
}
