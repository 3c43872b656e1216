/** Runs a function on this machine, in a workerd process with the same isolate as in the service. */
import { type FunctionPool, startPool } from '../../../../dev/functions/pool.ts'
import { type MakeProgram, programMaker } from '../../../../dev/functions/program.ts'
import { filteredOut } from '../../../../src/runtime/functions/runners/conditions.ts'
import type { IsolateCall } from '../../../../src/runtime/functions/runners/isolate.ts'
import { isolateBody } from '../../../../src/runtime/functions/runners/isolate-body.ts'
import { resultOf } from '../../../../src/runtime/functions/runners/isolate-result.ts'
import { masker } from '../../../../src/runtime/functions/runners/masks.ts'
import { processStatus } from '../../../../src/runtime/functions/runners/process.ts'
import {
  type AttemptResult,
  failure,
  type InvocationContext,
} from '../../../../src/runtime/functions/runners/runner.ts'
import { Problem } from '../../problem.ts'
import type { Gate, PrintedLine } from './gate.ts'
import { isolateCode } from './isolate-code.ts'

/** A function as defined by its files, with its data from the service. */
export interface LocalFunction {
  code: string
  settings: {
    allowed_hosts: string[]
    timeout_seconds: number
    filter_conditions: string
    variables: Record<string, string>
  }
  /** The secrets by their declared keys; null: neither the app nor the site has the secret. */
  secrets: readonly { key: string; value: unknown; isPublic: boolean }[]
}

/** A requested run. */
interface Asked {
  /** The parameters as JSON text. */
  params: string
  context: InvocationContext
  /** Called with each line when it is printed, without the values of secrets. */
  onLine(line: PrintedLine): void
  /** Ends the run. */
  signal: AbortSignal
}

/** Runs functions on this machine. */
export type RunLocally = (fn: LocalFunction, asked: Asked) => Promise<AttemptResult>

const dnsOverHttps = 'https://cloudflare-dns.com/dns-query'

/** Prepares runs behind a gate. Throws a Problem if workerd is not installed. */
export async function localRunner(gate: Gate): Promise<RunLocally> {
  const make = await loadMaker()
  const program = make(await isolateCode(), { privateHosts: false, gate: gate.host })
  return async (fn, { params, context, onLine, signal }) => {
    const filtered = filteredOut({ function: fn.settings, params, context })
    if (filtered) return filtered
    const hide = masker(fn.secrets.flatMap(({ value, isPublic }) => (isPublic ? [] : value)))
    const run = gate.open(({ level, message }) => onLine({ level, message: hide(message) }))
    // Each run has its own pool: stopping the pool ends the run with all its processes.
    const pool = startPool(program)
    const end = () => void pool.stop()
    signal.addEventListener('abort', end)
    process.once('exit', end)
    try {
      return await resultIn(pool, fn, { params, context, credential: run.credential, hide })
    } finally {
      signal.removeEventListener('abort', end)
      process.removeListener('exit', end)
      run.close()
      await pool.stop()
    }
  }
}

/** workerd is a separate package that the user installs. Only the command that needs it loads it. */
async function loadMaker(): Promise<MakeProgram> {
  try {
    return await programMaker()
  } catch {
    throw new Problem(
      'The isolates of functions are those of workerd, which is not installed here. Install it with: npm install miniflare',
    )
  }
}

interface Prepared extends Pick<Asked, 'params' | 'context'> {
  credential: string
  hide(text: string): string
}

async function resultIn(
  pool: FunctionPool,
  { code, settings, secrets }: LocalFunction,
  { params, context, credential, hide }: Prepared,
): Promise<AttemptResult> {
  const { allowed_hosts: allowedHosts, timeout_seconds: seconds, variables } = settings
  const timeoutMs = seconds * 1000
  const values = secrets.map(({ key, value }) => [key, value] as const)
  const call: IsolateCall = {
    name: 'dev',
    code,
    allowedHosts,
    outgoing: { ALLOW_PRIVATE_HOSTS: false, DNS_OVER_HTTPS: dnsOverHttps },
    fetchMs: timeoutMs,
    credential,
    isLive: true,
    body: isolateBody({ params, context, secrets: values, variables, timeoutMs, ownMail: true }),
  }
  const { status, text } = await pool.run({
    site: '',
    isolate: call.name,
    timeoutMs,
    call: Buffer.from(JSON.stringify(call)),
  })
  return status === processStatus.answered ? resultOf(text, hide) : failure(text)
}
