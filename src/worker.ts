/** The entry points that Cloudflare calls: requests, queues, the cron trigger, and exported classes. */
import { app } from './app.ts'
import { consume } from './jobs.ts'
import type { Env } from './kernel/env.ts'
import { runScheduledTasks } from './schedule.ts'

export { FunctionGate } from './gate.ts'
export { RateLimiter } from './kernel/access/rate-limiter.ts'
export { CoherentCache } from './kernel/cache/coherent-cache.ts'
export { FunctionNetwork } from './runtime/functions/runners/network.ts'
export { SiteKey } from './secrets/encryption/site-key.ts'
export { SecretCache } from './secrets/entries/cache/secret-cache.ts'

export default {
  fetch: app.fetch,
  queue: consume,
  async scheduled(_controller, env) {
    await runScheduledTasks(env)
  },
} satisfies ExportedHandler<Env>
