/**
 * Runs an isolate in another process, in the local stack. workerd enforces no CPU limit, so a function with
 * an endless loop would stop the service. The binding FUNCTION_PROCESSES leads to the pool of processes
 * (dev/functions/).
 */
import type { IsolateCall } from './isolate.ts'
import type { Attempt } from './runner.ts'

/**
 * The headers of a request to FUNCTION_PROCESSES. `withinMs` is empty if the wait for a process is not
 * limited.
 */
export const processHeaders = {
  site: 'x-site',
  isolate: 'x-isolate',
  timeoutMs: 'x-timeout-ms',
  withinMs: 'x-within-ms',
} as const

/** The statuses of FUNCTION_PROCESSES. The body is the isolate's response, or the reason of the failure. */
export const processStatus = { answered: 200, failed: 422, notStarted: 503 } as const

/** An attempt that got no response. The message is the reason. */
export class AttemptFailure extends Error {
  /** The function did not start; a later attempt may. */
  readonly notStarted: boolean

  constructor(reason: string, notStarted = false) {
    super(reason)
    this.notStarted = notStarted
  }
}

/** Returns the text of the isolate's response. Rejects with AttemptFailure. */
export async function callInProcess(
  processes: Fetcher,
  call: IsolateCall,
  { keys, timeoutMs, withinMs }: Attempt,
): Promise<string> {
  const headers = {
    [processHeaders.site]: String(keys.siteId),
    [processHeaders.isolate]: call.name,
    [processHeaders.timeoutMs]: String(timeoutMs),
    [processHeaders.withinMs]: String(withinMs ?? ''),
  }
  const response = await processes.fetch('http://functions/', {
    method: 'POST',
    headers,
    body: JSON.stringify(call),
  })
  const text = await response.text()
  if (response.status === processStatus.answered) return text
  throw new AttemptFailure(text, response.status === processStatus.notStarted)
}
