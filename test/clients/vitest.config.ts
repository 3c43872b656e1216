import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { slowness } from '../support/slowness.ts'

const provide = { length: 'short', slowness: slowness() } as const

/** In Node: the service is a process of its own. One file after the other, on one stack each. */
export default defineConfig({
  root: join(import.meta.dirname, '..', '..'),
  test: {
    include: ['test/clients/*.test.ts'],
    // Tests use the client as others do: built.
    globalSetup: join(import.meta.dirname, 'build-client.ts'),
    testTimeout: 120_000 * provide.slowness,
    hookTimeout: 240_000 * provide.slowness,
    provide,
    fileParallelism: false,
  },
})
