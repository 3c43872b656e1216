import type { Deliver } from '../../db/deliveries.ts'
import { identifier, type Sql, sql } from '../../db/sql.ts'
import type { RunUser } from '../../functions/runners/service.ts'

/** Who was the cause of a delivery. Runs before its site is entered: accounts are out of a tenant's reach. */
export const selectCause = ({ siteId, deliveryId }: Deliver) => sql<RunUser>`
  select u.id, u.username, u.email
    from ${identifier(`site_${siteId}`)}._deliveries d join public.users u on u.id = d.user_id where d.id = ${deliveryId}`

/** Whoever works at a delivery takes its row first, so that what two find out of it does not overlap. */
export const lockDelivery = (id: number) => sql<{ id: number }>`select d.id, d.functions from _deliveries d where d.id = ${id} for update`

/** The record's key as it is written in paths; that of one field which is no text, as it stands in the record. R7. */
const recordId = sql`
  case when cardinality(d.key) = 1 and json_typeof(r.record -> d.key[1]) <> 'string' then r.record -> d.key[1]
       else to_json(tessera.written_key(
              (select array_agg(r.record ->> k.name order by k.place) from unnest(d.key) with ordinality k (name, place)))) end`

/** RECORD_CREATE's parameters, and those of its like. Spec: Events, rule 4; E1. */
const recordParams = sql`
  case when d.previous is null
       then json_build_object('type', d.event, 'app_slug', d.app_slug, 'datatable', d.datatable, 'record_id', ${recordId}, 'data', r.record)
       else json_build_object('type', d.event, 'app_slug', d.app_slug, 'datatable', d.datatable, 'record_id', ${recordId}, 'data', r.record,
                              'previous', p.record) end`

/** Makes invocations of what happened to records, one for each record and function: so many at once, until all are made. */
export const expandDelivery = (id: number, invocationsMax: number): Sql => sql`
  with d as (
    select d.*, d.expanded + greatest(1, ${invocationsMax}::integer / cardinality(d.functions)) as until, json_array_length(d.records::json) as count
      from _deliveries d where d.id = ${id} and d.records is not null
  ), made as (
    insert into _invocations (delivery_id, event_id, place, function_id, function_name, function_slug, trigger_type, event, status, params, user_id, due_at)
    select d.id, d.id, r.place, f.id, f.name, f.slug, 'event', d.event, 'PENDING', ${recordParams}, d.user_id, now()
      from d cross join json_array_elements(d.records::json) with ordinality r (record, place)
      left join json_array_elements(d.previous::json) with ordinality p (record, place) on p.place = r.place
      join _functions f on f.id = any (d.functions)
     where r.place > d.expanded and r.place <= d.until
     order by r.place, f.id
    on conflict do nothing
  )
  update _deliveries u
     set expanded = d.until, records = case when d.until < d.count then d.records end, previous = case when d.until < d.count then d.previous end
    from d where u.id = d.id returning u.id`

/** What is lost with whoever ran it: an event's run is repeated, a request's is not. */
export const loseRequested = (id: number): Sql => sql`
  update _invocations i
     set status = 'FAILURE', error = 'The run was interrupted.', finished_at = clock_timestamp(), leased_until = null
   where i.delivery_id = ${id} and i.status = 'STARTED' and i.leased_until < now() and i.trigger_type = 'api'`

export interface ClaimedRow {
  id: number
  function: number
  attempts: number
  trigger_type: 'api' | 'event' | 'schedule'
  event: string | null
  params: string
}

/** Takes runs that wait, or that whoever took them has lost: until the lease ends they are nobody else's. What is taken together may last as long as the slowest of it. */
export const claimRuns = (id: number, limit: number, graceSeconds: number) => sql<ClaimedRow>`
  with picked as (
    select i.id from _invocations i
     where i.delivery_id = ${id}
       and (i.status in ('PENDING', 'RETRY') and i.due_at <= now() or i.status = 'STARTED' and i.leased_until < now())
     order by i.id limit ${limit}
  )
  update _invocations i
     set status = 'STARTED', attempts = i.attempts + 1,
         leased_until = now() + make_interval(secs => ${graceSeconds} + coalesce((
           select max(f.timeout_seconds) from _functions f where f.id in (select unnest(d.functions) from _deliveries d where d.id = ${id})), 0))
    from picked where i.id = picked.id and i.status in ('PENDING', 'RETRY', 'STARTED')
  returning i.id, i.function_id as function, i.attempts, i.trigger_type, i.event, i.params::text as params`

/** Gives back what was taken and not begun. */
export const releaseRuns = (runs: readonly { id: number; attempt: number }[]): Sql => sql`
  update _invocations i
     set status = case when i.attempts > 1 then 'RETRY' else 'PENDING' end, attempts = i.attempts - 1, leased_until = null
    from json_to_recordset(${JSON.stringify(runs)}::json) as r (id bigint, attempt integer)
   where i.id = r.id and i.attempts = r.attempt and i.status = 'STARTED'`

const open = (id: number) => sql`from _invocations i where i.delivery_id = ${id} and i.status in ('PENDING', 'STARTED', 'RETRY')`

export const deleteIfDone = (id: number): Sql => sql`
  delete from _deliveries d where d.id = ${id} and d.records is null and not exists (select ${open(id)})`

/** Says when the sweep is to look: a while after a run is due, or is lost with whoever runs it. */
export const lookAgain = (id: number): Sql => sql`
  update _deliveries d
     set due_at = (select coalesce(min(case when i.status = 'STARTED' then i.leased_until else i.due_at end), now()) + interval '30 seconds' ${open(id)})
   where d.id = ${id}`

/** Deliveries that are due, of whatever site; each is left alone from then on for some minutes. */
export const takeDue = (limit: number) => sql<{ site_id: number; delivery_id: number }>`
  with due as (
    select o.site_id, o.delivery_id from public.outbox o where o.due_at <= now() order by o.due_at limit ${limit} for update skip locked
  )
  update public.outbox o set due_at = now() + interval '5 minutes' from due
   where o.site_id = due.site_id and o.delivery_id = due.delivery_id
  returning o.site_id, o.delivery_id`
