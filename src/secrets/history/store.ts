/** The SQL of the history of secrets. K7. */

import { aggregateWithin, jsonMeasure } from '../../kernel/db/answer-size.ts'
import { type Sql, sql } from '../../kernel/db/sql.ts'
import { type List, matching, orderOf, pageSql } from '../../kernel/http/lists/list.ts'
import { type HistoryQuery, listForm, type SecretHistory } from './schema.ts'

/** The two columns of the user who makes a change: id and name. Valid after public.introduce. */
export const actor = (userId: number): Sql => sql`${userId}::bigint, current_setting('tessera.username')`

/** The list of changes. */
export const list: List<typeof listForm> = {
  ...listForm,
  columns: {
    timestamp: sql`own.timestamp`,
  },
  last: sql`own.id desc`,
  texts: [sql`own.username`, sql`own.key`],
}

/** An ISO 8601 timestamp in UTC, as a pattern of to_char. */
const isoTimestamp = 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'

type HistoryRow = Pick<SecretHistory, 'app' | 'total_count' | 'results'>

/** The changes of a page. Fails before their JSON is made if it would be too long. */
const changesWithin = aggregateWithin(
  sql`
    json_agg(json_build_object(
               'action', p.action, 'user', p.username, 'timestamp', to_char(p.timestamp, ${isoTimestamp}),
               'key', p.key, 'changes', p.changes) order by p.place)`,
  { measure: jsonMeasure(sql`p.changes`), rows: 100 },
)

/**
 * Selects a page of the history of a key: at the level of the app if the key has a history there, otherwise
 * at the level of the site. Includes the earlier keys of the secret that has the key, or had it last. Returns
 * no row if the key never existed.
 */
export const selectHistory = (key: string, app: string | null, query: HistoryQuery) => sql<HistoryRow>`
  with level as (
    select l.app_id, l.slug
      from (select a.id as app_id, a.slug from _apps a where a.slug = ${app} and a.is_active
            union all select null, null) l
     where exists (select from _secret_history h
                    where h.key = ${key} and h.app_id is not distinct from l.app_id)
     order by l.app_id is null limit 1
  ), last as (
    select h.secret_id from _secret_history h, level l
     where h.key = ${key} and h.app_id is not distinct from l.app_id
     order by h.id desc limit 1
  ), renamed as (
    select last.secret_id from last
     where ${key} = (select n.key from _secret_history n
                      where n.secret_id = last.secret_id order by n.id desc limit 1)
  ), own as (
    select h.* from _secret_history h, level l
     where h.key = ${key} and h.app_id is not distinct from l.app_id
    union all
    select h.* from _secret_history h join renamed on renamed.secret_id = h.secret_id
     where h.key <> ${key} and h.changes -> 'key' ->> 'new' is distinct from ${key}
  )
  select level.slug as app,
         (select count(*) from own where ${matching(list, query, [])}) as total_count,
         (select coalesce(${changesWithin}, '[]')
            from (select own.*, row_number() over (order by ${orderOf(list, query)}) as place
                    from own where ${matching(list, query, [])} ${pageSql(list, query)}) p) as results
    from level`
