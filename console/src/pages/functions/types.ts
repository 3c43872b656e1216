/** Functions and their runs, as the pages show them. */
import type { FunctionRecord, Invocation } from '../../../../client/src/site/functions.ts'

/**
 * A function with what these pages show of it. `code`, `webhook_url`, `headers` and `variables` are omitted for callers
 * without `manage_site`.
 */
export interface ShownFunction extends FunctionRecord {
  description: string
  code?: string
  /** The address that a function of the mode `proxy` calls. */
  webhook_url?: string
  /** The names of the headers that it sends. Their values are hidden: sent back, they stay. */
  headers?: Record<string, string>
  schedule: string
  schedule_zone: string
  /** An expression of CEL: an event runs the function only if it is true. Empty: always. */
  filter_conditions: string
  /** Whether events of one record run in their order. */
  ordering: 'none' | 'record'
  as: 'service' | 'caller'
  secrets: string[]
  variables?: Record<string, string>
  allowed_hosts: string[]
}

/** A new function. Only this answer contains the secret that signs the calls of the mode `proxy`. */
export interface NewFunctionRecord extends ShownFunction {
  signing_secret?: string
}

/** The states of a run. */
export const runStates = ['PENDING', 'STARTED', 'SUCCESS', 'FAILURE', 'RETRY', 'SKIPPED'] as const

/** A run, with what these pages show of it. */
export interface Run extends Invocation {
  function_name: string
  event: string | null
  params: unknown
  error: string | null
  logs: { at: string; level: string; message: string }[]
  created_at: string
  finished_at: string | null
  duration_ms: number | null
}
