import type { TenantLocator } from '../../context.ts'
import { type Sql, sql } from '../../db/sql.ts'
import type { Ended } from '../../functions/invocations/service.ts'
import type { RunnableFunction } from '../../functions/runners/service.ts'
import type { UserEvent } from '../catalog.ts'

/** A function that is to run, with the ids that its invocation, and what brings it about, are to have. */
export interface Listener {
  site_id: number
  invocation_id: number
  delivery_id: number
  runnable: RunnableFunction
}

/** `organizations` is a query for the ids of those that the account is, or is to be, in. */
export const selectListeners = (event: UserEvent, { host, slug }: TenantLocator, organizations: Sql) => sql<Listener>`
  select site_id, invocation_id, delivery_id, runnable from public.account_listeners(${event}, ${host}, ${slug}, array(${organizations}))`

/** Runs that a request has waited for: they are done. */
export const insertRuns = (event: UserEvent, params: string, userId: number | null, runs: readonly (Ended & RunOf)[]): Sql => sql`
  insert into _invocations (id, delivery_id, event_id, function_id, function_name, function_slug, trigger_type, event, status, attempts, params,
                            result, error, logs, user_id, due_at, started_at, finished_at)
  overriding system value
  select r.id, r.delivery_id, r.delivery_id, r.function_id, r.function_name, r.function_slug, 'event', ${event}, r.status, r.attempt, ${params}::json,
         r.result, r.error, r.logs, ${userId}, now(), r.started_at, greatest(r.started_at, r.finished_at)
    from json_to_recordset(${JSON.stringify(runs)}::json) as r (
           id bigint, delivery_id bigint, function_id bigint, function_name text, function_slug text, attempt integer, status text, result json, error text, logs json,
           started_at timestamptz, finished_at timestamptz)`

export interface RunOf {
  delivery_id: number
  function_id: number
  function_name: string
  function_slug: string
}
