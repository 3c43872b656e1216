/** The SQL of the status of the service. */
import { isRecent } from '../../../data/records/advice/service.ts'
import { generation } from '../../../kernel/db/generation.ts'
import { isoTimestamp } from '../../../kernel/db/iso-timestamp.ts'
import { sql } from '../../../kernel/db/sql.ts'
import type { Status } from './schema.ts'

/** Selects the amounts of work that is waiting. */
export const selectQueue = sql<Status['queue']>`
  select count(*) as rows, count(*) filter (where o.due_at < now() - interval '5 minutes') as overdue,
         ${isoTimestamp(sql`min(o.due_at)`)} as oldest,
         (select coalesce(sum(m.waiting), 0)::bigint from public.site_meters m) as waiting
    from tenant._deliveries o`

export const selectFailed = sql<{ invocations: number }>`
  select coalesce(sum(m.dead_letters), 0)::bigint as invocations from public.site_meters m`

/** Selects the dead jobs by kind. */
export const selectDeadJobs = sql<Status['dead_letters']['jobs'][number]>`
  select d.kind, count(*) as count, ${isoTimestamp(sql`max(d.died_at)`)} as newest,
         (array_agg(d.error order by d.died_at desc))[1] as error
    from public.dead_jobs d group by d.kind order by d.kind`

/** Selects the sites. `max` is SITES_MAX. */
export const selectSites = (max: number) => sql<Status['sites']>`
  select (select count(*) from public.sites) as count,
         ${max}::integer as max,
         (select count(*) from public.sites s where s.exceeded is not null) as limited,
         (select count(*) from public.site_meters m where m.generation < ${generation}) as outdated,
         (select ${isoTimestamp(sql`min(m.measured_at)`)} from public.site_meters m) as measured`

/** A master key, and the data keys that it has wrapped. */
export type MasterKeyRow = Omit<Status['keys']['master'][number], 'is_current'>

export const selectMasterKeys = sql<MasterKeyRow>`
  select k.kid, count(d.site_id) as data_keys, ${isoTimestamp(sql`min(d.created_at)`)} as oldest
    from public.master_keys k left join public.data_keys d on d.master_kid = k.kid
   group by k.kid order by k.kid`

/** Selects the indexes that slow lists of all sites lack, the slowest lists first. */
export const selectAdvice = (limit: number) => sql<Status['advice'][number]>`
  select a.site_id, p.slug as app, t.name as table, a.wanted -> 'fields' as fields,
         coalesce(a.wanted ->> 'method', 'btree') as method, a.count, a.max_ms,
         case when a.cost_after is not null
              then json_build_object('cost_before', a.cost_before, 'cost_after', a.cost_after) end as trial
    from tenant._index_advice a
    join tenant._datatables t on t.site_id = a.site_id and t.id = a.datatable_id
    join tenant._apps p on p.site_id = t.site_id and p.id = t.app_id
   where ${isRecent} order by a.max_ms desc limit ${limit}`
