/** The SQL of the status of the service. */
import type { IndexTrial } from '../../../data/records/service.ts'
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

/** Tests whether an index would help. See public.try_index. */
export const tryIndex = ({ reads, creates }: IndexTrial) => sql<{ trial: Status['advice'][number]['trial'] }>`
  select public.try_index(${reads}, ${creates}) as trial`
