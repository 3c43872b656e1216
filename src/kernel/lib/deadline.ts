/**
 * Limits the time of asynchronous work. Timers are cleared when the work ends, because Workers limit their
 * number.
 */

/** Runs work with a signal that aborts after the given time. The work has to observe the signal. */
export async function withDeadline<Result>(
  milliseconds: number,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const controller = new AbortController()
  const timer = setTimeout(
    () => controller.abort(new DOMException('The time limit was exceeded.', 'TimeoutError')),
    milliseconds,
  )
  try {
    return await work(controller.signal)
  } finally {
    clearTimeout(timer)
  }
}

/**
 * Waits for work, but no longer than the given time. Returns whether the work has ended. Does not cancel it.
 */
export async function settlesWithin(milliseconds: number, work: Promise<unknown>): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), milliseconds)
  })
  try {
    return await Promise.race([work.then(() => true), late])
  } finally {
    clearTimeout(timer)
  }
}
