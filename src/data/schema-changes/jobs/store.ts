/** The SQL of changes of large tables that go on after an interruption. */
import { runAs, type Sql, sql } from '../../../kernel/db/sql.ts'
import { nameOf } from '../../catalog/claims.ts'
import type { Place } from '../../model/table.ts'
import type { AcceptedLosses } from '../accepted-losses.ts'

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
  accepts: AcceptedLosses
}

/** How far a change is. */
export interface JobProgress {
  /** The hash of the planned steps. With others, nothing is done yet. */
  plan: string
  /** The number of statements of the online phase that are done. */
  done: number
  /** In the batches of the next one: the key of the last row; null: none is done. */
  place: readonly string[] | null
  /** In these batches: the number of rows, and of values that the conversion has lost. */
  rows: number
  lost: number
}

/** A change that is not over. */
export interface JobRow extends Omit<JobProgress, 'plan'> {
  id: number
  request: JobRequest
  created_by: number
  generation: number
  /** Null: nothing is done. */
  plan: string | null
  /** Whether its request has been answered. Otherwise the request still waits, or was interrupted. */
  goes_on: boolean
  is_cancelled: boolean
  /** The name of the session that had its table last. */
  session: string | null
}

/** Whether a job goes on without its request. Another change of its table is refused meanwhile. */
export const goesOn = (job: Sql): Sql =>
  sql`(${job}.is_sealed and ${job}.operation_id is not null and ${job}.ended_at is null)`

/**
 * Begins a job. Returns its id, or nothing if one of the table goes on. It runs as the platform: the
 * statements of a site cannot say who began a change, or what it does.
 */
export const insertJob = (
  siteId: number,
  place: Place,
  { userId, generation, request }: { userId: number; generation: number; request: JobRequest },
) => sql<{ id: number }>`
  insert into tenant._schema_jobs (site_id, table_name, request, created_by, generation, is_sealed)
  select ${siteId}, ${nameOf(place)}, ${JSON.stringify(request)}::json, ${userId}, ${generation}, true
   where not exists (
           select from tenant._schema_jobs j
            where j.site_id = ${siteId} and j.table_name = ${nameOf(place)} and ${goesOn(sql`j`)})
  returning id`

/** Selects the jobs of a table that are not over, and notes that somebody cares for them. */
export const takeJobs = (place: Place) => sql<JobRow>`
  update _schema_jobs j set queued_at = now()
   where j.table_name = ${nameOf(place)} and j.is_sealed and j.ended_at is null
  returning j.id, j.request, j.created_by, j.generation, j.plan, j.done, j.place, j.rows, j.lost,
            ${goesOn(sql`j`)} as goes_on, j.is_cancelled,
            (select c.session_name from _claims c where c.table_name = j.table_name) as session`

/**
 * Saves how far a job is. Returns nothing if it is over, and otherwise whether somebody has cancelled it.
 */
export const saveProgress = (id: number, { plan, done, place, rows, lost }: JobProgress) => sql<{
  is_cancelled: boolean
}>`
  update _schema_jobs
     set plan = ${plan}, done = ${done}, place = ${place && JSON.stringify(place)}::json, rows = ${rows},
         lost = ${lost}, queued_at = now()
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

const endJobs = (which: Sql, status: Ending, changeId: string | null): Sql => sql`
  with _ended as (
    update _schema_jobs j set ended_at = now(), place = null where ${which} and j.ended_at is null
    returning j.operation_id
  )
  update _operations o
     set status = ${status}, migration_id = ${changeId}::uuid,
         execution_time_ms = extract(epoch from clock_timestamp() - o.created_at) * 1000
    from _ended where o.id = _ended.operation_id
  returning o.id`

/**
 * Ends a job, unless it is over, and its operation if it has one. `changeId`: the schema change that it has
 * made.
 */
export const endJob = (id: number, status: Ending, changeId: string | null = null): Sql =>
  endJobs(sql`j.id = ${id}`, status, changeId)

/**
 * Ends the jobs of a table whose requests were interrupted, and the job `failedId`. The session must have
 * claimed the table.
 */
export const endInterrupted = (place: Place, failedId: number | null = null): Sql =>
  endJobs(
    sql`j.table_name = ${nameOf(place)} and (j.id = ${failedId}::bigint or not ${goesOn(sql`j`)})`,
    'failed',
    null,
  )

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

/** The most jobs of a site at a time: the sites take turns. */
const siteMax = 5

/** Selects jobs of all sites that nobody has cared for recently, and notes that somebody does. */
export const claimStopped = (limit: number) => sql<{ site_id: number; table: string }>`
  with _stopped as (
    select j.site_id, j.id, row_number() over (partition by j.site_id order by j.queued_at) as turn
      from tenant._schema_jobs j
     where j.is_sealed and j.ended_at is null and j.queued_at < now() - interval '2 minutes'
  ), _due as (
    select j.site_id, j.id from tenant._schema_jobs j join _stopped s using (site_id, id)
     where s.turn <= ${siteMax}
     order by s.turn, j.queued_at limit ${limit} for update of j skip locked
  )
  update tenant._schema_jobs j set queued_at = now() from _due d
   where j.site_id = d.site_id and j.id = d.id
  returning j.site_id, (parse_ident(j.table_name))[2] as table`
