/** Functions and their runs, as the pages show them. */
import type { FunctionRecord, Invocation } from '../../../../client/src/site/functions.ts'

/**
 * A function, with the members that these pages show. `code`, `webhook_url`, `headers` and `variables` are
 * omitted for callers without `manage_site`.
 */
export interface ShownFunction extends FunctionRecord {
  description: string
  code?: string
  /** The address that a function of the mode `proxy` calls. */
  webhook_url?: string
  /**
   * The names of the headers that it sends. Their values are hidden; if the placeholders are sent back, the
   * values stay.
   */
  headers?: Record<string, string>
  schedule: string
  schedule_zone: string
  /** A CEL expression: an event runs the function only if it is true. Empty: always. */
  filter_conditions: string
  /** Whether the events of one record run in order. */
  ordering: 'none' | 'record'
  as: 'service' | 'caller'
  secrets: string[]
  variables?: Record<string, string>
  allowed_hosts: string[]
}

/** A new function. Only this response contains the secret that signs the calls of the mode `proxy`. */
export interface NewFunctionRecord extends ShownFunction {
  signing_secret?: string
}

export const runStates = ['PENDING', 'STARTED', 'SUCCESS', 'FAILURE', 'RETRY', 'SKIPPED'] as const

/** A run, with the members that these pages show. */
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
