/** The SQL of account events. */
import type { TenantLocator } from '../../../kernel/context.ts'
import { type Sql, sql } from '../../../kernel/db/sql.ts'
import { countSkipped, type FinishedAttempt, withoutMails } from '../../functions/invocations/service.ts'
import type { RunnableFunction } from '../../functions/runners/service.ts'
import type { UserEvent } from '../catalog.ts'

/** A function that is to run for an event, with the ids that its invocation and its outbox row will have. */
export interface Listener {
  site_id: number
  site_slug: string
  /** Whether the site does not act by itself: what has to wait for the function is refused. */
  paused: boolean
  invocation_id: number
  delivery_id: number
  runnable: RunnableFunction
}

/** Selects the listeners. `organizations` is a query for the ids of the account's organizations. */
export const selectListeners = (
  event: UserEvent,
  { host, slug }: TenantLocator,
  organizations: Sql,
) => sql<Listener>`
  select site_id, site_slug, paused, invocation_id, delivery_id, runnable
    from public.account_listeners(${event}, ${host}, ${slug}, array(${organizations}))`

/** A finished attempt with the columns of a new invocation. */
export interface FinishedInvocation extends FinishedAttempt {
  delivery_id: number
  function_id: number
  function_name: string
  function_slug: string
}

/** The cause that the invocations of an event share. */
export interface InvocationCause {
  event: UserEvent
  /** The text of the JSON of the first argument. */
  params: string
  userId: number | null
}

/** Inserts the finished invocations for which a request has waited, and counts those that were skipped. */
export const insertFinished = (
  { event, params, userId }: InvocationCause,
  finished: readonly FinishedInvocation[],
): Sql => sql`
  with ended as (
  insert into _invocations (id, delivery_id, event_id, function_id, function_name, function_slug,
                            trigger_type, event, status, attempts, params, result, error, logs, user_id,
                            due_at, started_at, finished_at)
  overriding system value
  select r.id, r.delivery_id, min(r.delivery_id) over (), r.function_id, r.function_name, r.function_slug,
         'event', ${event}, r.status, r.attempt, ${params}::json, r.result, r.error, r.logs, ${userId}, now(),
         r.started_at, greatest(r.started_at, r.finished_at)
    from json_to_recordset(${JSON.stringify(finished.map(withoutMails))}::json) as r (
           id bigint, delivery_id bigint, function_id bigint, function_name text, function_slug text,
           attempt integer, status text, result json, error text, logs json, started_at timestamptz,
           finished_at timestamptz)
  returning *)
  ${countSkipped(sql`ended`)}`
