/** The types of what Hono carries with a request: the bindings of the Worker and our variables. */
import type { RequestContext } from '../context.ts'
import type { Env } from '../env.ts'

/** The environment of every Hono application and handler of the service. */
export interface AppEnv {
  Bindings: Env
  Variables: { ctx: RequestContext; requestId: string }
}
