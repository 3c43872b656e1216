/** What runs in a process for functions: a Worker that loads the code it is sent into an isolate, and answers what comes out. */
import { callIsolate, type IsolateCall, reasonOf } from '../../src/functions/runners/isolate.ts'
import { processStatus } from '../../src/functions/runners/process.ts'

export { FunctionNetwork } from '../../src/functions/runners/network.ts'

interface Env {
  LOADER: WorkerLoader
  /** What a request has to show: whoever can reach the port could run code otherwise. */
  TOKEN: string
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
