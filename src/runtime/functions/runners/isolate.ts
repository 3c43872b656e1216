/** Loads a client's code into its own isolate with the Worker Loader, and calls it once. E2, E6. */
import { exports } from 'cloudflare:workers'
import { readBytes } from '../../../kernel/lib/read-bytes.ts'
import type { OutgoingConfig } from '../../../kernel/outgoing/fetch.ts'
import client from '../sandbox/client.js'
import entry from '../sandbox/entry.js'
import lines from '../sandbox/lines.js'
import mail from '../sandbox/mail.js'
import requests from '../sandbox/requests.js'
import { cpuMsMax, requestsMax } from './limits.ts'
import { networkTo } from './network.ts'

const limits = { cpuMs: cpuMsMax, subRequests: requestsMax }
const responseBytesMax = 4 * 1024 * 1024

/** The settings that all isolates share. */
export const isolateDefaults = {
  compatibilityDate: '2026-10-01',
  compatibilityFlags: ['nodejs_compat'],
  env: {},
  limits,
}

/** The code of an isolate and one call of it. It is JSON, so that it can be sent to another process. */
export interface IsolateCall {
  /** Calls with the same name share an isolate and the memory of its code. */
  name: string
  code: string
  allowedHosts: readonly string[]
  outgoing: OutgoingConfig
  /** The time limit of a request of the code. */
  fetchMs: number
  /** The credential with which the isolate's gate calls the API. The code never sees it. */
  credential: string
  /** Whether printed lines are sent to the gate at once, for a developer who watches. */
  isLive?: boolean
  /** What `isolateBody` returns. */
  body: string
}

/** The modules around the client's code. */
const modules = {
  'entry.js': entry,
  'client.js': client,
  'lines.js': lines,
  'mail.js': mail,
  'requests.js': requests,
}

class ResponseTooLarge extends Error {}

/**
 * Returns the text of the isolate's response. It can be any text, because the code can replace it. Rejects if
 * the code does not load or respond, or if its response has more than 4 MiB; `reasonOf` turns the error into
 * a message.
 */
export async function callIsolate(
  loader: WorkerLoader,
  call: IsolateCall,
  signal?: AbortSignal,
): Promise<string> {
  const isolate = loader.get(call.name, () => ({
    ...isolateDefaults,
    mainModule: 'entry.js',
    modules: { ...modules, 'function.js': { js: call.code } },
    globalOutbound: networkTo(call.allowedHosts, call.outgoing, call.fetchMs),
  }))
  const request = { method: 'POST', body: call.body, ...(signal ? { signal } : {}) }
  const props = { gate: gateWith(call.credential), isLive: call.isLive ?? false }
  const entrypoint = isolate.getEntrypoint(undefined, { props })
  const { body } = await entrypoint.fetch('http://function/', request)
  return new TextDecoder().decode(await readBytes(body, responseBytesMax, () => new ResponseTooLarge()))
}

/**
 * Returns the gate from an isolate to the API. It is the class FunctionGate of the Worker that loads the
 * isolate: src/gate.ts, or dev/functions/worker.ts in a process of the local stack.
 */
function gateWith(credential: string): Fetcher {
  const { FunctionGate: gate } = exports as unknown as {
    FunctionGate(options: { props: GateProps }): Fetcher
  }
  return gate({ props: { credential } })
}

/** The options of a gate. */
export interface GateProps {
  credential: string
}

const startFailed = /^Failed to start Worker:\s*(Uncaught )?/

/** Returns the reason why `callIsolate` failed, for the author of the code. */
export function reasonOf(error: unknown): string {
  if (error instanceof ResponseTooLarge)
    return `The function returned more than ${responseBytesMax} bytes with its log.`
  const message = error instanceof Error ? error.message : String(error)
  if (startFailed.test(message))
    return `The code cannot be loaded: ${message.replace(startFailed, '').trim()}`
  if (message.includes('would never generate a response'))
    return 'The function waits for a promise that never settles.'
  return `The isolate ended: ${message}`
}
