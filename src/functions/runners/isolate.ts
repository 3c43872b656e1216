/** Loads a client's code into an isolate of its own, by the Worker Loader, and asks it once. E2, E6. */
import type { OutgoingConfig } from '../../outgoing/fetch.ts'
import { harness } from './harness.ts'
import { cpuMsMax } from './limits.ts'
import { networkTo } from './network.ts'

const limits = { cpuMs: cpuMsMax, subRequests: 50 }
const answerBytesMax = 4 * 1024 * 1024

/** What is the same for every isolate. */
export const isolateLike = {
  compatibilityDate: '2026-10-01',
  compatibilityFlags: ['nodejs_compat'],
  mainModule: 'harness.js',
  env: {},
  limits,
}

/** What an isolate is made of and asked. It is JSON, so that it can be sent to another process. */
export interface IsolateCall {
  /** Calls with the same name share an isolate, and what the code keeps in memory. */
  name: string
  code: string
  allowedHosts: readonly string[]
  outgoing: OutgoingConfig
  /** How long a request of the code's may take. */
  fetchMs: number
  /** The text of the JSON that the harness reads: `{params, context}`. */
  body: string
}

class AnswerTooLarge extends Error {}

/** Returns the text that came out of the isolate, which may be anything. Fails where `reasonOf` says why. */
export async function callIsolate(loader: WorkerLoader, call: IsolateCall, signal?: AbortSignal): Promise<string> {
  const isolate = loader.get(call.name, () => ({
    ...isolateLike,
    modules: { 'harness.js': harness, 'function.js': { js: call.code } },
    globalOutbound: networkTo(call.allowedHosts, call.outgoing, call.fetchMs),
  }))
  const request = { method: 'POST', body: call.body, ...(signal ? { signal } : {}) }
  return readText(await isolate.getEntrypoint().fetch('http://function/', request), answerBytesMax)
}

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

const startFailed = /^Failed to start Worker:\s*(Uncaught )?/

/** Why a call of an isolate failed, for whoever wrote the code. */
export function reasonOf(error: unknown): string {
  if (error instanceof AnswerTooLarge) return `What the function answered is more than ${answerBytesMax} bytes.`
  const message = error instanceof Error ? error.message : String(error)
  if (startFailed.test(message)) return `The code cannot be loaded: ${message.replace(startFailed, '').trim()}`
  if (message.includes('would never generate a response')) return 'The function waits for something that never happens.'
  return `The isolate ended: ${message}`
}
