import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

/** In Node: the service is a process of its own. One file after the other, on one stack each. */
export default defineConfig({
  root: join(import.meta.dirname, '..', '..'),
  test: { include: ['test/clients/*.test.ts'], testTimeout: 120_000, hookTimeout: 240_000, fileParallelism: false },
})
