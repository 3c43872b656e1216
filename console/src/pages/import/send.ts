/** Sends rows in parts: valid rows are written, invalid ones are reported with their errors. */
import type { Source } from '../data/records.ts'
import { tableOf } from '../data/records.ts'
import type { FileRow } from './read-file.ts'
import type { Unreadable } from './rows.ts'

/** A row that cannot be read, or that the service rejects. */
export interface WrongRow {
  row: FileRow
  problems: readonly Unreadable[]
}

export interface Progress {
  /** The number of rows that were sent and answered. */
  done: number
  wrong: readonly WrongRow[]
}

/** Rows with their records, in the order of the file. */
export type Prepared = readonly { row: FileRow; record: Record<string, unknown> }[]

interface SendOptions {
  source: Source
  rows: Prepared
  /** The fields by which existing records are found and changed; undefined: all records are new. */
  uniqueFields: readonly string[] | undefined
  /** Whether it only checks which rows the service would reject. */
  isDry: boolean
  /** The first row to send, after an interrupted import. */
  from: Progress
  /** The id of the import, so that a part that is sent again is not written twice. */
  id: string
  signal: AbortSignal
  tell(progress: Progress): void
}

/** The number of rows in a part: far fewer than the service accepts, to show progress. */
const partSize = 250

interface Failed {
  index: number
  error?: string
  detail?: string
  field?: string
  details?: Record<string, string[]>
}

/**
 * Sends the rows from `from` on. Throws if the service rejects a part as a whole; `tell` has then received
 * the progress.
 */
export async function sendRows(options: SendOptions): Promise<Progress> {
  const { source, rows, uniqueFields, isDry, id, signal, tell } = options
  const table = tableOf(source)
  let progress = options.from
  while (progress.done < rows.length) {
    const part = rows.slice(progress.done, progress.done + partSize)
    const records = part.map(({ record }) => record)
    const how = {
      atomic: false,
      signal,
      ...(isDry ? { dryRun: true } : { idempotencyKey: `${id} ${progress.done}`.replaceAll(' ', '-') }),
    }
    const { failed } = uniqueFields
      ? await table.upsertMany(records as never, { ...how, uniqueFields: uniqueFields as never })
      : await table.createMany(records as never, how)
    const wrong = (failed as unknown as Failed[]).map((one) => ({
      row: (part[one.index] as Prepared[number]).row,
      problems: messagesOf(one).map((text) => ({ text, cause: text })),
    }))
    progress = { done: progress.done + part.length, wrong: [...progress.wrong, ...wrong] }
    tell(progress)
  }
  return progress
}

function messagesOf({ error = '', detail = error, field, details }: Failed): string[] {
  if (!details) return [field ? `${field}: ${detail}` : detail]
  return Object.entries(details).flatMap(([name, texts]) =>
    [texts].flat().map((text) => `${name}: ${text.replace(/^rows\[\d+\]: /, '')}`),
  )
}
