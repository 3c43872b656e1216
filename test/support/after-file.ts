/**
 * Cleans up after each file, because the next one runs in the same isolate, and reports the observed
 * statuses.
 */
import { reset } from 'cloudflare:test'
import { afterAll, vi } from 'vitest'
import { dropDatabases } from './app.ts'
import { reportSeen } from './contract.ts'

afterAll(async () => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
  // Durable Objects would retry failed work in the database of a file that has ended.
  await reset()
  await dropDatabases()
  await reportSeen()
})
