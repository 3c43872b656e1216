/** Writes a small Excel file for tests, with one sheet. */
import { BlobWriter, TextReader, ZipWriter } from '@zip.js/zip.js'

/** A cell: a text, a number as text, a date as the number of days since 1900, or the XML of any cell. */
export type Cell =
  | string
  | null
  | { number: string }
  | { day: string }
  | { value?: string; type?: string; style?: number; formula?: string }

interface Options {
  /** Number formats: the ids of known ones, and the codes of others. The first one has the style 2. */
  formats?: readonly (number | string)[]
  is1904?: boolean
  /** The texts to which cells of the type `s` refer, as XML. */
  texts?: readonly string[]
  /** The prefix of the names of elements. */
  prefix?: string
}

const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const relations = 'http://schemas.openxmlformats.org/package/2006/relationships'

const inXml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')

function cellXml(value: Cell, place: string): string {
  if (value === null) return ''
  if (typeof value === 'string') return `<c r="${place}" t="inlineStr"><is><t>${inXml(value)}</t></is></c>`
  if ('day' in value) return `<c r="${place}" s="1"><v>${value.day}</v></c>`
  if ('number' in value) return `<c r="${place}"><v>${value.number}</v></c>`
  const { type, style, formula, value: text } = value
  const attributes = `${type ? ` t="${type}"` : ''}${style === undefined ? '' : ` s="${style}"`}`
  const inner = `${formula === undefined ? '' : `<f>${inXml(formula)}</f>`}${text === undefined ? '' : `<v>${inXml(text)}</v>`}`
  return `<c r="${place}"${attributes}>${inner}</c>`
}

/** Returns the bytes of the file. */
export async function writeSheet(
  rows: readonly (readonly Cell[])[],
  { formats = [], is1904 = false, texts = [], prefix = '' }: Options = {},
): Promise<Uint8Array> {
  const lines = rows.map((row, index) => {
    const cells = row.map((value, column) =>
      cellXml(value, `${String.fromCharCode(65 + column)}${index + 1}`),
    )
    return `<row r="${index + 1}">${cells.join('')}</row>`
  })
  const codes = formats.flatMap((format, index) =>
    typeof format === 'string' ? `<numFmt numFmtId="${164 + index}" formatCode="${inXml(format)}"/>` : [],
  )
  const styles = formats.map(
    (format, index) =>
      `<xf numFmtId="${typeof format === 'string' ? 164 + index : format}" xfId="0"><alignment/></xf>`,
  )
  const named = (xml: string) =>
    prefix ? xml.replace(/<(\/?)(?=\w)/g, `<$1${prefix}:`).replace('xmlns=', `xmlns:${prefix}=`) : xml
  const files = {
    'xl/workbook.xml':
      `<workbook xmlns="${main}" xmlns:r="${office}"><workbookPr${is1904 ? ' date1904="1"' : ''}/>` +
      `<sheets><sheet name="Rows" sheetId="1" r:id="r1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels':
      `<Relationships xmlns="${relations}"><Relationship Id="r1" Type="${office}/worksheet" ` +
      `Target="worksheets/sheet1.xml"/><Relationship Id="r2" Type="${office}/styles" ` +
      `Target="styles.xml"/><Relationship Id="r3" Type="${office}/sharedStrings" ` +
      `Target="/xl/sharedStrings.xml"/></Relationships>`,
    'xl/styles.xml':
      `<styleSheet xmlns="${main}"><numFmts>${codes.join('')}</numFmts><cellStyleXfs><xf ` +
      `numFmtId="0"/></cellStyleXfs><cellXfs><xf numFmtId="0" xfId="0"/><xf numFmtId="14" xfId="0" ` +
      `applyNumberFormat="1"/>${styles.join('')}</cellXfs></styleSheet>`,
    'xl/sharedStrings.xml': `<sst xmlns="${main}">${texts.join('')}</sst>`,
    'xl/worksheets/sheet1.xml':
      `<worksheet xmlns="${main}"><dimension ` +
      `ref="A1:D3"/><sheetData>${lines.join('')}</sheetData></worksheet>`,
  }
  const writer = new ZipWriter(new BlobWriter(), { useWebWorkers: false })
  for (const [name, text] of Object.entries(files)) await writer.add(name, new TextReader(named(text)))
  return new Uint8Array(await (await writer.close()).arrayBuffer())
}
