/** Invocations in the form of the API. E3. */
import { readJson } from '../../../kernel/lib/exact-json.ts'
import type { Invocation } from './schema.ts'

/** An invocation as store.ts selects it. */
export interface InvocationRow extends Omit<Invocation, 'params' | 'result'> {
  /** The text of a JSON value. It may contain integers that a double cannot represent. */
  params: string
  /** The text of a JSON value, like `params`. */
  result: string | null
}

/** Returns a row in the form of the API. */
export const asInvocation = (row: InvocationRow): Invocation => ({
  id: row.id,
  function: row.function,
  function_name: row.function_name,
  function_slug: row.function_slug,
  trigger_type: row.trigger_type,
  event: row.event,
  status: row.status,
  attempts: row.attempts,
  params: readJson(row.params),
  result: row.result === null ? null : readJson(row.result),
  error: row.error,
  logs: row.logs,
  started_at: row.started_at,
  finished_at: row.finished_at,
  duration_ms: row.duration_ms,
  publish: row.publish,
  created_at: row.created_at,
})
