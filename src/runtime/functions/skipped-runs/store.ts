/** The SQL that counts skipped runs, and keeps only the newest ones as invocations. E8. */

import type { skippedRuns } from '../../../../drizzle/tenant/functions.ts'
import { columnsOf, computed, of } from '../../../kernel/db/columns.ts'
import { literal, type Sql, sql } from '../../../kernel/db/sql.ts'
import { type List, selectPage } from '../../../kernel/http/lists/list.ts'
import { listForm, type SkippedRuns, type SkippedRunsQuery } from './schema.ts'

const r = of<typeof skippedRuns>('r')

/** The number of skipped runs of a function, a reason and a day that are kept as invocations. */
const samplesMax = 20
/** The number of days for which samples of skipped runs are kept. */
const sampleDays = 7

const day = (moment: Sql): Sql => sql`(${moment} at time zone 'UTC')::date`

/** The error of a run that a paused site has skipped. */
export const pausedReason = 'The site is paused.'

/** The reason of the skipped invocation `e`: conditions leave no error. */
const reason = sql`
  case when e.error is null then 'conditions' when e.error = ${literal(pausedReason)} then 'paused'
       else 'inactive' end`

/** Counts the skipped runs among invocations that have ended. `ended` is their relation, for example a CTE. */
export const countSkipped = (ended: Sql): Sql => sql`
  insert into _skipped_runs as r (function_id, function_name, function_slug, reason, day, count)
  select e.function_id, max(e.function_name), max(e.function_slug), ${reason}, ${day(sql`now()`)}, count(*)
    from ${ended} e where e.status = 'SKIPPED' group by e.function_id, ${reason} order by 1, 4
  on conflict on constraint _skipped_runs_pkey do update
    set count = r.count + excluded.count, function_name = excluded.function_name,
        function_slug = excluded.function_slug
  returning r.function_id`

/**
 * Deletes skipped runs, which have been counted, beyond the newest ones: those of the functions that have
 * skipped some of the attempts. Undefined: none was skipped. A later statement cannot read these runs.
 */
export function trimSkipped(attempts: readonly { id: number; status: string }[]): Sql | undefined {
  const ids = attempts.flatMap(({ id, status }) => (status === 'SKIPPED' ? id : []))
  if (ids.length === 0) return undefined
  return sql`
  update _invocations i set is_gone = true from (
    select e.id, row_number() over (
             partition by e.function_id, ${reason}, ${day(sql`e.finished_at`)} order by e.id desc) as n
      from _invocations e
     where e.status = 'SKIPPED' and e.function_id in (
             select s.function_id from _invocations s where s.id = any (${ids}::bigint[]))) o
   where i.id = o.id and o.n > ${samplesMax}`
}

/** Selects the ids of skipped runs of a site that are too old to be kept. Runs as the service. */
export const oldSamples = (siteId: number): Sql => sql`
  select o.id from tenant._invocations o
   where o.site_id = ${siteId} and o.status = 'SKIPPED'
     and o.created_at < now() - make_interval(days => ${sampleDays})`

export const list: List<typeof listForm> = {
  ...listForm,
  columns: { day: sql`r.day`, count: sql`r.count` },
  last: sql`r.function_id, r.reason, r.day`,
  texts: [sql`r.function_name`, sql`r.function_slug`],
}

/** Selects a page of the counts of skipped runs. */
export const selectSkippedRuns = (query: SkippedRunsQuery) =>
  selectPage(list, query, {
    columns: columnsOf(
      r('function_id as function', 'function_name', 'function_slug', 'reason'),
      computed<Pick<SkippedRuns, 'day'>>({ day: sql`r.day::text` }),
      r('count'),
    ),
    from: sql`_skipped_runs r`,
    where: [
      ...(query.function_slug === undefined ? [] : [sql`r.function_slug = ${query.function_slug}`]),
      ...(query.reason === undefined ? [] : [sql`r.reason = ${query.reason}`]),
    ],
  })
