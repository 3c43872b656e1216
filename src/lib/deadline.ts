/**
 * Work that is cut off after a time. Unlike that of AbortSignal.timeout, the timer ends with the work: a request may have
 * only so many of them, and a job does much within one.
 */
export async function withDeadline<Result>(milliseconds: number, work: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
  const controller = new AbortController()
  const timer = setTimeout(() => controller.abort(new DOMException('The time is over.', 'TimeoutError')), milliseconds)
  try {
    return await work(controller.signal)
  } finally {
    clearTimeout(timer)
  }
}
