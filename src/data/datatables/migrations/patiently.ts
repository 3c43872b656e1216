/** Waits for locks so that nobody has to wait for the one who waits. */
import { DatabaseFailure, sqlstates } from '../../../db/failures.ts'

/** For so long at least: longer than a statement of a reader or writer may take. */
const triesMax = 60
/** Between tries, each of which holds others up for a moment at most (`lockBriefly`), they have the table for themselves. */
const pauseMs = () => 150 + Math.random() * 100

/** Does what needs a lock that others hold: when it does not get it in a moment, it lets them pass and tries again. */
export async function patiently<Result>(attempt: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries++) {
    try {
      return await attempt()
    } catch (error) {
      if (!(error instanceof DatabaseFailure && error.sqlstate === sqlstates.lockNotAvailable) || tries === triesMax) throw error
      await new Promise((again) => setTimeout(again, pauseMs()))
    }
  }
}
