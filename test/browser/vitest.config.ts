import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

/** In Node: the browser and the service are processes of their own. */
export default defineConfig({
  root: join(import.meta.dirname, '..', '..'),
  test: { include: ['test/browser/*.test.ts'], testTimeout: 60_000, hookTimeout: 120_000 },
})
