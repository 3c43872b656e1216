import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

/** The tests run in Node. Files run one after the other, because each starts its own servers. */
export default defineConfig({
  root: join(import.meta.dirname, '..', '..'),
  test: {
    include: ['test/postgres/*.test.ts'],
    testTimeout: 120_000,
    hookTimeout: 240_000,
    fileParallelism: false,
  },
})
