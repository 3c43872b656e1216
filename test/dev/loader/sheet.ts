/** Writes a small Excel file for tests: one sheet with texts, numbers and days. */
import { BlobWriter, TextReader, ZipWriter } from '@zip.js/zip.js'

/** A cell: a text, a number as text, or a date as the number of days since 1900. */
export type Cell = string | { number: string } | { day: string }

const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const relations = 'http://schemas.openxmlformats.org/package/2006/relationships'

/** Returns the bytes of the file. */
export async function writeSheet(rows: readonly (readonly Cell[])[]): Promise<Uint8Array> {
  const cell = (value: Cell, place: string): string => {
    if (typeof value === 'string') return `<c r="${place}" t="inlineStr"><is><t>${value}</t></is></c>`
    return 'day' in value
      ? `<c r="${place}" s="1"><v>${value.day}</v></c>`
      : `<c r="${place}"><v>${value.number}</v></c>`
  }
  const lines = rows.map((row, index) => {
    const cells = row.map((value, column) => cell(value, `${String.fromCharCode(65 + column)}${index + 1}`))
    return `<row r="${index + 1}">${cells.join('')}</row>`
  })
  const files = {
    'xl/workbook.xml':
      `<workbook xmlns="${main}" xmlns:r="${office}"><sheets><sheet name="Rows" sheetId="1" ` +
      `r:id="r1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels':
      `<Relationships xmlns="${relations}"><Relationship Id="r1" Type="${office}/worksheet" ` +
      `Target="worksheets/sheet1.xml"/><Relationship Id="r2" Type="${office}/styles" ` +
      `Target="styles.xml"/></Relationships>`,
    'xl/styles.xml':
      `<styleSheet xmlns="${main}"><cellStyleXfs><xf numFmtId="0"/></cellStyleXfs><cellXfs><xf ` +
      `numFmtId="0" xfId="0"/><xf numFmtId="14" xfId="0" applyNumberFormat="1"/></cellXfs></styleSheet>`,
    'xl/worksheets/sheet1.xml':
      `<worksheet xmlns="${main}"><dimension ` +
      `ref="A1:D3"/><sheetData>${lines.join('')}</sheetData></worksheet>`,
  }
  const writer = new ZipWriter(new BlobWriter(), { useWebWorkers: false })
  for (const [name, text] of Object.entries(files)) await writer.add(name, new TextReader(text))
  return new Uint8Array(await (await writer.close()).arrayBuffer())
}
