/** The SQL of the outbox: the rows of `_deliveries` and the claims of their invocations. E5. */
import { type Sql, sql } from '../../kernel/db/sql.ts'
import { thisMonth } from '../../kernel/db/use.ts'
import type { ReachedLimit } from '../../kernel/errors.ts'
import type { CauseRow } from '../functions/invocations/service.ts'
import type { OutboxMessage } from './queue.ts'

/**
 * Selects the account that caused the event. Runs before the site is entered: a tenant cannot read accounts.
 */
export const selectCause = ({ siteId, rowId }: OutboxMessage) => sql<CauseRow>`
  select u.id, u.username, u.email, u.generation
    from tenant._deliveries d join public.users u on u.id = d.user_id
   where d.site_id = ${siteId} and d.id = ${rowId}`

/** A site, and its hard limit of invocations if it has reached the limit in the current month. */
interface SiteRow {
  slug: string
  paused: boolean
  reached: ReachedLimit | null
}

/** Selects a site. Runs before the site is entered. */
export const selectSite = (siteId: number) => sql<SiteRow>`
  select s.slug, s.paused,
         case when (s.exceeded #>> '{invocations,month}')::date = ${thisMonth}
              then json_build_object(
                     'measure', 'invocations', 'limit', (s.exceeded #>> '{invocations,limit}')::bigint,
                     'used', public.use_of(s.id, 'invocations', ${thisMonth}),
                     'month', to_char(${thisMonth}, 'YYYY-MM')) end as reached
    from public.sites s where s.id = ${siteId}`

/** Fails with TS410 for a site that is suspended or deleted. Runs before the site is entered. */
export const requireActiveSite = (siteId: number): Sql => sql`select public.require_active_site(${siteId})`

/** Locks the outbox row, so that of two workers the second one sees the results of the first. */
export const lockRow = (id: number) =>
  sql<{ id: number }>`select d.id, d.functions from _deliveries d where d.id = ${id} for update`

/** The record's key: its value in the record, or an array of the values. R17. */
const recordId = sql`
  case when cardinality(d.key) = 1 then r.record -> d.key[1]
       else (select json_agg(r.record -> k.name order by k.place)
               from unnest(d.key) with ordinality k (name, place)) end`

/** The parameters of record events. `previous` is part of updates only. Spec: Events, rule 4; E1. */
const recordParams = sql`
  case when d.previous is null
       then json_build_object('type', d.event, 'app_slug', d.app_slug, 'datatable', d.datatable,
                              'record_id', ${recordId}, 'data', r.record)
       else json_build_object('type', d.event, 'app_slug', d.app_slug, 'datatable', d.datatable,
                              'record_id', ${recordId}, 'data', r.record, 'previous', p.record) end`

/**
 * The hash that orders the runs of one record. It is computed from the record's key, which always has the
 * same text.
 */
const orderKey = sql`
  case when f.ordering = 'record' then md5(d.datatable || ' ' || (${recordId})::text) end`

/**
 * Creates invocations for the records of an outbox row, one for each record and function. Creates about
 * `invocationsMax` at a time and stores the progress; the records are deleted with the last ones. Does
 * nothing for other rows.
 */
export const expandRow = (id: number, invocationsMax: number): Sql => sql`
  with d as (
    select d.*, d.expanded + greatest(1, ${invocationsMax}::integer / cardinality(d.functions)) as until,
           json_array_length(d.records::json) as count
      from _deliveries d where d.id = ${id} and d.records is not null
  ), made as (
    insert into _invocations (delivery_id, event_id, place, function_id, function_name, function_slug,
                              trigger_type, event, status, params, user_id, order_key, depth, due_at)
    select d.id, d.id, r.place, f.id, f.name, f.slug, 'event', d.event, 'PENDING', ${recordParams},
           d.user_id, ${orderKey}, d.depth, now()
      from d cross join json_array_elements(d.records::json) with ordinality r (record, place)
      left join json_array_elements(d.previous::json) with ordinality p (record, place) on p.place = r.place
      join _functions f on f.id = any (d.functions)
     where r.place > d.expanded and r.place <= d.until
     order by r.place, f.id
    on conflict do nothing
  )
  update _deliveries u
     set expanded = d.until,
         records = case when d.until < d.count then d.records end,
         previous = case when d.until < d.count then d.previous end, stuck_at = null
    from d where u.id = d.id returning u.id`

/**
 * Marks invocations of requests and schedules as failed if their worker is lost. Invocations of events are
 * attempted again.
 */
export const failInterrupted = (id: number): Sql => sql`
  update _invocations i
     set status = 'FAILURE', error = 'The attempt was interrupted.', finished_at = clock_timestamp(),
         leased_until = null
   where i.delivery_id = ${id} and i.status = 'STARTED' and i.leased_until < now()
     and i.trigger_type in ('api', 'schedule')`

const isDue = sql`
  (i.status in ('PENDING', 'RETRY') and i.due_at <= now() or i.status = 'STARTED' and i.leased_until < now())`

/**
 * The condition that no earlier run of the same function and record is open, and that no other one has
 * started.
 */
const isFirst = sql`
  not exists (
    select from _invocations o
     where o.function_id = i.function_id and o.order_key = i.order_key and o.id <> i.id
       and o.status in ('PENDING', 'STARTED', 'RETRY')
       and (o.status = 'STARTED' or (o.event_id, o.place) < (i.event_id, i.place)))`

/**
 * The condition that the function has earlier events without invocations. One of them may concern the same
 * record. Rows of one record have ids in the order of its changes, because its writers wait for each other.
 */
const isBehind = (id: number) => sql`
  i.function_id in (
    select unnest(e.functions) from _deliveries e
     where e.id < ${id} and e.records is not null and e.stuck_at is null)`

/**
 * Locks the functions with ordering by record, so that of two workers with events of one record the second
 * one sees the claims of the first.
 */
export const lockOrdered = (id: number): Sql => sql`
  select f.id from _functions f
   where f.ordering = 'record'
     and f.id in (select unnest(d.functions) from _deliveries d where d.id = ${id} and d.event is not null)
   order by f.id for no key update`

/**
 * Selects a row if invocations of this outbox row wait for earlier rows whose invocations do not exist yet.
 */
export const selectBehind = (id: number) => sql<{ id: number }>`
  select i.id from _invocations i
   where i.delivery_id = ${id} and i.order_key is not null and ${isDue} and ${isBehind(id)} limit 1`

/**
 * Selects the other outbox rows with the runs that come next in the order of their records, after these
 * invocations have finished.
 */
export const selectNext = (rowId: number, finished: readonly number[]) => sql<{ id: number }>`
  select distinct n.delivery_id as id
    from _invocations i cross join lateral (
           select o.delivery_id from _invocations o
            where o.function_id = i.function_id and o.order_key = i.order_key
              and o.status in ('PENDING', 'STARTED', 'RETRY')
            order by o.event_id, o.place limit 1) n
   where i.id = any (${finished}::bigint[]) and i.order_key is not null and n.delivery_id <> ${rowId}`

/** Records that a message about the row became a dead job. Creating its invocations clears this. */
export const markStuck = (id: number): Sql => sql`
  update _deliveries d set stuck_at = now() where d.id = ${id} and d.records is not null`

/** An invocation that this worker may attempt until its lease ends. */
export interface ClaimedInvocation {
  id: number
  /** The id of the function. */
  function: number
  /** The number of attempts, including this one. */
  attempts: number
  trigger_type: 'api' | 'event' | 'schedule'
  event: string | null
  /** The id of the event: the first outbox row that had it. */
  event_id: number
  function_name: string
  /** The number of the invocation in its chain of causes. */
  depth: number
  /** The text of a JSON object. */
  params: string
}

/**
 * Claims invocations that wait for an attempt, or whose lease has ended. The lease of all of them lasts as
 * long as the slowest function may take, and `graceSeconds` longer. Runs after `lockOrdered`. The array keeps
 * Postgres from selecting them once for each invocation of a site that it has no statistics of.
 */
export const claimInvocations = (id: number, limit: number, graceSeconds: number) => sql<ClaimedInvocation>`
  update _invocations i
     set status = 'STARTED', attempts = i.attempts + 1,
         leased_until = now() + make_interval(secs => ${graceSeconds} + coalesce((
           select max(f.timeout_seconds) from _functions f
            where f.id in (select unnest(d.functions) from _deliveries d where d.id = ${id})), 0))
   where i.id = any (array(
           select i.id from _invocations i
            where i.delivery_id = ${id}
              and ${isDue} and (i.order_key is null or ${isFirst} and not ${isBehind(id)})
            order by i.id limit ${limit}))
     and i.status in ('PENDING', 'RETRY', 'STARTED')
  returning i.id, i.function_id as function, i.function_name, i.attempts, i.trigger_type, i.event, i.event_id,
            i.depth, i.params::text as params`

/** A claimed attempt of an invocation. Attempts are counted from 1. */
export interface ClaimedAttempt {
  id: number
  attempt: number
}

/** Releases claimed invocations whose attempt did not start. Such an attempt does not count. */
export const releaseInvocations = (attempts: readonly ClaimedAttempt[]): Sql => sql`
  update _invocations i
     set status = case when i.attempts > 1 then 'RETRY' else 'PENDING' end, attempts = i.attempts - 1,
         leased_until = null
    from json_to_recordset(${JSON.stringify(attempts)}::json) as r (id bigint, attempt integer)
   where i.id = any (${attempts.map(({ id }) => id)}::bigint[])
      and i.id = r.id and i.attempts = r.attempt and i.status = 'STARTED'`

const unfinished = (id: number) =>
  sql`from _invocations i where i.delivery_id = ${id} and i.status in ('PENDING', 'STARTED', 'RETRY')`

/** Deletes the outbox row if all of its invocations exist and are finished. */
export const deleteRowIfDone = (id: number): Sql => sql`
  update _deliveries d set is_gone = true
   where d.id = ${id} and d.records is null and d.schedule_of is null
     and not exists (select ${unfinished(id)})`

/**
 * Sets the time when the sweep queues the row: 30 seconds after its next invocation is due, or its first
 * lease ends.
 */
export const postponeSweep = (id: number): Sql => sql`
  update _deliveries d
     set due_at = (
           select coalesce(min(case when i.status = 'STARTED' then i.leased_until else i.due_at end), now())
                  + interval '30 seconds' ${unfinished(id)})
   where d.id = ${id} and d.schedule_of is null`

/** Selects overdue outbox rows of all sites that answer, and postpones each of them by 5 minutes. */
export const takeOverdueRows = (limit: number) => sql<{ site_id: number; delivery_id: number }>`
  with due as (
    select d.site_id, d.id
      from tenant._deliveries d join public.sites s on s.id = d.site_id and s.is_active
     where d.due_at <= now() order by d.due_at limit ${limit} for update of d skip locked
  )
  update tenant._deliveries d set due_at = now() + interval '5 minutes' from due
   where d.site_id = due.site_id and d.id = due.id
  returning d.site_id, d.id as delivery_id`
