import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { testReporters } from '../support/progress.ts'
import { slowness } from '../support/slowness.ts'

const provide = { length: 'short', slowness: slowness() } as const

/** The tests run in Node, because the service is a separate process. Each file has its own stack. */
export default defineConfig({
  root: join(import.meta.dirname, '..', '..'),
  test: {
    include: ['test/clients/*.test.ts'],
    // The tests use the built client, as programs do.
    globalSetup: join(import.meta.dirname, 'build-client.ts'),
    testTimeout: 120_000 * provide.slowness,
    hookTimeout: 240_000 * provide.slowness,
    provide,
    maxWorkers: 3,
    reporters: testReporters,
  },
})
