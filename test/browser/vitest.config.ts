/** The configuration of the tests in a browser. */
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { slowness } from '../support/slowness.ts'

const provide = { length: 'short', slowness: slowness() } as const

/** The tests run in Node, since the browser and the service are separate processes. */
export default defineConfig({
  root: join(import.meta.dirname, '..', '..'),
  test: {
    include: ['test/browser/*.test.ts'],
    testTimeout: 60_000 * provide.slowness,
    hookTimeout: 120_000 * provide.slowness,
    provide,
  },
})
