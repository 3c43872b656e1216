import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { slowness } from '../support/slowness.ts'

const provide = { length: 'short', slowness: slowness() } as const

/** The tests run in Node, because the service and PostgREST are separate processes. */
export default defineConfig({
  root: join(import.meta.dirname, '..', '..'),
  test: {
    include: ['test/postgrest/*.test.ts'],
    testTimeout: 60_000 * provide.slowness,
    hookTimeout: 120_000 * provide.slowness,
    provide,
  },
})
