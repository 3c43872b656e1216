/** The entry points that Cloudflare calls: requests, queues, the cron trigger, and exported classes. */
import { app } from './app.ts'
import type { Env } from './env.ts'
import { consume } from './jobs.ts'
import { runScheduledTasks } from './schedule.ts'

export { RateLimiter } from './access/rate-limiter.ts'
export { CoherentCache } from './cache/coherent-cache.ts'
export { FunctionNetwork } from './functions/runners/network.ts'
export { FunctionGate } from './gate.ts'
export { SiteKey } from './secrets/encryption/site-key.ts'
export { SecretCache } from './secrets/entries/cache/secret-cache.ts'

export default {
  fetch: app.fetch,
  queue: consume,
  async scheduled(_controller, env) {
    await runScheduledTasks(env)
  },
} satisfies ExportedHandler<Env>
