import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

/** In Node. One file after the other: each starts servers of its own. */
export default defineConfig({
  root: join(import.meta.dirname, '..', '..'),
  test: {
    include: ['test/postgres/*.test.ts'],
    testTimeout: 120_000,
    hookTimeout: 240_000,
    fileParallelism: false,
  },
})
