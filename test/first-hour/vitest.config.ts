import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { slowness } from '../support/slowness.ts'

/**
 * The tests run in Node. The tests of a file build on each other, like the steps of a person's first hour.
 */
export default defineConfig({
  root: join(import.meta.dirname, '..', '..'),
  test: {
    include: ['test/first-hour/*.test.ts'],
    testTimeout: 1_800_000,
    hookTimeout: 600_000,
    fileParallelism: false,
    provide: { length: 'long', slowness: slowness() },
  },
})
