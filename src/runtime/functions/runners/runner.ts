/** The input and the result of runners. */

import type { FunctionRun } from '../../../kernel/context.ts'
import type { Config, Env } from '../../../kernel/env.ts'
import { storableText } from '../../../kernel/lib/storable.ts'
import type { Trace } from '../../../kernel/telemetry/trace.ts'
import type { SiteKeys } from '../../../secrets/encryption/service.ts'
import type { FunctionMail } from '../mails/schema.ts'

/** The part of a function that its attempts need. */
export interface RunnableFunction {
  id: number
  name: string
  slug: string
  /** The slug of its app. */
  app: string
  execution_mode: 'app' | 'proxy' | 'system'
  code: string
  allowed_hosts: string[]
  webhook_url: string
  system_function: string
  timeout_seconds: number
  /** The account whose rights the code has in its app. */
  as: 'service' | 'caller'
  /** The keys of the secrets that its code gets. */
  secrets: string[]
  /** The texts that its code gets, by name. */
  variables: Record<string, string>
  /** Whether the app or the site has the secret MAIL, with a mail server of its own. */
  own_mail: boolean
  /** Also false if the app is not active. */
  is_active: boolean
  filter_conditions: string
  uuid: string
  /** The version of the encrypted secrets, `sealed`. */
  version: number
  /** The encrypted FunctionSecrets; null for functions in other modes than `proxy`. */
  sealed: string | null
}

/** The second argument of a function: facts about the invocation. */
export interface InvocationContext {
  /** The same id in every attempt. */
  invocation_id: number
  /** The number of the attempt, from 1. */
  attempt: number
  trigger_type: string
  event: string | null
  function: { id: number; name: string; slug: string }
  /** The slug of the app. */
  app: string
  user: InvocationUser | null
}

/** The account that caused an invocation. */
export interface InvocationUser {
  id: number
  username: string
  email: string
}

/**
 * The data with which the code of a function calls the API, in addition to the function and the invocation.
 */
export type Acting = Pick<FunctionRun, 'site' | 'isStored' | 'depth' | 'caller'>

/** An attempt for a runner to run. */
export interface Attempt {
  env: Env
  config: Config
  /** The data keys of the site, which decrypt the secrets of the function. */
  keys: SiteKeys
  function: RunnableFunction
  /** The text of the JSON of the function's first argument. */
  params: string
  context: InvocationContext
  acting: Acting
  /** The trace of the request or the message that starts the attempt. Undefined: telemetry is off. */
  trace?: Trace | undefined
  /** The span of the attempt, in the form of `traceparent`. The calls of the function belong to it. */
  traceparent?: string | undefined
  /** The time limit, from the start of the attempt. */
  timeoutMs: number
  /** The time limit from now on, including the wait for a free process. Omitted: the wait is not limited. */
  withinMs?: number
}

/** A line that a function printed. */
export interface LogLine {
  /** An ISO 8601 timestamp. */
  at: string
  level: string
  message: string
}

export interface AttemptResult {
  status: 'SUCCESS' | 'FAILURE' | 'SKIPPED'
  /** The return value. It is JSON that Postgres can store. */
  result: unknown
  /** The reason why the attempt failed or was skipped. */
  error: string | null
  logs: readonly LogLine[]
  /** The e-mails that leave now, after a success. Omitted: none. */
  mails?: readonly FunctionMail[]
  /** Whether every further attempt would fail in the same way. */
  isFinal?: boolean
  /** Whether the service failed before the function started. Such an attempt does not count. */
  notStarted?: boolean
  /** Whether the function cannot be started. The run has failed without a start. E9. */
  neverStarted?: boolean
}

/** Runs an attempt in one execution mode. A failure is a result: runners do not reject. */
export type Runner = (attempt: Attempt) => Promise<AttemptResult>

const errorLengthMax = 2000

/** Returns a failed attempt. Its error is cut to 2000 characters. */
export const failure = (
  error: string,
  {
    logs = [],
    isFinal = false,
    neverStarted = false,
  }: Pick<Partial<AttemptResult>, 'logs' | 'isFinal' | 'neverStarted'> = {},
): AttemptResult => ({
  status: 'FAILURE',
  result: null,
  error: storableText(error.slice(0, errorLengthMax)),
  logs,
  isFinal,
  neverStarted,
})

/** Returns a successful attempt. */
export const success = (
  result: unknown,
  logs: readonly LogLine[] = [],
  mails: readonly FunctionMail[] = [],
): AttemptResult => ({
  status: 'SUCCESS',
  result,
  error: null,
  logs,
  mails,
})

/** Returns an attempt that did not run. `reason` is null if the filter conditions are false. */
export const skipped = (reason: string | null): AttemptResult => ({
  status: 'SKIPPED',
  result: null,
  error: reason,
  logs: [],
})
