/** Limits on the time that asynchronous work may take. Their timers end with the work: a request may have only so many. */

/** Runs work with a signal that aborts after so many milliseconds. The work has to heed it. */
export async function withDeadline<Result>(milliseconds: number, work: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
  const controller = new AbortController()
  const timer = setTimeout(() => controller.abort(new DOMException('The time is over.', 'TimeoutError')), milliseconds)
  try {
    return await work(controller.signal)
  } finally {
    clearTimeout(timer)
  }
}

/** Waits for work, but not longer than so many milliseconds. Returns whether it is done. The work goes on. */
export async function isDoneWithin(milliseconds: number, work: Promise<unknown>): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<boolean>((tell) => {
    timer = setTimeout(() => tell(false), milliseconds)
  })
  try {
    return await Promise.race([work.then(() => true), late])
  } finally {
    clearTimeout(timer)
  }
}
