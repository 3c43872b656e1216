/**
 * Runs an isolate in another process. workerd enforces no CPU limit: where it is all there is, in the local stack, a
 * function that loops would hold up the service. The binding FUNCTION_PROCESSES leads to what starts, watches and
 * ends those processes (dev/functions/).
 */
import type { IsolateCall } from './isolate.ts'
import type { Run } from './runner.ts'

/** Headers of a request to FUNCTION_PROCESSES: whose run it is, how long it may take from its begin, and with its wait (empty: as long as that takes). */
export const processHeaders = { site: 'x-site', isolate: 'x-isolate', timeoutMs: 'x-timeout-ms', withinMs: 'x-within-ms' } as const

/** How FUNCTION_PROCESSES answers; the body is the isolate's answer, or the reason. */
export const processStatus = { answered: 200, failed: 422, notBegun: 503 } as const

/** A run without an answer; the message is the reason. */
export class RunFailure extends Error {
  /** It was never begun, and can be begun later. */
  readonly notBegun: boolean

  constructor(reason: string, notBegun = false) {
    super(reason)
    this.notBegun = notBegun
  }
}

/** Returns what came out of the isolate; fails with RunFailure. */
export async function callInProcess(processes: Fetcher, call: IsolateCall, { keys, timeoutMs, withinMs }: Run): Promise<string> {
  const headers = {
    [processHeaders.site]: String(keys.siteId),
    [processHeaders.isolate]: call.name,
    [processHeaders.timeoutMs]: String(timeoutMs),
    [processHeaders.withinMs]: String(withinMs ?? ''),
  }
  const response = await processes.fetch('http://functions/', { method: 'POST', headers, body: JSON.stringify(call) })
  const text = await response.text()
  if (response.status === processStatus.answered) return text
  throw new RunFailure(text, response.status === processStatus.notBegun)
}
