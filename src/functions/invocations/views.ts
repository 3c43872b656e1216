/** What clients see of an invocation. E3. */
import type { Invocation } from './schema.ts'

export type InvocationRow = Invocation

export const asInvocation = (row: InvocationRow): Invocation => ({
  id: row.id,
  function: row.function,
  function_name: row.function_name,
  function_slug: row.function_slug,
  trigger_type: row.trigger_type,
  event: row.event,
  status: row.status,
  attempts: row.attempts,
  params: row.params,
  result: row.result ?? null,
  error: row.error,
  logs: row.logs,
  started_at: row.started_at,
  finished_at: row.finished_at,
  duration_ms: row.duration_ms,
  created_at: row.created_at,
})
