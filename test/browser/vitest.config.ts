/** The configuration of the tests in a browser. */
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { testReporters } from '../support/progress.ts'
import { slowness } from '../support/slowness.ts'

const provide = { length: 'short', slowness: slowness() } as const

/**
 * The tests run in Node, since the browser and the service are separate processes. Each file has its own of
 * both, and waits half of its time: for the page, or for the service.
 */
export default defineConfig({
  root: join(import.meta.dirname, '..', '..'),
  test: {
    include: ['test/browser/*.test.ts'],
    globalSetup: join(import.meta.dirname, 'build-console.ts'),
    maxWorkers: 3,
    reporters: testReporters,
    testTimeout: 60_000 * provide.slowness,
    hookTimeout: 120_000 * provide.slowness,
    provide,
  },
})
