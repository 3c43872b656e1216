/**
 * Shared by the files of the project `stack`: one running service with the demo, which starts when a file
 * asks for it.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestProject } from 'vitest/node'
import { type Stack, startStack } from '../../dev/examples/stack.ts'
import { keepChildren } from '../../dev/keeper.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The address of a server that returns the address of the shared stack: support/shared-stack.ts. */
    sharedStack: string
  }
}

export default async function setup(project: TestProject) {
  let started: Promise<Stack> | undefined

  function start(): Promise<Stack> {
    // The stack ends with this process, however that ends.
    keepChildren()
    return startStack()
  }

  const server = createServer((_, response) => {
    started ??= start()
    started.then(
      ({ address }) => response.end(address),
      (error: Error) => response.writeHead(500).end(error.message),
    )
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  project.provide('sharedStack', `http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  return async () => {
    server.closeAllConnections()
    await new Promise((closed) => server.close(closed))
    await (await started?.catch(() => undefined))?.stop()
  }
}
