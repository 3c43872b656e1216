/**
 * Runs steps of a migration while the service runs. A step that waits for a lock blocks every request behind
 * it, so it gives up soon and tries again.
 */
import type pg from 'pg'
import { retry } from '../src/kernel/lib/retry.ts'

/** How long a step, and the requests behind it, wait for a lock. */
export const lockWaitMs = 1_000

const attempts = 60
const pauseMs = () => 250 + Math.random() * 250

/** lock_not_available and deadlock_detected. */
const transient = new Set(['55P03', '40P01'])

/** Two transactions have changed the same function or role at the same time. */
const isConcurrentChange = ({ code, message }: pg.DatabaseError): boolean =>
  code === 'XX000' && /^tuple concurrently (updated|deleted)$/.test(message)

/**
 * Returns the result of a step, which has to be one transaction. Repeats it for about a minute if it does not
 * get its locks. Its connection must have `lock_timeout` set.
 */
export const whenUnlocked = <Result>(step: () => Promise<Result>): Promise<Result> =>
  retry(
    {
      attempts,
      isTransient: (error) => {
        const failure = error instanceof Error && error.cause instanceof Error ? error.cause : error
        const { code = '' } = failure as pg.DatabaseError
        return transient.has(code) || isConcurrentChange(failure as pg.DatabaseError)
      },
      pauseMs,
    },
    step,
  )
