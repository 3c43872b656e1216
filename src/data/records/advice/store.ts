/** The SQL of advice about indexes: tenant._index_advice. */
import type { indexAdvice } from '../../../../drizzle/tenant/apps.ts'
import { columnsOf, computed, of } from '../../../kernel/db/columns.ts'
import { type Sql, sql } from '../../../kernel/db/sql.ts'
import type { IndexTrial } from './index-trial.ts'
import type { IndexAdvice, WantedIndex } from './schema.ts'

const a = of<typeof indexAdvice>('a')

/** How long an index is advised after the last slow list. */
const days = 7
/** The most indexes that are kept for a site, whatever its clients sort and filter by. */
const siteMax = 200
/** The most indexes that are advised for a table. */
const tableMax = 20

/** The slow lists that an index would have made fast. */
export interface Slowness {
  count: number
  maxMs: number
}

/**
 * Stores that lists of a table lacked an index, unless Postgres would not use it. Deletes what was not lacked
 * for a week. Runs as the service.
 */
export const saveAdvice = (
  { siteId, datatableId }: { siteId: number; datatableId: number },
  wanted: WantedIndex,
  { count, maxMs }: Slowness,
  trial: IndexTrial | undefined,
): Sql => sql`
  with gone as (
    delete from tenant._index_advice g
     where g.site_id = ${siteId} and g.seen_at < now() - make_interval(days => ${days})
  ), tried as materialized (
    select ${trial ? sql`public.try_index(${trial.reads}, ${trial.creates})` : sql`null::json`} as trial
  )
  insert into tenant._index_advice as a
    (site_id, datatable_id, wanted, count, max_ms, cost_before, cost_after)
  select ${siteId}, ${datatableId}, ${JSON.stringify(wanted)}::jsonb, ${count}, ${maxMs},
         (t.trial ->> 'cost_before')::float8, (t.trial ->> 'cost_after')::float8
    from tried t
   where (t.trial ->> 'is_used')::boolean is not false
     and (select count(*) from tenant._index_advice o where o.site_id = ${siteId}) < ${siteMax}
  on conflict on constraint _index_advice_pkey do update
    set count = a.count + excluded.count, max_ms = greatest(a.max_ms, excluded.max_ms),
        cost_before = excluded.cost_before, cost_after = excluded.cost_after, seen_at = now()
  returning a.datatable_id`

/** Whether the index of a row `a` was lacked in the last week. */
export const isRecent = sql`a.seen_at > now() - make_interval(days => ${days})`

/** Selects the advice for a table, the slowest lists first. */
export const selectAdvice = (datatableId: number) => sql`
  select ${columnsOf(
    a('wanted', 'count', 'max_ms'),
    a.times('seen_at'),
    computed<Pick<IndexAdvice, 'trial'>>({
      trial: sql`case when a.cost_after is not null
                      then json_build_object('cost_before', a.cost_before, 'cost_after', a.cost_after) end`,
    }),
  )}
    from _index_advice a
   where a.datatable_id = ${datatableId} and ${isRecent}
   order by a.max_ms desc, a.wanted limit ${tableMax}`
