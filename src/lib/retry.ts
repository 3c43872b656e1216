/** Repeated attempts at something that may fail for a moment. */

interface Terms {
  /** How many attempts there are at most. */
  attempts: number
  /** Whether another attempt may succeed where this error came from. */
  isTransient(error: unknown): boolean
  /** How many milliseconds lie between two attempts. Zero by default. */
  pauseMs?(): number
}

/** Rejects with the error of the last attempt, or with the first one that is not transient. */
export async function retry<Result>({ attempts, isTransient, pauseMs }: Terms, attempt: () => Promise<Result>): Promise<Result> {
  for (let left = attempts - 1; ; left--) {
    try {
      return await attempt()
    } catch (error) {
      if (left <= 0 || !isTransient(error)) throw error
    }
    if (pauseMs) await pause(pauseMs())
  }
}

/** Between attempts of many requests that compete for one row: a random one of them comes first. */
export const contentionMs = (): number => Math.random() * 30

export const pause = (milliseconds: number): Promise<void> => new Promise((done) => setTimeout(done, milliseconds))
