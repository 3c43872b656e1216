/** Retries of requests: when, how often, and after how long. */
import { secondsOf } from './errors.ts'

/** How a client retries requests. */
export interface RetryOptions {
  /** The maximum number of times to send a request. Default: 4. */
  attempts?: number | undefined
  /**
   * The longest wait between two attempts in ms. If the service requests a longer wait, there is no retry.
   * Default: 30,000.
   */
  delayMaxMs?: number | undefined
}

/** Statuses of a busy service. With 429, the request was not carried out; with 503, it may have been. */
const refusedBefore = 429
const unavailable = 503

/**
 * Returns the wait before the next attempt in ms; undefined if there is none. `answer`: the response;
 * undefined if none arrived. `repeatable`: whether a request may be sent again although it may have been
 * carried out.
 */
export function delayBefore(
  attempt: number,
  answer: Response | undefined,
  repeatable: boolean,
  { attempts = 4, delayMaxMs = 30_000 }: RetryOptions = {},
): number | undefined {
  if (attempt >= attempts) return undefined
  const isBusy = answer?.status === refusedBefore || answer?.status === unavailable
  if (answer !== undefined && !isBusy) return undefined
  if (answer?.status !== refusedBefore && !repeatable) return undefined
  const asked = secondsOf(answer?.headers.get('retry-after') ?? null)
  // Half of the wait is random, so that clients which were rejected together do not retry together.
  const backoff = Math.min(delayMaxMs, 200 * 2 ** attempt) * (0.5 + Math.random() / 2)
  const delay = asked === undefined ? backoff : asked * 1000 + Math.random() * 100
  return delay <= delayMaxMs ? delay : undefined
}

/** Waits. Rejects with the reason of the signal when it is aborted. */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, ms)
    signal?.addEventListener('abort', stop, { once: true })
  })
}
