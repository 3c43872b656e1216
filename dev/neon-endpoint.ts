/**
 * Starts the local Neon endpoint in its own thread. Otherwise other work of the process, such as bundling or
 * transforming sources, would delay answers and make the database look unavailable.
 */
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { programBeside } from './program-beside.ts'

export interface NeonEndpoint {
  /** The address of `POST /sql`. */
  url: string
  close(): Promise<void>
}

/** `port`: 0 for any free one. `observing`: the observer of EndpointData, and what it needs. */
export async function startNeonEndpoint(port = 0, observing = {}): Promise<NeonEndpoint> {
  const workerData = { port, ...observing }
  const server = new Worker(programBeside('neon-server'), { workerData })
  const [url] = (await once(server, 'message')) as [string]
  return {
    url,
    async close() {
      const exited = once(server, 'exit')
      server.postMessage('close')
      await exited
    },
  }
}
