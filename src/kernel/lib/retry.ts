/** Repeats work that may fail temporarily. */

interface RetryOptions {
  /** The largest number of attempts. */
  attempts: number
  /** Whether another attempt may succeed after this error. */
  isTransient(error: unknown): boolean
  /** Returns the milliseconds to wait before the next attempt. Omitted: none. */
  pauseMs?(): number
}

/**
 * Returns the result of the first successful attempt. Rejects with the last error, or with one that is not
 * transient.
 */
export async function retry<Result>(
  { attempts, isTransient, pauseMs }: RetryOptions,
  attempt: () => Promise<Result>,
): Promise<Result> {
  let attemptsLeft = attempts
  while (true) {
    attemptsLeft--
    try {
      return await attempt()
    } catch (error) {
      if (attemptsLeft <= 0 || !isTransient(error)) throw error
    }
    if (pauseMs) await pause(pauseMs())
  }
}

/**
 * Returns a random delay, in milliseconds, so that requests that compete for one row do not repeat in
 * lockstep.
 */
export const contentionDelayMs = (): number => Math.random() * 30

/** Waits for some milliseconds. */
export const pause = (milliseconds: number): Promise<void> =>
  new Promise((done) => setTimeout(done, milliseconds))
