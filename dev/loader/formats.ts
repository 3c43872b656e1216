/** The formats of files: those that can be read as rows, and advice about the others. */

/** A format that is read as rows. */
export type Format = 'csv' | 'json' | 'jsonl' | 'xlsx'

interface FormatRow {
  format: Format
  delimiter?: string
}

/** By the extension of a file, or the `format` of a resource. */
const readable: Record<string, FormatRow> = {
  csv: { format: 'csv' },
  tsv: { format: 'csv', delimiter: '\t' },
  tab: { format: 'csv', delimiter: '\t' },
  json: { format: 'json' },
  jsonl: { format: 'jsonl' },
  ndjson: { format: 'jsonl' },
  xlsx: { format: 'xlsx' },
}

const isNoTable = 'which is not a table of rows'
/** Descriptions of unsupported formats, with advice. */
const unreadable: Record<string, string> = {
  xls: 'an old Excel file. Save it as .xlsx or .csv',
  ods: 'an OpenDocument spreadsheet. Save it as .xlsx or .csv',
  geojson: `GeoJSON, ${isNoTable}. Save its features as JSON lines, one object a line`,
  topojson: `TopoJSON, ${isNoTable}`,
  txt: `plain text, ${isNoTable}. If it has rows, set "format": "csv" and its delimiter`,
  text: `plain text, ${isNoTable}. If it has rows, set "format": "csv" and its delimiter`,
}

/** Returns how a format is read; if it cannot be read, the reason as the end of a sentence. */
export const formatOf = (name: string): FormatRow | string =>
  readable[name] ??
  unreadable[name] ??
  (name === '' ? 'a file without a known format' : `of the format "${name}", which is not read`)

/** The formats that can be read, for messages. */
export const readableFormats = 'CSV, TSV, JSON, JSON lines (.jsonl) and Excel (.xlsx)'

/** Tells whether a file is a table by the end of its name. */
export const isTableFile = (path: string): boolean => typeof formatOf(extensionOf(path)) === 'object'

/** Returns the extension of a file without those of compression, in lower case. */
export function extensionOf(path: string): string {
  const name = path.replace(/\.(?:gz|zip)$/i, '')
  return /\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase() ?? ''
}

/** Returns how a file is compressed, by its name. */
export function compressionOf(path: string): 'gz' | 'zip' | undefined {
  const end = /\.(gz|zip)$/i.exec(path)?.[1]?.toLowerCase()
  return end === 'gz' || end === 'zip' ? end : undefined
}
