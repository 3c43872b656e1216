/**
 * Runs a client's JavaScript in its own isolate, without bindings or variables. The only network is the
 * hosts that the function names, and the only way to the API is the gate. E2, E6.
 */
import type { FunctionRun } from '../../../kernel/context.ts'
import { withDeadline } from '../../../kernel/lib/deadline.ts'
import { sha256 } from '../../../kernel/lib/sha256.ts'
import { type RunSecret, readForRun } from '../../../secrets/entries/service.ts'
import { closeRun, openRun } from './credential.ts'
import { callIsolate, type IsolateCall, reasonOf } from './isolate.ts'
import { isolateBody } from './isolate-body.ts'
import { resultOf } from './isolate-result.ts'
import { tookTooLong } from './limits.ts'
import { masker } from './masks.ts'
import { AttemptFailure, callInProcess } from './process.ts'
import { type Attempt, type AttemptResult, failure } from './runner.ts'

/** Runs an attempt of a function in `app` mode. */
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

/** Reads the secrets that a function declares, in a separate round trip. */
const secretsOf = async ({ config, keys, function: fn }: Attempt, run: FunctionRun): Promise<RunSecret[]> =>
  fn.secrets.length === 0 ? [] : readForRun(config, keys, fn.secrets, run)

function callOf(
  { config, keys, function: fn, params, context, timeoutMs }: Attempt,
  credential: string,
  secrets: readonly RunSecret[],
): IsolateCall {
  const { ALLOW_PRIVATE_HOSTS, DNS_OVER_HTTPS } = config
  // An isolate serves one function of one site with one code, so that its memory is shared with no other
  // code.
  const { id, code, allowed_hosts, timeout_seconds, own_mail: ownMail } = fn
  const identity = [config.DATABASE_URL, keys.siteId, id, code, allowed_hosts, timeout_seconds, fn.secrets]
  const byKey = new Map(secrets.map(({ key, value }) => [key, value]))
  const values = fn.secrets.map((key) => [key, byKey.get(key) ?? null] as const)
  return {
    name: sha256(JSON.stringify(identity)),
    code,
    allowedHosts: allowed_hosts,
    outgoing: { ALLOW_PRIVATE_HOSTS, DNS_OVER_HTTPS },
    fetchMs: timeout_seconds * 1000,
    credential,
    body: isolateBody({ params, context, secrets: values, variables: fn.variables, timeoutMs, ownMail }),
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
