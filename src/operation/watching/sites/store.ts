/** The SQL that measures sites, and removes old invocations. */
import { join, type Sql, sql } from '../../../kernel/db/sql.ts'
import { thisMonth } from '../../../kernel/db/use.ts'
import { oldSamples } from '../../../runtime/functions/invocations/service.ts'

/**
 * Selects sites that are due, and does not select them again until later. Sites with limits are due more
 * often.
 */
export const claimSites = (limit: number) => sql<{ site_id: number }>`
  with due as (
    select m.site_id from public.site_meters m
     where m.due_at <= now() order by m.due_at limit ${limit} for update skip locked
  )
  update public.site_meters m
     set due_at = now() + case when exists (select from public.site_limits l where l.site_id = m.site_id)
                               then interval '15 minutes' else interval '6 hours' end
    from due where m.site_id = due.site_id
  returning m.site_id`

/** A table of a site, with its approximate number of records. */
export interface StoredTable {
  physical_table_name: string
  estimate: number
}

/** Selects the tables of a site that have records. */
export const selectTables = sql<StoredTable>`
  select t.physical_table_name,
         greatest(c.reltuples, pg_catalog.pg_stat_get_live_tuples(c.oid), 0)::bigint as estimate
    from _datatables t
    join pg_catalog.pg_class c on c.relname = t.physical_table_name
                              and c.relnamespace = to_regnamespace(tessera.own_schema())
   where t.is_materialized`

/** Selects the bytes of a site in the tables of the service: public.shared_bytes. Runs as the service. */
export const selectSharedBytes = (siteId: number) => sql<{ bytes: number }>`
  select public.shared_bytes(${siteId}) as bytes`

/**
 * Selects the bytes of a site's own tables, and the numbers of its invocations that have failed or are
 * waiting. An index of pg_depend finds the tables. pg_class contains the tables of all sites and has no index
 * on their schema.
 */
export const selectSizes = sql<{ bytes: number; dead_letters: number; waiting: number }>`
  select (select coalesce(sum(pg_catalog.pg_total_relation_size(c.oid)), 0)::bigint
            from pg_catalog.pg_depend d join pg_catalog.pg_class c on c.oid = d.objid and c.relkind = 'r'
           where d.refclassid = 'pg_catalog.pg_namespace'::regclass
             and d.refobjid = to_regnamespace(tessera.own_schema())
             and d.classid = 'pg_catalog.pg_class'::regclass) as bytes,
         (select count(*) from _invocations i where i.status = 'FAILURE') as dead_letters,
         (select count(*) from _invocations i where i.status in ('PENDING', 'STARTED', 'RETRY')) as waiting`

/** Counts the rows of tables. */
export const countRows = (relations: readonly Sql[]) => sql<{ count: number }>`
  select coalesce(sum(r.count), 0)::bigint as count
    from (${join(
      relations.map((relation) => sql`select count(*) as count from ${relation}`),
      sql` union all `,
    )}) r`

/** The amounts that a site stores. */
export interface Measured {
  records: number
  bytes: number
  dead_letters: number
  waiting: number
}

/** The bytes that a site stores outside its schema: the archives of its transfers. */
const archiveBytes = (siteId: number): Sql => sql`
  (select coalesce(sum(octet_length(p.content)), 0) from public.transfer_parts p
     join public.transfers t on t.id = p.transfer_id where t.site_id = ${siteId})`

/** Stores the measured amounts of a site, and their maximum in the month. Runs as the service. */
export const noteMeasured = (siteId: number, measured: Measured): Sql[] => [
  sql`
    update public.site_meters m
       set records = ${measured.records}, bytes = ${measured.bytes} + ${archiveBytes(siteId)},
           dead_letters = ${measured.dead_letters}, waiting = ${measured.waiting}, measured_at = now()
     where m.site_id = ${siteId}`,
  sql`
    insert into public.site_use (site_id, month, records, bytes)
    select s.id, ${thisMonth}, ${measured.records}, ${measured.bytes} + ${archiveBytes(siteId)}
      from public.sites s where s.id = ${siteId}
    on conflict (site_id, month) do update
      set records = greatest(public.site_use.records, excluded.records),
          bytes = greatest(public.site_use.bytes, excluded.bytes)`,
]

/**
 * Deletes finished invocations of a site that are older than `days`, the oldest first and `limit` at most,
 * skipped ones that are too old, and the counts of skipped ones that are older than `days`. Runs as the
 * service.
 */
export const deleteInvocations = (siteId: number, days: number, limit: number) => sql<{ id: number }>`
  with counted as (
    delete from tenant._skipped_runs r where r.site_id = ${siteId} and r.day < current_date - ${days}::integer
  ), written as (
    delete from tenant._mails m where m.site_id = ${siteId} and m.id = any (array(
      select o.id from tenant._mails o
       where o.site_id = ${siteId} and o.created_at < now() - make_interval(days => ${days})
       order by o.created_at limit ${limit}))
  )
  delete from tenant._invocations i
   where i.site_id = ${siteId} and i.id = any (array(
     (select o.id from tenant._invocations o
       where o.site_id = ${siteId} and o.created_at < now() - make_interval(days => ${days})
         and o.status in ('SUCCESS', 'FAILURE', 'SKIPPED')
       order by o.created_at limit ${limit})
     union all (${oldSamples(siteId)} limit ${limit})))
  returning i.id`

/** Selects the time up to which logs have been removed. Runs as the service. */
export const selectLogsUntil = (siteId: number) => sql<{ logs_until: string }>`
  select m.logs_until::text as logs_until from public.site_meters m where m.site_id = ${siteId}`

/**
 * Removes the logs of finished invocations that are older than `days`, beginning at `from`, the oldest first.
 * Returns the time up to which no logs are left, and the number of examined invocations.
 */
export const removeLogs = (from: string, days: number, limit: number) => sql<{ until: string; seen: number }>`
  with old as (
    select i.id, i.created_at from _invocations i
     where i.created_at > ${from}::timestamptz and i.created_at < now() - make_interval(days => ${days})
     order by i.created_at limit ${limit}
  ), removed as (
    update _invocations i set logs = '[]' from old
     where i.id = old.id and i.logs::text <> '[]' and i.status in ('SUCCESS', 'FAILURE', 'SKIPPED')
  )
  select coalesce(max(o.created_at), ${from}::timestamptz)::text as until, count(*) as seen from old o`

/** Stores the time up to which logs have been removed. Runs as the service. */
export const noteLogsUntil = (siteId: number, until: string): Sql => sql`
  update public.site_meters m set logs_until = ${until}::timestamptz where m.site_id = ${siteId}`
