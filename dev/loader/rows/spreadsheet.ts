/** Rows of a sheet of an Excel file (.xlsx), with every digit that is written there. */
import { readSheet, SheetNotFoundError } from 'read-excel-file/node'
import type { Dialect } from '../dialect.ts'
import { messageOf, Refusal } from '../refusal.ts'
import { zipFiles } from '../zip-files.ts'
import { headerReader } from './header-reader.ts'
import { CellNumber, type Row } from './row.ts'

/** The largest Excel file that is read. */
const bytesMax = 64 * 1024 * 1024

/** The options for reading a file. */
export interface SheetForm {
  file: string
  dialect: Dialect
  names: readonly string[] | undefined
}

/** Reads the rows of a sheet, except empty ones. Throws a Refusal if the sheet does not exist. */
export async function* sheetRows(blob: Blob, { file, dialect, names }: SheetForm): AsyncGenerator<Row> {
  const headerFor = headerReader(dialect, names)
  const cells = await readCells(blob, file, dialect.sheet)
  for (const [index, values] of cells.entries()) {
    if (values.every((value) => value === null)) continue
    const line = index + 1
    const header = headerFor(values, line)
    if (header) yield { file, line, header, values: header.labels.map((_, at) => values[at] ?? null) }
  }
}

async function readCells(blob: Blob, file: string, sheet: Dialect['sheet']) {
  if (blob.size > bytesMax)
    throw new Refusal(
      `${file} has more than ${bytesMax / 1024 / 1024} MB, too many for Excel. Save it as CSV.`,
    )
  await refuseBombs(blob, file)
  try {
    return await readSheet(Buffer.from(await blob.arrayBuffer()), sheet ?? 1, {
      trim: false,
      parseNumber: (text) => new CellNumber(text),
    })
  } catch (error) {
    if (error instanceof SheetNotFoundError)
      throw new Refusal(`${file} has no sheet ${JSON.stringify(sheet)}: ${error.message}.`)
    throw new Refusal(`${file} cannot be read as an Excel file: ${messageOf(error)}.`)
  }
}

/**
 * Decompresses the parts of the file once, with the limits of a zip file, because the reader has no limits.
 */
async function refuseBombs(blob: Blob, file: string): Promise<void> {
  const files = await zipFiles(blob, file)
  for (const path of files.paths()) for await (const _ of files.open(path));
}
