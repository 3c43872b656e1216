/**
 * Runs a client's JavaScript in an isolate of its own: without bindings, without variables, and without network but to
 * the hosts that the function names. E2, E6.
 */
import { z } from 'zod'
import { withDeadline } from '../../lib/deadline.ts'
import { sha256 } from '../../lib/hash.ts'
import { storageProblem } from '../../lib/storable.ts'
import { callIsolate, type IsolateCall, reasonOf } from './isolate.ts'
import { tookTooLong } from './limits.ts'
import { callInProcess, RunFailure } from './process.ts'
import { failure, type LogLine, type Outcome, type Run, storableText, success } from './runner.ts'

const resultBytesMax = 1024 * 1024

export async function runInIsolate(run: Run): Promise<Outcome> {
  const { FUNCTION_PROCESSES: processes, LOADER } = run.env
  const call = callOf(run)
  try {
    if (processes) return judge(await callInProcess(processes, call, run))
    return judge(await callWithin(run.timeoutMs, LOADER, call))
  } catch (error) {
    if (!(error instanceof RunFailure)) return failure(reasonOf(error))
    return { ...failure(error.message), notBegun: error.notBegun }
  }
}

function callOf({ config, keys, function: fn, params, context }: Run): IsolateCall {
  const { ALLOW_PRIVATE_HOSTS, DNS_OVER_HTTPS } = config
  // One isolate for one function of one site with one code: what it keeps in memory, it keeps from all others.
  const identity = [config.DATABASE_URL, keys.siteId, fn.id, fn.code, fn.allowed_hosts, fn.timeout_seconds]
  return {
    name: sha256(JSON.stringify(identity)),
    code: fn.code,
    allowedHosts: fn.allowed_hosts,
    outgoing: { ALLOW_PRIVATE_HOSTS, DNS_OVER_HTTPS },
    fetchMs: fn.timeout_seconds * 1000,
    body: `{"params":${params},"context":${JSON.stringify(context)}}`,
  }
}

const callWithin = (timeoutMs: number, loader: WorkerLoader, call: IsolateCall): Promise<string> =>
  withDeadline(timeoutMs, (signal) => {
    // The isolate need not heed the signal.
    const late = new Promise<never>((_, refuse) => {
      signal.addEventListener('abort', () => refuse(new RunFailure(tookTooLong(timeoutMs))))
    })
    return Promise.race([callIsolate(loader, call, signal), late])
  })

const line = z.object({ at: z.string().max(30), level: z.string().max(10), message: z.string() })
const answer = z.object({ result: z.unknown().optional(), error: z.string().optional(), logs: z.array(line) })

/** What came out of the isolate may be anything. */
function judge(text: string): Outcome {
  let said: z.infer<typeof answer>
  try {
    said = answer.parse(JSON.parse(text))
  } catch {
    return failure('The function tampered with its own answer.')
  }
  const logs: LogLine[] = said.logs.map(({ at, level, message }) => ({
    at: storableText(at),
    level: storableText(level),
    message: storableText(message),
  }))
  if (said.error !== undefined) return failure(said.error, logs)
  const result = said.result ?? null
  if (JSON.stringify(result).length > resultBytesMax) return failure(`The result is more than ${resultBytesMax} bytes.`, logs)
  const problem = storageProblem(result)
  return problem === undefined ? success(result, logs) : failure(`The result cannot be stored: ${problem}`, logs)
}
