/**
 * The credential with which one run calls the API, through the gate of its isolate (gate.ts) and nowhere
 * else. It is encrypted, says who acts for how long, and is worth nothing once the run has ended: Postgres
 * checks that in every transaction (db/run-check.ts). The isolate itself never sees it.
 */
import { z } from 'zod'
import { seal, unseal } from '../../access/derived-keys.ts'
import type { FunctionRun } from '../../context.ts'
import type { Config, Env } from '../../env.ts'
import { tooManyOfRun } from '../errors.ts'
import { requestsMax } from './limits.ts'
import type { Attempt } from './runner.ts'

/** How much longer than its attempt a credential is accepted. */
const graceMs = 5_000

const content = z.strictObject({
  until: z.number(),
  /** The span of the attempt: the requests of the run belong to it. */
  traceparent: z.string().optional(),
  run: z.strictObject({
    siteId: z.number(),
    site: z.string(),
    app: z.string(),
    functionId: z.number(),
    invocationId: z.number(),
    attempt: z.number(),
    isStored: z.boolean(),
    depth: z.number(),
    as: z.enum(['service', 'caller']),
    caller: z
      .object({ userId: z.number(), generation: z.number(), organizationId: z.number().optional() })
      .nullable(),
  }),
})

/** A run that goes on in this isolate. */
interface Running {
  env: Env
  /** How many requests it has made. */
  requests: number
}

/** The runs that go on in this isolate, by what names them. */
const running = new Map<string, Running>()

const nameOf = ({ siteId, invocationId, attempt }: FunctionRun): string =>
  [siteId, invocationId, attempt].join(' ')

/** Makes the credential of a run that begins. */
export async function openRun(
  { env, config, traceparent, timeoutMs, withinMs = timeoutMs }: Attempt,
  run: FunctionRun,
): Promise<string> {
  running.set(nameOf(run), { env, requests: 0 })
  const until = Date.now() + Math.max(timeoutMs, withinMs) + waitMs + graceMs
  return seal(config, 'runs', [], JSON.stringify({ until, traceparent, run }))
}

/** Ends what this isolate keeps of a run. */
export const closeRun = (run: FunctionRun): void => void running.delete(nameOf(run))

/** How long a run may wait for a free process of the local stack before it begins. */
const waitMs = 30_000

/** What a credential opens: a run, and the bindings and variables that it goes on with. */
export interface OpenRun {
  run: FunctionRun
  env: Env
  /** The span of the attempt, as `traceparent` names it. Undefined: telemetry is off. */
  traceparent: string | undefined
}

/**
 * Opens a credential for one request. Returns undefined for any other text, and for one that has expired.
 * Throws 429 beyond the requests of a run. `env` is that of the isolate: a run may go on in another one,
 * where Cloudflare counts its requests.
 */
export async function openCredential(
  env: Env,
  config: Config,
  credential: string,
): Promise<OpenRun | undefined> {
  const text = await unseal(config, 'runs', [], credential)
  const opened = text === undefined ? undefined : content.parse(JSON.parse(text))
  if (!opened || opened.until < Date.now()) return undefined
  const { run, traceparent } = opened
  const here = running.get(nameOf(run)) ?? { env, requests: 0 }
  if (++here.requests > requestsMax) throw tooManyOfRun(requestsMax)
  return { run, env: here.env, traceparent }
}
