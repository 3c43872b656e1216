/**
 * Counts the use of sites: requests and invocations. They are counted in memory, and stored together a few
 * seconds later, after the answers, so that no request waits.
 */
import type { Config } from '../env.ts'
import { type Background, Collector } from '../lib/collector.ts'
import { describeFailure, log } from '../lib/log.ts'
import { openDatabase } from './client.ts'
import { type Sql, sql } from './sql.ts'

/** The use that is counted in memory. */
type Counted = 'requests' | 'invocations'
type Counts = Record<Counted, number>
type UseConfig = Pick<Config, 'DATABASE_URL' | 'NEON_ENDPOINT' | 'USE_FLUSH_SECONDS'>

/** The counts for a database that are not stored yet, by the id of the site. */
interface Uncommitted {
  bySite: Map<number, Counts>
  collector: Collector
}

/** The number of sites that one transaction stores. */
const sitesMax = 1_000
const deadlineMs = 10_000

const byDatabase = new Map<string, Uncommitted>()

function uncommittedOf(config: UseConfig): Uncommitted {
  const known = byDatabase.get(config.DATABASE_URL)
  if (known) return known
  const made = { bySite: new Map(), collector: new Collector(() => storeUse(config)) }
  byDatabase.set(config.DATABASE_URL, made)
  return made
}

/** Counts one request or invocation of a site. USE_FLUSH_SECONDS=0: nothing is counted. */
export function countUse(config: UseConfig, siteId: number, counted: Counted): void {
  if (config.USE_FLUSH_SECONDS > 0) add(uncommittedOf(config).bySite, siteId, { [counted]: 1 })
}

function add(
  bySite: Map<number, Counts>,
  siteId: number,
  { requests = 0, invocations = 0 }: Partial<Counts>,
): void {
  const before = bySite.get(siteId)
  bySite.set(siteId, {
    requests: (before?.requests ?? 0) + requests,
    invocations: (before?.invocations ?? 0) + invocations,
  })
}

/** Ensures that the counts are stored within USE_FLUSH_SECONDS. */
export function storeUseSoon(config: UseConfig, background: Background): void {
  const { bySite, collector } = uncommittedOf(config)
  if (bySite.size > 0) collector.sendSoon(background, config.USE_FLUSH_SECONDS * 1000)
}

/**
 * Stores the counts, and compares the sites that have limits with them. Counts that cannot be stored are kept
 * for the next time, also those of a site that another transaction locks. Never rejects.
 */
export async function storeUse(config: UseConfig): Promise<void> {
  const { bySite } = uncommittedOf(config)
  const kept: (readonly [siteId: number, Counts])[] = []
  while (bySite.size > 0) {
    const taken = [...bySite].slice(0, sitesMax)
    for (const [siteId] of taken) bySite.delete(siteId)
    try {
      const rows = taken.map(([siteId, counts]) => ({ site_id: siteId, ...counts }))
      const { locked, told } = await openDatabase(config).batch(
        { locked: insertUse(rows), told: judgeUse(taken.map(([siteId]) => siteId)) },
        deadlineMs,
      )
      const ids = new Set(locked.all.map(({ site_id }) => site_id))
      kept.push(...taken.filter(([siteId]) => ids.has(siteId)))
      logReached(told.all)
    } catch (error) {
      kept.push(...taken)
      log({ level: 'error', use: 'not stored', ...describeFailure(error, false) })
      break
    }
  }
  for (const [siteId, counts] of kept) add(bySite, siteId, counts)
}

/** The first day of the current month. */
export const thisMonth: Sql = sql`date_trunc('month', now() at time zone 'UTC')::date`

/**
 * Adds to the use of sites. Returns the sites that it leaves out because another transaction locks them:
 * waiting would delay the others. Sites that have been erased are left out, too.
 */
const insertUse = (rows: readonly ({ site_id: number } & Counts)[]) => sql<{ site_id: number }>`
  with counted as (
    select * from json_to_recordset(${JSON.stringify(rows)}::json) as c (
      site_id bigint, requests bigint, invocations bigint)
  ), free as (
    select s.id from public.sites s where s.id in (select c.site_id from counted c)
     order by s.id for key share skip locked
  ), stored as (
    insert into public.site_use (site_id, month, requests, invocations)
    select c.site_id, ${thisMonth}, c.requests, c.invocations
      from counted c join free on free.id = c.site_id order by c.site_id
    on conflict (site_id, month) do update
      set requests = public.site_use.requests + excluded.requests,
          invocations = public.site_use.invocations + excluded.invocations
  )
  select c.site_id from counted c join public.sites s on s.id = c.site_id
   where c.site_id not in (select id from free)`

/** A soft limit that a site has reached for the first time this month. */
export interface SoftLimitReached {
  site_id: number
  measure: string
}

/**
 * Compares the use of sites with their limits. Returns the soft limits that were reached now. A site that
 * another transaction changes, for example its schema, is compared the next time: it would delay the others.
 */
export const judgeUse = (siteIds: readonly number[]) => sql<SoftLimitReached>`
  select l.id as site_id, j.measure
    from (select s.id from public.sites s
           where s.id = any (${siteIds}::bigint[])
             and exists (select from public.site_limits l where l.site_id = s.id)
             for no key update skip locked) l
   cross join lateral public.judge_use(l.id) j (measure)
   order by l.id, j.measure`

/** Compares the use of a site with its limits, as `judgeUse` does. Null: no site. */
export const judgeUseOf = (site: string | null) => sql<SoftLimitReached>`
  select s.id as site_id, j.measure
    from public.sites s cross join lateral public.judge_use(s.id) j (measure)
   where s.slug = ${site}`

/** Logs the soft limits that were reached now. */
export function logReached(told: readonly SoftLimitReached[]): void {
  for (const { site_id, measure } of told) log({ level: 'warn', soft_limit: measure, site: site_id })
}

/** Counts one e-mail of a site. Null: the e-mail belongs to no site. */
export const countEmail = (site: string | null): Sql => sql`
  insert into public.site_use (site_id, month, emails)
  select s.id, ${thisMonth}, 1 from public.sites s where s.slug = ${site}
  on conflict (site_id, month) do update set emails = public.site_use.emails + 1`
