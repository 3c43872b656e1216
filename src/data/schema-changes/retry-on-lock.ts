/** Retries a statement that needs a lock, so that it never queues ahead of readers and writers. */
import { DatabaseFailure, sqlstates } from '../../kernel/db/failures.ts'
import { retry } from '../../kernel/lib/retry.ts'

/** All attempts together take longer than a statement of a reader or writer may. */
const attempts = 60
/**
 * An attempt delays others only briefly (`shortLockTimeout`). Between two attempts, the table is free for
 * others.
 */
const pauseMs = () => 150 + Math.random() * 100

const isTransient = (error: unknown) =>
  error instanceof DatabaseFailure && error.sqlstate === sqlstates.lockNotAvailable

/**
 * Runs `attempt` until it gets its lock. Rejects with the last failure if others hold the lock all the time.
 */
export const retryOnLock = <Result>(attempt: () => Promise<Result>): Promise<Result> =>
  retry({ attempts, isTransient, pauseMs }, attempt)
