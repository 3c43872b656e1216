/**
 * Runs a client's JavaScript in an isolate of its own, without bindings or variables. The only network is the
 * hosts that the function names, and the only way to the API is the gate. E2, E6.
 */
import { z } from 'zod'
import type { FunctionRun } from '../../context.ts'
import { withDeadline } from '../../lib/deadline.ts'
import { sha256 } from '../../lib/sha256.ts'
import { storageProblem } from '../../lib/storable.ts'
import { type RunSecret, readForRun } from '../../secrets/entries/service.ts'
import { closeRun, openRun } from './credential.ts'
import { callIsolate, type IsolateCall, reasonOf } from './isolate.ts'
import { tookTooLong } from './limits.ts'
import { masker } from './masks.ts'
import { AttemptFailure, callInProcess } from './process.ts'
import { type Attempt, type AttemptResult, failure, type LogLine, storableText, success } from './runner.ts'

const resultBytesMax = 1024 * 1024

/** Makes an attempt of a function in `app` mode. */
export async function runInIsolate(attempt: Attempt): Promise<AttemptResult> {
  const { FUNCTION_PROCESSES: processes, LOADER } = attempt.env
  const run = runOf(attempt)
  const secrets = await secretsOf(attempt, run).catch(() => undefined)
  if (!secrets) return failure('The secrets of the function cannot be read.')
  const credential = await openRun(attempt, run)
  const call = callOf(attempt, credential, secrets)
  try {
    const response = processes
      ? await callInProcess(processes, call, attempt)
      : await callWithin(attempt.timeoutMs, LOADER, call)
    const hide = masker(secrets.flatMap(({ value, isPublic }) => (isPublic ? [] : value)))
    return resultOf(response, hide)
  } catch (error) {
    if (!(error instanceof AttemptFailure)) return failure(reasonOf(error))
    return { ...failure(error.message), notStarted: error.notStarted }
  } finally {
    closeRun(run)
  }
}

const runOf = ({ keys, function: fn, context, acting }: Attempt): FunctionRun => ({
  ...acting,
  siteId: keys.siteId,
  app: fn.app,
  functionId: fn.id,
  invocationId: context.invocation_id,
  attempt: context.attempt,
  as: fn.as,
})

/** Reads the secrets that a function declares, in a round trip of their own. */
const secretsOf = async ({ config, keys, function: fn }: Attempt, run: FunctionRun): Promise<RunSecret[]> =>
  fn.secrets.length === 0 ? [] : readForRun(config, keys, fn.secrets, run)

function callOf(
  { config, keys, function: fn, params, context }: Attempt,
  credential: string,
  secrets: readonly RunSecret[],
): IsolateCall {
  const { ALLOW_PRIVATE_HOSTS, DNS_OVER_HTTPS } = config
  // An isolate serves one function of one site with one code, so that its memory is shared with no other
  // code.
  const { id, code, allowed_hosts, timeout_seconds } = fn
  const identity = [config.DATABASE_URL, keys.siteId, id, code, allowed_hosts, timeout_seconds, fn.secrets]
  const byKey = new Map(secrets.map(({ key, value }) => [key, value]))
  const values = fn.secrets.map((key) => [key, byKey.get(key) ?? null])
  return {
    name: sha256(JSON.stringify(identity)),
    code,
    allowedHosts: allowed_hosts,
    outgoing: { ALLOW_PRIVATE_HOSTS, DNS_OVER_HTTPS },
    fetchMs: timeout_seconds * 1000,
    credential,
    body: `{"params":${params},"context":${JSON.stringify(context)},"secrets":${JSON.stringify(values)}}`,
  }
}

const callWithin = (timeoutMs: number, loader: WorkerLoader, call: IsolateCall): Promise<string> =>
  withDeadline(timeoutMs, (signal) => {
    // The isolate may ignore the signal.
    const timeout = new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => reject(new AttemptFailure(tookTooLong(timeoutMs))))
    })
    return Promise.race([callIsolate(loader, call, signal), timeout])
  })

const logLine = z.object({ at: z.string().max(30), level: z.string().max(10), message: z.string() })
const isolateResponse = z.object({
  result: z.unknown().optional(),
  error: z.string().optional(),
  logs: z.array(logLine),
})

/** Reads the isolate's response, which may be anything. */
function resultOf(text: string, hide: (text: string) => string): AttemptResult {
  let response: z.infer<typeof isolateResponse>
  try {
    response = isolateResponse.parse(JSON.parse(text))
  } catch {
    return failure('The response of the isolate is not in the expected form.')
  }
  const logs: LogLine[] = response.logs.map(({ at, level, message }) => ({
    at: storableText(at),
    level: storableText(level),
    message: storableText(hide(message)),
  }))
  if (response.error !== undefined) return failure(hide(response.error), { logs })
  const result = response.result ?? null
  if (JSON.stringify(result).length > resultBytesMax)
    return failure(`The result is more than ${resultBytesMax} bytes.`, { logs })
  const problem = storageProblem(result)
  if (problem !== undefined) return failure(`The result cannot be stored: ${problem}`, { logs })
  return success(result, logs)
}
