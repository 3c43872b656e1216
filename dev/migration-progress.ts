/** Prints the progress of a migration. */
import type { Progress } from './migrations.ts'

const printEveryMs = 1_000

/**
 * Returns a function that prints the progress of a migration: at most one line per second for the sites, and
 * one for the last site.
 */
export function progressPrinter(): (progress: Progress) => void {
  let printedAt = 0
  return (progress) => {
    if ('waiting' in progress) return console.log('Waiting for another migration of this database.')
    if ('platform' in progress) return console.log(`Platform: ${progress.platform} migrations applied.`)
    const { done, total, failed } = progress
    if (done < total && Date.now() - printedAt < printEveryMs) return
    printedAt = Date.now()
    console.log(`Sites: ${done} of ${total}${failed > 0 ? `, ${failed} failed` : ''}`)
  }
}
