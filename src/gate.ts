/**
 * The gate from the isolates of functions to the API of their site, without a network. What comes through it
 * is a request of a function: the credential of the run says whose, and nothing in the request can say more.
 */
import { WorkerEntrypoint } from 'cloudflare:workers'
import { app } from './app.ts'
import type { FunctionRun } from './context.ts'
import { type Config, configOf, type Env } from './env.ts'
import { AppError, busy, forbiddenToFunctions, invalidCredentials } from './errors.ts'
import { openCredential } from './functions/runners/credential.ts'
import type { GateProps } from './functions/runners/isolate.ts'
import { credentialHeader, gateOrigin } from './functions/runners/limits.ts'
import { markRequest } from './http/function-requests.ts'
import { splitSitePrefix } from './http/tenant-locator.ts'
import { Gate } from './lib/gate.ts'

/** How many requests of a run are processed at once. Others wait. */
const callsAtOnce = 8
/** How long a request of a run may take, as the longest statement and the wait for it. */
const holdMs = 60_000
const calls = new Gate()

/** The headers of a function's request that reach the API. */
const passedHeaders = ['accept', 'content-type', 'if-match', 'if-none-match', 'idempotency-key', 'prefer']

/**
 * Takes the requests of isolates. Those that this Worker loads are given a gate with the credential of their
 * run. A process of the local stack sends the credential in a header.
 */
export class FunctionGate extends WorkerEntrypoint<Env, Partial<GateProps>> {
  override async fetch(request: Request): Promise<Response> {
    try {
      const config = configOf(this.env)
      const credential = this.ctx.props?.credential ?? request.headers.get(credentialHeader) ?? ''
      const opened = await openCredential(this.env, config, credential)
      if (!opened) throw invalidCredentials()
      const call = requestOf(request, opened.run, config)
      return await inTurn(opened.run, config, async () => app.fetch(call, opened.env, this.ctx))
    } catch (error) {
      if (error instanceof AppError) return Response.json(error.body, error)
      throw error
    }
  }
}

/** Returns the request that the API gets. Throws 403 if it is about anything but the records of the own app. */
function requestOf(request: Request, run: FunctionRun, { PUBLIC_URL }: Config): Request {
  const origin = PUBLIC_URL?.origin ?? 'http://localhost'
  const url = new URL(request.url)
  const { slug, path } = splitSitePrefix(url.pathname)
  const isHere = url.origin === gateOrigin || url.origin === origin
  if (!isHere || (slug ?? run.site) !== run.site || !isOfRecords(path, run)) throw forbiddenToFunctions()
  const headers = new Headers()
  for (const name of passedHeaders) {
    const value = request.headers.get(name)
    if (value !== null) headers.set(name, value)
  }
  const { method, body } = request
  const call = new Request(`${origin}/sites/${run.site}${path}${url.search}`, { method, headers, body })
  markRequest(call, run)
  return call
}

/** Whether a path is about records or edges of the app: the policies of operations are a second wall. */
function isOfRecords(path: string, { app }: FunctionRun): boolean {
  const [start, api, apps, slug, area, _table, part = ''] = path.split('/')
  if (start !== '' || api !== 'api' || apps !== 'apps' || slug !== app) return false
  return area === 'batch' || (area === 'datatables' && ['data', 'edges'].includes(part))
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
