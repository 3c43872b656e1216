/** The input and the result of runners. */
import type { FunctionRun } from '../../context.ts'
import type { Config, Env } from '../../env.ts'
import type { SiteKeys } from '../../secrets/encryption/service.ts'
import type { Trace } from '../../telemetry/trace.ts'

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
  /** Whose rights its code has in its app. */
  as: 'service' | 'caller'
  /** The keys of the secrets that its code gets. */
  secrets: string[]
  /** The texts that its code gets, by name. */
  variables: Record<string, string>
  /** False also if the app is not active. */
  is_active: boolean
  filter_conditions: string
  uuid: string
  /** The version of `sealed`. */
  version: number
  /** The encrypted FunctionSecrets; null for functions in other modes than `proxy`. */
  sealed: string | null
}

/** The second argument of a function: facts about the invocation. */
export interface InvocationContext {
  /** The same in every attempt. */
  invocation_id: number
  /** Counted from 1. */
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

/** An attempt that a runner is to make. */
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
  /** The trace of the request or the message that makes the attempt. Undefined: telemetry is off. */
  trace?: Trace | undefined
  /** The span of the attempt, such as `traceparent` names it: the calls of the function belong to it. */
  traceparent?: string | undefined
  /** How long it may take from its start. */
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

/** The result of an attempt. */
export interface AttemptResult {
  status: 'SUCCESS' | 'FAILURE' | 'SKIPPED'
  /** The return value: JSON that Postgres can store. */
  result: unknown
  /** Why it failed or was skipped. */
  error: string | null
  logs: readonly LogLine[]
  /** The failure would be the same in every further attempt. */
  isFinal?: boolean
  /** The service failed before the function started: the attempt does not count. */
  notStarted?: boolean
}

/** Creates an attempt in one execution mode. A failure is a result: runners do not reject. */
export type Runner = (attempt: Attempt) => Promise<AttemptResult>

const errorLengthMax = 2000

/** Replaces what Postgres cannot store in a text: lone surrogates and NUL. */
export const storableText = (text: string): string => text.toWellFormed().replaceAll('\0', '\ufffd')

/** A failed attempt. The error is cut to 2000 characters. */
export const failure = (
  error: string,
  { logs = [], isFinal = false }: Pick<Partial<AttemptResult>, 'logs' | 'isFinal'> = {},
): AttemptResult => ({
  status: 'FAILURE',
  result: null,
  error: storableText(error.slice(0, errorLengthMax)),
  logs,
  isFinal,
})

/** A successful attempt. */
export const success = (result: unknown, logs: readonly LogLine[] = []): AttemptResult => ({
  status: 'SUCCESS',
  result,
  error: null,
  logs,
})

/** An attempt that was not made; `reason` is null if the filter conditions are false. */
export const skipped = (reason: string | null): AttemptResult => ({
  status: 'SKIPPED',
  result: null,
  error: reason,
  logs: [],
})
