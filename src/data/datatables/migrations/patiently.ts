/** Retries a statement that needs a lock, so that it never queues ahead of readers and writers. */
import { DatabaseFailure, sqlstates } from '../../../db/failures.ts'
import { retry } from '../../../lib/retry.ts'

/** Together these attempts take longer than a statement of a reader or writer may. */
const attempts = 60
/** An attempt holds others up for a moment at most (`lockBriefly`). Between attempts they have the table for themselves. */
const pauseMs = () => 150 + Math.random() * 100

const isTransient = (error: unknown) => error instanceof DatabaseFailure && error.sqlstate === sqlstates.lockNotAvailable

/** Rejects with the failure of the last attempt if others have held the lock all the time. */
export const patiently = <Result>(attempt: () => Promise<Result>): Promise<Result> => retry({ attempts, isTransient, pauseMs }, attempt)
