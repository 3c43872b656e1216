/** The SQL of the use and the limits of sites. */
import { isoTimestamp } from '../../../../kernel/db/iso-timestamp.ts'
import { type Sql, sql } from '../../../../kernel/db/sql.ts'
import { thisMonth } from '../../../../kernel/db/use.ts'
import { siteId } from '../store.ts'
import type { Measure, NewLimits } from './schema.ts'

/** The use of a site in a month. */
export interface UseRow extends Record<Measure, number> {
  month: string
  measured_at: string | null
}

/** Selects the use of a site in a month. Null: the current month. */
export const selectUse = (site: string, month: string | null) => sql<UseRow>`
  select to_char(m.first, 'YYYY-MM') as month, coalesce(u.requests, 0) as requests,
         coalesce(u.invocations, 0) as invocations, coalesce(u.emails, 0) as emails,
         coalesce(u.records, 0) as records, coalesce(u.bytes, 0) as bytes,
         (select ${isoTimestamp(sql`t.measured_at`)} from public.site_meters t
           where t.site_id = ${siteId(site)}) as measured_at
    from (select coalesce(to_date(${month}, 'YYYY-MM'), ${thisMonth}) as first) m
    left join public.site_use u on u.site_id = ${siteId(site)} and u.month = m.first`

export interface LimitRow {
  measure: Measure
  soft: number | null
  hard: number | null
}

export const selectLimits = (site: string) => sql<LimitRow>`
  select l.measure, l.soft, l.hard from public.site_limits l where l.site_id = ${siteId(site)}`

/** Replaces the limits of a site. Notices for unchanged limits are not sent again. */
export function replaceLimits(site: string, limits: NewLimits): Sql[] {
  const rows = Object.entries(limits).map(([measure, limit]) => ({ measure, ...limit }))
  const given = sql`
    json_to_recordset(${JSON.stringify(rows)}::json) as g (measure text, soft bigint, hard bigint)`
  return [
    sql`
      delete from public.site_limits l
       where l.site_id = ${siteId(site)}
         and not exists (select from ${given} where g.measure = l.measure)`,
    sql`
      insert into public.site_limits (site_id, measure, soft, hard)
      select ${siteId(site)}, g.measure, g.soft, g.hard from ${given}
      on conflict (site_id, measure) do update
        set soft = excluded.soft, hard = excluded.hard,
            told_for = case when public.site_limits.soft is not distinct from excluded.soft
                            then public.site_limits.told_for end
        where (public.site_limits.soft, public.site_limits.hard)
              is distinct from (excluded.soft, excluded.hard)`,
  ]
}

/** Identifies a notice. */
export interface NoticeKey {
  siteId: number
  measure: Measure
  /** The first day of the month. */
  month: string
  userId: number
}

/**
 * Selects notices that are due, and postpones them by a quarter of an hour, because the queue retries that
 * long.
 */
export const claimNotices = (limit: number) => sql<NoticeKey>`
  update public.limit_notices n set due_at = now() + interval '15 minutes'
    from (select x.site_id, x.measure, x.month, x.user_id from public.limit_notices x
           where x.sent_at is null and x.due_at <= now()
           order by x.due_at limit ${limit} for update skip locked) d
   where (n.site_id, n.measure, n.month, n.user_id) = (d.site_id, d.measure, d.month, d.user_id)
  returning n.site_id as "siteId", n.measure, n.month, n.user_id as "userId"`

/** Deletes the notices of months before the last one, sent or not. */
export const deleteOldNotices: Sql = sql`
  delete from public.limit_notices n where n.month < ${thisMonth} - interval '1 month'`

const ofNotice = ({ siteId, measure, month, userId }: NoticeKey): Sql => sql`
  n.site_id = ${siteId} and n.measure = ${measure} and n.month = ${month}::date and n.user_id = ${userId}`

/** The data of an e-mail. */
export interface NoticeRow {
  to: string
  site: string
  organization: string
  measure: Measure
  month: string
  soft: number
  used: number
  hard: number | null
  /** The language that the account prefers. */
  preferred: string | null
}

/** Selects the data of a notice's e-mail. No row if it was sent, or if the account is no longer active. */
export const selectNotice = (notice: NoticeKey) => sql<NoticeRow>`
  select u.email as to, s.name as site, o.name as organization, n.measure,
         to_char(n.month, 'YYYY-MM') as month,
         n.soft, n.used, l.hard, u.preferred_language as preferred
    from public.limit_notices n
    join public.users u on u.id = n.user_id and u.is_active
    join public.sites s on s.id = n.site_id
    join public.organizations o on o.id = s.organization_id
    left join public.site_limits l on l.site_id = n.site_id and l.measure = n.measure
   where ${ofNotice(notice)} and n.sent_at is null`

/** Records that the e-mail of a notice was sent. */
export const markNotice = (notice: NoticeKey): Sql =>
  sql`update public.limit_notices n set sent_at = now() where ${ofNotice(notice)}`
