/** What Cloudflare calls: requests, queued jobs, the cron trigger, and the Durable Object classes. */
import { app } from './app.ts'
import type { Env } from './env.ts'
import { consume } from './jobs.ts'
import { tick } from './schedule.ts'

export { RateLimiter } from './access/rate-limiter.ts'
export { CacheOfRecord } from './cache/cache-of-record.ts'
export { SecretCache } from './secrets/cache/secret-cache.ts'

export default {
  fetch: app.fetch,
  queue: consume,
  async scheduled(_controller, env) {
    await tick(env)
  },
} satisfies ExportedHandler<Env>
