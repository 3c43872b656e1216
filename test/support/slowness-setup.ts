/** Serves the present slowness of the machine, which tests in workerd cannot measure themselves. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestProject } from 'vitest/node'
import { slowness } from './slowness.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The address of a server that returns the result of slowness.ts at that moment. */
    slownessServer: string
  }
}

export default async function setup(project: TestProject) {
  const server = createServer((_, response) => response.end(String(slowness())))
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  project.provide('slownessServer', `http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  return async () => {
    server.closeAllConnections()
    await new Promise((closed) => server.close(closed))
  }
}
