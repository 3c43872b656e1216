/**
 * The credential with which one run calls the API, only through the gate of its isolate (gate.ts). It is
 * encrypted, names the run and its rights, and expires. It becomes useless when the run ends, because
 * Postgres checks the run in every transaction (db/run-check.ts). The isolate itself never sees it.
 */
import * as z from 'zod'
import { seal, unseal } from '../../../kernel/access/derived-keys.ts'
import { signInClaims } from '../../../kernel/access/signed-tokens.ts'
import type { FunctionRun } from '../../../kernel/context.ts'
import type { Config, Env } from '../../../kernel/env.ts'
import { tooManyOfRun } from '../errors.ts'
import { requestsMax } from './limits.ts'
import type { Attempt } from './runner.ts'

/** The milliseconds for which a credential is accepted after its attempt should have ended. */
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
    caller: signInClaims.nullable(),
  }),
})

/** A run in this isolate. */
interface Running {
  env: Env
  /** The number of requests that it has made. */
  requests: number
}

/** The runs in this isolate, by their credential's id. */
const running = new Map<string, Running>()

const nameOf = ({ siteId, invocationId, attempt }: FunctionRun): string =>
  [siteId, invocationId, attempt].join(' ')

/** Creates the credential of a run that begins. */
export async function openRun(
  { env, config, traceparent, timeoutMs, withinMs = timeoutMs }: Attempt,
  run: FunctionRun,
): Promise<string> {
  running.set(nameOf(run), { env, requests: 0 })
  const until = Date.now() + Math.max(timeoutMs, withinMs) + waitMs + graceMs
  return seal(config, 'runs', [], JSON.stringify({ until, traceparent, run }))
}

/** Removes the data about a run from this isolate. */
export const closeRun = (run: FunctionRun): void => void running.delete(nameOf(run))

/** How long a run may wait for a free process of the local stack before it begins. */
const waitMs = 30_000

/** The content of a credential: a run, and the bindings and variables of its isolate. */
export interface OpenRun {
  run: FunctionRun
  env: Env
  /** The span of the attempt, in the form of `traceparent`. Undefined: telemetry is off. */
  traceparent: string | undefined
}

/**
 * Decrypts a credential for one request. Returns undefined for invalid and expired credentials. Throws 429 if
 * the run has used all of its requests. `env` belongs to the isolate: a run may continue in another isolate,
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
