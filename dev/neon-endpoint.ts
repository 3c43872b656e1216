/**
 * Starts the local Neon endpoint, in a thread of its own: what else the process does, as bundling or transforming sources,
 * would hold up answers of the database, and make it look silent.
 */
import { once } from 'node:events'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'

export interface NeonEndpoint {
  /** Of `POST /sql`. */
  url: string
  close(): Promise<void>
}

/** `port`: 0 for any free one. */
export async function startNeonEndpoint(port = 0): Promise<NeonEndpoint> {
  const server = new Worker(join(import.meta.dirname, 'neon-server.ts'), { workerData: port })
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
