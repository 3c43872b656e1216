import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { slowness } from '../support/slowness.ts'

const provide = { length: 'short', slowness: slowness() } as const

/** In Node: the service and PostgREST are processes of their own. */
export default defineConfig({
  root: join(import.meta.dirname, '..', '..'),
  test: {
    include: ['test/postgrest/*.test.ts'],
    testTimeout: 60_000 * provide.slowness,
    hookTimeout: 120_000 * provide.slowness,
    provide,
  },
})
