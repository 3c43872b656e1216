/**
 * The gate between the isolates of functions and the API of their site, without a network. A request through
 * it belongs to a function. Only the credential of the run, and nothing in the request, determines its
 * rights.
 */
import { app } from './app.ts'
import type { FunctionRun } from './kernel/context.ts'
import { type Config, configOf, type Env } from './kernel/env.ts'
import { AppError, busy, forbiddenToFunctions, invalidCredentials } from './kernel/errors.ts'
import { markRequest } from './kernel/http/function-requests.ts'
import { Gate } from './kernel/lib/gate.ts'
import { type OpenRun, openCredential } from './runtime/functions/runners/credential.ts'
import { passedHeaders, pathOfRecords } from './runtime/functions/runners/gate-rules.ts'
import type { GateProps } from './runtime/functions/runners/isolate.ts'
import { credentialHeader } from './runtime/functions/runners/limits.ts'

/** The maximum number of concurrent requests of a run. Others wait. */
const callsAtOnce = 8
/** The time limit of a run's request: that of the longest statement and the wait for it. */
const holdMs = 60_000
const calls = new Gate()

/** Answers a request of an isolate; `ctx` has the credential of the run, unless a header has it. */
export async function passGate(
  request: Request,
  env: Env,
  ctx: ExecutionContext<Partial<GateProps>>,
): Promise<Response> {
  try {
    const config = configOf(env)
    const credential = ctx.props?.credential ?? request.headers.get(credentialHeader) ?? ''
    const opened = await openCredential(env, config, credential)
    if (!opened) throw invalidCredentials()
    const call = requestOf(request, opened, config)
    return await inTurn(opened.run, config, async () => app.fetch(call, opened.env, ctx))
  } catch (error) {
    if (error instanceof AppError) return Response.json(error.body, error)
    throw error
  }
}

/**
 * Returns the request for the API. Throws 403 if it concerns anything but the records of the function's own
 * app.
 */
function requestOf(request: Request, { run, traceparent }: OpenRun, { PUBLIC_URL }: Config): Request {
  const origin = PUBLIC_URL?.origin ?? 'http://localhost'
  const url = new URL(request.url)
  const path = pathOfRecords(url, { ...run, origin })
  if (path === undefined) throw forbiddenToFunctions()
  const { method, body } = request
  const headers = passedHeaders(request.headers)
  if (traceparent !== undefined) headers.set('traceparent', traceparent)
  const call = new Request(`${origin}/sites/${run.site}${path}${url.search}`, { method, headers, body })
  markRequest(call, run)
  return call
}

/** Processes a request of a run when it is its turn. Throws 503 if that takes longer than BUSY_WAIT_MS. */
async function inTurn<Result>(
  { siteId, invocationId }: FunctionRun,
  { BUSY_WAIT_MS }: Config,
  work: () => Promise<Result>,
): Promise<Result> {
  const share = `${siteId} ${invocationId}`
  const leave = await calls.enter({ share, cost: 1, shareMax: callsAtOnce, holdMs, waitMs: BUSY_WAIT_MS })
  if (!leave) throw busy()
  try {
    return await work()
  } finally {
    leave()
  }
}
