/** The types of the data that Hono attaches to a request: the bindings of the Worker and our variables. */
import type { Hono } from 'hono'
import type { RequestContext } from '../context.ts'
import type { Env } from '../env.ts'
import type { JsonScan } from '../lib/json-scan.ts'

/** The environment of every Hono application and handler of the service. */
export interface AppEnv {
  Bindings: Env
  /** `scan` is what the body contains, if it is JSON. */
  Variables: {
    ctx: RequestContext
    requestId: string
    /** The id that the client gave the request. Null: none, or not a valid one. */
    clientRequestId: string | null
    scan?: JsonScan
  }
}

/** Answers a request, as Cloudflare calls the application. */
export type AnswerRequest = Hono<AppEnv>['fetch']
