/**
 * The entry points that Cloudflare calls: requests, queues, the cron trigger, and exported classes. What they
 * need is loaded with the first call, so that an isolate starts at once.
 */
import { WorkerEntrypoint } from 'cloudflare:workers'
import type { Env } from './kernel/env.ts'
import type { AnswerRequest } from './kernel/http/app-env.ts'
import { LiveListObject } from './operation/live/live-list.ts'
import type { GateProps } from './runtime/functions/runners/isolate.ts'

export { RateLimiter } from './kernel/access/rate-limiter.ts'
export { CoherentCache } from './kernel/cache/coherent-cache.ts'
export { LiveFeed } from './operation/live/live-feed.ts'
export { FunctionNetwork } from './runtime/functions/runners/network.ts'
export { SiteKey } from './secrets/encryption/site-key.ts'
export { SecretCache } from './secrets/entries/cache/secret-cache.ts'

/**
 * Receives the requests of isolates. Isolates that this Worker loads get a gate with the credential of their
 * run. A process of the local stack sends the credential in a header.
 */
export class FunctionGate extends WorkerEntrypoint<Env, Partial<GateProps>> {
  override async fetch(request: Request): Promise<Response> {
    const { passGate } = await import('./gate.ts')
    return passGate(request, this.env, this.ctx)
  }
}

/** Asks for a list that is followed. */
export class LiveList extends LiveListObject {
  protected override readonly answer: AnswerRequest = (...request) => (answer ?? begin)(...request)
}

let answer: AnswerRequest | undefined

/** Loads the application, and answers. Later requests do not wait for the module. */
const begin: AnswerRequest = async (...request) => {
  const { app } = await import('./app.ts')
  answer = app.fetch
  return answer(...request)
}

export default {
  fetch: (...request: Parameters<AnswerRequest>) => (answer ?? begin)(...request),
  async queue(batch: MessageBatch, env: Env, background?: ExecutionContext) {
    const { consume } = await import('./jobs.ts')
    await consume(batch, env, background)
  },
  async scheduled(_controller, env) {
    const { runScheduledTasks } = await import('./schedule.ts')
    await runScheduledTasks(env)
  },
} satisfies ExportedHandler<Env>
