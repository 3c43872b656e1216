/** What a run of a function is given, and what comes of it. */
import type { Config, Env } from '../../env.ts'
import type { SiteKeys } from '../../secrets/encryption/service.ts'

/** What of a function its run needs. */
export interface RunnableFunction {
  id: number
  name: string
  slug: string
  app: string
  execution_mode: 'app' | 'proxy' | 'system'
  code: string
  allowed_hosts: string[]
  webhook_url: string
  system_function: string
  timeout_seconds: number
  /** It and its app. */
  is_active: boolean
  filter_conditions: string
  uuid: string
  version: number
  sealed: string | null
}

/** What the function is told of its run, as its second argument. */
export interface RunContext {
  /** The same in every attempt. */
  invocation_id: number
  attempt: number
  trigger_type: string
  event: string | null
  function: { id: number; name: string; slug: string }
  app: string
  user: RunUser | null
}

/** Who was the cause of it. */
export interface RunUser {
  id: number
  username: string
  email: string
}

export interface Run {
  env: Env
  config: Config
  /** Of its site: what is encrypted of the function is read with them. */
  keys: SiteKeys
  function: RunnableFunction
  /** The text of the JSON of its first argument. */
  params: string
  context: RunContext
  /** How long it may take from its begin. */
  timeoutMs: number
  /** How long it may take from now, with whatever it has to wait for before it begins. Omitted: it may wait. */
  withinMs?: number
}

export interface LogLine {
  at: string
  level: string
  message: string
}

export interface Outcome {
  status: 'SUCCESS' | 'FAILURE' | 'SKIPPED'
  /** What was returned: JSON that can be stored. */
  result: unknown
  /** Why it failed, or was not run. */
  error: string | null
  logs: readonly LogLine[]
  /** A failure that will be the same each time. */
  final?: boolean
  /** A failure of ours, before the function began: it is no attempt. */
  notBegun?: boolean
}

export type Runner = (run: Run) => Promise<Outcome>

const errorLengthMax = 2000

/** Text of a function's own making as Postgres can hold it. */
export const storableText = (text: string): string => text.toWellFormed().replaceAll('\0', '\ufffd')

export const failure = (error: string, logs: readonly LogLine[] = [], final = false): Outcome => ({
  status: 'FAILURE',
  result: null,
  error: storableText(error.slice(0, errorLengthMax)),
  logs,
  final,
})

export const success = (result: unknown, logs: readonly LogLine[] = []): Outcome => ({ status: 'SUCCESS', result, error: null, logs })

export const skipped = (reason: string | null): Outcome => ({ status: 'SKIPPED', result: null, error: reason, logs: [] })
