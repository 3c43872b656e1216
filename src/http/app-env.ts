/** What Hono carries for a request. */
import type { RequestContext } from '../context.ts'
import type { Env } from '../env.ts'

export interface AppEnv {
  Bindings: Env
  Variables: { ctx: RequestContext; requestId: string }
}
