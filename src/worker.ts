/** What Cloudflare calls: requests, queued jobs, the cron trigger, the Durable Object classes, and what functions have for a network. */
import { app } from './app.ts'
import type { Env } from './env.ts'
import { consume } from './jobs.ts'
import { tick } from './schedule.ts'

export { RateLimiter } from './access/rate-limiter.ts'
export { CacheOfRecord } from './cache/cache-of-record.ts'
export { FunctionNetwork } from './functions/runners/network.ts'
export { SecretCache } from './secrets/cache/secret-cache.ts'

export default {
  fetch: app.fetch,
  queue: consume,
  async scheduled(_controller, env) {
    await tick(env)
  },
} satisfies ExportedHandler<Env>
