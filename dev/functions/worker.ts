/**
 * The Worker in a process for functions: it loads the code of a request into an isolate, and returns the
 * result.
 */
import { WorkerEntrypoint } from 'cloudflare:workers'
import {
  callIsolate,
  type GateProps,
  type IsolateCall,
  reasonOf,
} from '../../src/runtime/functions/runners/isolate.ts'
import { credentialHeader } from '../../src/runtime/functions/runners/limits.ts'
import { processStatus } from '../../src/runtime/functions/runners/process.ts'

export { FunctionNetwork } from '../../src/runtime/functions/runners/network.ts'

interface Env {
  LOADER: WorkerLoader
  /** The gate of the service. */
  GATE: Fetcher
  /** The secret of a request. Without it, anyone who can reach the port could run code. */
  TOKEN: string
}

/** Forwards the requests of an isolate to the gate of the service, with the credential of their run. */
export class FunctionGate extends WorkerEntrypoint<Env, GateProps> {
  override fetch(request: Request): Promise<Response> {
    const headers = new Headers(request.headers)
    headers.set(credentialHeader, this.ctx.props.credential)
    return this.env.GATE.fetch(new Request(request, { headers, redirect: 'manual' }))
  }
}

export default {
  async fetch(request, env) {
    if (request.headers.get('authorization') !== env.TOKEN) return new Response(null, { status: 401 })
    try {
      return new Response(await callIsolate(env.LOADER, await request.json<IsolateCall>()), {
        status: processStatus.answered,
      })
    } catch (error) {
      return new Response(reasonOf(error), { status: processStatus.failed })
    }
  },
} satisfies ExportedHandler<Env>
