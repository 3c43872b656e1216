/** The types of the data that Hono attaches to a request: the bindings of the Worker and our variables. */
import type { RequestContext } from '../context.ts'
import type { Env } from '../env.ts'

/** The environment of every Hono application and handler of the service. */
export interface AppEnv {
  Bindings: Env
  Variables: { ctx: RequestContext; requestId: string }
}
