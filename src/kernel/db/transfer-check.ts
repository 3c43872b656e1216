/** Lets a job read and create the sites of a transfer, as long as no other Worker carries it out. */
import type { Database } from './database.ts'
import { DatabaseFailure, sqlstates } from './failures.ts'
import { sql } from './sql.ts'

/** The identification of a transfer by the Worker that carries it out. */
export interface HeldTransfer {
  id: string
  lease: string
}

/** The columns of public.transfers to update after a step. */
export interface TransferProgress {
  position: number
  place: unknown
  counts: Readonly<Record<string, number>>
  notes: readonly string[]
  /** Set when they become known. */
  tasks?: readonly unknown[]
}

/**
 * Stores the progress of a transfer in a transaction. With `next`, its step is done when the transaction
 * commits.
 */
export const noteTransfer = ({ id, lease }: HeldTransfer, next: TransferProgress | null) =>
  sql`select public.note_transfer(${id}, ${lease}, ${next === null ? null : JSON.stringify(next)}::jsonb)`

/** Tells whether a transfer has ended in the meantime, or another Worker carries it out. */
export const isTransferLost = (error: unknown): boolean =>
  error instanceof DatabaseFailure && error.sqlstate === sqlstates.transferLost

/** The name of the statement that writes records and edges. */
const write = 'written'

/** The progress to save after records or edges are written. */
interface NextProgress {
  /** Returns the progress. Null: unchanged. */
  next(): TransferProgress | null
  /** Called when the progress is saved. */
  saved(): void
}

/**
 * Adds the progress to all batches. The transaction that writes records or edges also saves the progress, so
 * that no step is done twice.
 */
export function withTransfer(
  database: Database,
  transfer: HeldTransfer,
  { next, saved }: NextProgress,
): Database {
  return {
    spent: database.spent,
    batch: (statements, deadlineMs) =>
      database.batch({ _transfer: noteTransfer(transfer, null), ...statements }, deadlineMs),
    batchInParts: (platform, parts, deadlineMs) =>
      database.batchInParts({ _transfer: noteTransfer(transfer, null), ...platform }, parts, deadlineMs),
    async batchInSite(platform, site, deadlineMs) {
      const progress = write in site ? next() : null
      const answers = await database.batchInSite(
        { _transfer: noteTransfer(transfer, progress), ...platform },
        site,
        deadlineMs,
      )
      if (progress) saved()
      return answers
    },
  }
}
