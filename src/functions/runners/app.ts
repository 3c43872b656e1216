/**
 * Runs a client's JavaScript in an isolate of its own, by the Worker Loader: without bindings, without variables, and
 * without network but to the hosts that the function names. E2, E6.
 */
import { z } from 'zod'
import { withDeadline } from '../../lib/deadline.ts'
import { sha256 } from '../../lib/hash.ts'
import { storageProblem } from '../../lib/storable.ts'
import { harness } from './harness.ts'
import { networkTo } from './network.ts'
import { failure, type LogLine, type Outcome, type Run, storableText, success } from './runner.ts'

/** Enforced by Cloudflare alone: a local isolate that never yields holds the whole process. */
const limits = { cpuMs: 10_000, subRequests: 50 }
const resultBytesMax = 1024 * 1024
const answerBytesMax = 4 * 1024 * 1024
const compatibilityDate = '2026-10-01'

export async function runInIsolate(run: Run): Promise<Outcome> {
  try {
    return judge(await withDeadline(run.timeoutMs, (signal) => Promise.race([answerOf(run, signal), abortionOf(signal)])))
  } catch (error) {
    return failure(reasonOf(error, run))
  }
}

/** The isolate need not heed the signal. */
const abortionOf = (signal: AbortSignal) => new Promise<never>((_, refuse) => signal.addEventListener('abort', () => refuse(new TimedOut())))

class TimedOut extends Error {}
class AnswerTooLarge extends Error {}

async function answerOf(run: Run, signal: AbortSignal): Promise<string> {
  const isolate = run.env.LOADER.get(isolateName(run), () => ({
    compatibilityDate,
    compatibilityFlags: ['nodejs_compat'],
    mainModule: 'harness.js',
    modules: { 'harness.js': harness, 'function.js': { js: run.function.code } },
    env: {},
    globalOutbound: networkTo(run.function.allowed_hosts, run.config),
    limits,
  }))
  const body = `{"params":${run.params},"context":${JSON.stringify(run.context)}}`
  const response = await isolate.getEntrypoint().fetch('http://function/', { method: 'POST', body, signal })
  return readText(response, answerBytesMax)
}

/** One isolate for one function of one site with one code: whatever it keeps, it keeps from and for itself. */
const isolateName = ({ config, keys, function: { id, code, allowed_hosts } }: Run): string =>
  sha256(JSON.stringify([config.DATABASE_URL, keys.siteId, id, code, allowed_hosts]))

async function readText(response: Response, bytesMax: number): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length
    if (bytes > bytesMax) throw new AnswerTooLarge()
    chunks.push(chunk)
  }
  return new TextDecoder().decode(Buffer.concat(chunks))
}

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

const startFailed = /^Failed to start Worker:\s*(Uncaught )?/

function reasonOf(error: unknown, { timeoutMs }: Run): string {
  if (error instanceof TimedOut) return `The function took longer than ${timeoutMs / 1000} seconds.`
  if (error instanceof AnswerTooLarge) return `What the function answered is more than ${answerBytesMax} bytes.`
  const message = error instanceof Error ? error.message : String(error)
  if (startFailed.test(message)) return `The code cannot be loaded: ${message.replace(startFailed, '').trim()}`
  if (message.includes('would never generate a response')) return 'The function waits for something that never happens.'
  return `The isolate ended: ${message}`
}
