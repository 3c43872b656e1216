/** Groups rows into requests, limited by the number of rows and of bytes. */
import type { ConvertedRow } from './records.ts'

/** The maximum number of rows in a request. */
export const rowsPerBatch = 1000
/** The bytes after which a request is full. The service takes 10 MB. */
const bytesPerBatch = 2 * 1024 * 1024

/** A row with its position in the file, from 1. */
interface PlacedRow extends ConvertedRow {
  position: number
}

/** Rows that are sent as one request. */
export interface Batch {
  rows: readonly PlacedRow[]
  /** The number of rows of the file up to the end of the batch, including those that are left out. */
  read: number
}

/** Groups the rows of a file after the first `skipped` ones. `onBad` gets the rows with faults. */
export async function* batchesOf(
  rows: AsyncIterable<ConvertedRow>,
  skipped: number,
  onBad: (row: ConvertedRow) => void,
): AsyncGenerator<Batch> {
  let batch: PlacedRow[] = []
  let [bytes, read, done] = [0, 0, skipped]
  for await (const row of rows) {
    if (++read <= skipped) continue
    if (row.faults.length > 0) onBad(row)
    else {
      batch.push({ ...row, position: read })
      bytes += JSON.stringify(row.record).length
    }
    if (batch.length < rowsPerBatch && bytes < bytesPerBatch) continue
    yield { rows: batch, read }
    batch = []
    bytes = 0
    done = read
  }
  if (read > done) yield { rows: batch, read }
}
