/** Reads the rows of a resource, in any format and from any number of files. */
import { quoteValue } from '../../../src/kernel/lib/quote-value.ts'
import type { Bytes, Files } from '../files.ts'
import type { Format } from '../formats.ts'
import type { Resource, Source } from '../package.ts'
import { Refusal } from '../refusal.ts'
import { decode, gunzip } from '../text.ts'
import { zipFiles } from '../zip-files.ts'
import { type CsvForm, csvRows } from './csv.ts'
import { jsonRows, rowsOfValue } from './json.ts'
import { jsonLinesRows } from './json-lines.ts'
import type { Row } from './row.ts'
import { sheetRows } from './spreadsheet.ts'

/** The options for the reader of a format. */
interface Content {
  text(): AsyncIterable<string>
  blob(): Promise<Blob>
}

const readers: Record<Format, (content: Content, form: CsvForm) => AsyncIterable<Row>> = {
  csv: ({ text }, form) => csvRows(text(), form),
  json: ({ text }, form) => jsonRows(text, form),
  jsonl: ({ text }, form) => jsonLinesRows(text(), form),
  xlsx: ({ blob }, form) => lazily(async () => sheetRows(await blob(), form)),
}

async function* lazily(start: () => Promise<AsyncIterable<Row>>): AsyncGenerator<Row> {
  yield* await start()
}

/** Reads all rows in order. `names` are the labels of files without a header. */
export async function* rowsOf(
  files: Files,
  resource: Resource,
  names?: readonly string[],
): AsyncGenerator<Row> {
  const { format, dialect, encoding, sources, data } = resource
  if (sources.length === 0) {
    const file = `the data of ${quoteValue(resource.name)}`
    const form = { file, dialect, names }
    yield* typeof data === 'string' ? csvRows(once(data), form) : rowsOfValue(data, form)
    return
  }
  let first: readonly string[] | undefined
  for (const [index, source] of sources.entries()) {
    const form = {
      file: source.path,
      dialect: index > 0 ? withoutHeader(resource) : dialect,
      names: names ?? first,
    }
    const content: Content = {
      text: () => decode(bytesOf(files, source), encoding, source.path),
      blob: () => files.blob(source.path),
    }
    for await (const row of readers[format](content, { ...form, names: index > 0 ? first : form.names })) {
      first ??= row.header.labels
      if (index > 0 && isHeader(row, first)) continue
      yield row
    }
  }
}

async function* once(text: string): AsyncGenerator<string> {
  yield text
}

/**
 * Returns the dialect of the files after the first one, which need no header. A repeated header is
 * recognized.
 */
const withoutHeader = ({ dialect, format }: Resource) =>
  format === 'csv' || format === 'xlsx' ? { ...dialect, headerRows: [] } : dialect

const isHeader = ({ values }: Row, labels: readonly string[]): boolean =>
  values.length === labels.length && values.every((value, index) => String(value).trim() === labels[index])

/** Reads a file, and decompresses it if necessary. */
function bytesOf(files: Files, source: Source): Bytes {
  const bytes = () => files.open(source.path)
  if (source.compression === 'gz') return gunzip(bytes(), source.path)
  return source.compression === 'zip' ? unzipped(files, source) : bytes()
}

async function* unzipped(files: Files, { path, innerPath }: Source): AsyncGenerator<Uint8Array> {
  const zip = await zipFiles(await files.blob(path), path)
  const paths = zip.paths()
  const wanted = innerPath ?? (paths.length === 1 ? paths[0] : undefined)
  if (wanted === undefined)
    throw new Refusal(`${path} has ${paths.length} files: name one of them as "innerPath" of the resource.`)
  yield* zip.open(wanted)
}
