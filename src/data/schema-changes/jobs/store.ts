/** The SQL of changes of large tables that go on after an interruption. */
import { runAs, type Sql, sql } from '../../../kernel/db/sql.ts'
import type { Place } from '../../model/table.ts'
import { nameOf } from '../store.ts'

/** What is needed to examine a change again. */
export interface JobRequest {
  app: string
  table: string
  json_schema: unknown
  /** Null keeps the description. */
  description: string | null
  allow_data_loss: boolean
  /** The hash of the schema that the change was sent for. */
  schema_hash: string
}

/** How far a change is. */
export interface JobProgress {
  /** The number of statements of the online phase that are done. */
  done: number
  /** In the batches of the next one: the key of the last row; null: none is done. */
  place: readonly string[] | null
  /** In these batches: the number of rows, and of values that the conversion has lost. */
  rows: number
  lost: number
}

/** A change that is not over. */
export interface JobRow extends JobProgress {
  id: number
  request: JobRequest
  created_by: number
  generation: number
}

/**
 * Begins a job, and ends those of the table whose requests were interrupted. Returns its id. The session must
 * have claimed the table.
 */
export const insertJob = (
  place: Place,
  { userId, generation, request }: { userId: number; generation: number; request: JobRequest },
) => sql`
  with _interrupted as (
    update _schema_jobs set ended_at = now()
     where table_name = ${nameOf(place)} and ended_at is null
  )
  insert into _schema_jobs (table_name, request, created_by, generation)
  values (${nameOf(place)}, ${JSON.stringify(request)}::json, ${userId}, ${generation})
  returning id`

/**
 * Selects the job of a table that goes on without its request, and notes that somebody cares for it. Without
 * an operation, its request still waits for it, or was interrupted.
 */
export const takeJob = (place: Place) => sql<JobRow>`
  update _schema_jobs set queued_at = now()
   where table_name = ${nameOf(place)} and operation_id is not null and ended_at is null
  returning id, request, created_by, generation, done, place, rows, lost`

/**
 * Saves how far a job is. Returns nothing if it is over, and otherwise whether somebody has cancelled it.
 */
export const saveProgress = (id: number, { done, place, rows, lost }: JobProgress) => sql<{
  is_cancelled: boolean
}>`
  update _schema_jobs
     set done = ${done}, place = ${place && JSON.stringify(place)}::json, rows = ${rows}, lost = ${lost},
         queued_at = now()
   where id = ${id} and ended_at is null
  returning is_cancelled`

/**
 * Adds the operation of a job to the history, with the status `running`. Returns nothing if the job is over.
 */
export const insertRunning = (id: number, appId: number, name: string, script: string) => sql<{
  operation_id: number
}>`
  with _job as (
    select j.id, j.created_by from _schema_jobs j where j.id = ${id} and j.ended_at is null for update
  ), _operation as (
    insert into _operations (app_id, datatable_name, operation_type, description, sql, rollback_sql, status,
                             execution_time_ms, created_by)
    select ${appId}, ${name}, 'alter_table', ${`Change the schema of ${name}`}, ${script}, '', 'running', 0,
           _job.created_by from _job
    returning id
  )
  update _schema_jobs j set operation_id = _operation.id from _operation where j.id = ${id}
  returning j.operation_id`

/** How a change ends. */
export type Ending = 'success' | 'failed' | 'cancelled'

/**
 * Ends a job, unless it is over, and its operation if it has one. `changeId`: the schema change that it has
 * made.
 */
export const endJob = (id: number, status: Ending, changeId: string | null = null): Sql => sql`
  with _ended as (
    update _schema_jobs set ended_at = now(), place = null where id = ${id} and ended_at is null
    returning operation_id
  )
  update _operations o
     set status = ${status}, migration_id = ${changeId}::uuid,
         execution_time_ms = extract(epoch from clock_timestamp() - o.created_at) * 1000
    from _ended where o.id = _ended.operation_id
  returning o.id`

/** Locks a job, so that nobody cancels it while its change is committed. */
export const lockJob = (id: number): Sql => sql`select id from _schema_jobs where id = ${id} for update`

/** Selects a job that is over or cancelled. Nothing that follows it is done. */
export const stopIfOver = (id: number) =>
  runAs(
    'stopIfFound',
    sql<{ id: number }>`
      select id from _schema_jobs where id = ${id} and (ended_at is not null or is_cancelled)`,
  )

/** Asks the job of an operation to end without its change. Returns nothing if it is over. */
export const cancelJob = (operationId: number) => sql<{ id: number }>`
  update _schema_jobs set is_cancelled = true
   where operation_id = ${operationId} and ended_at is null
  returning id`

/** Selects such jobs of all sites that nobody has cared for recently, and notes that somebody does. */
export const claimStopped = (limit: number) => sql<{ site_id: number; table: string }>`
  with _due as (
    select j.site_id, j.id from tenant._schema_jobs j
     where j.operation_id is not null and j.ended_at is null and j.queued_at < now() - interval '2 minutes'
     order by j.queued_at limit ${limit} for update skip locked
  )
  update tenant._schema_jobs j set queued_at = now() from _due d
   where j.site_id = d.site_id and j.id = d.id
  returning j.site_id, (parse_ident(j.table_name))[2] as table`
