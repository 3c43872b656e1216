/** The SQL of subscriptions. */

import type { apps } from '../../../drizzle/tenant/apps.ts'
import type { functions, subscribers } from '../../../drizzle/tenant/functions.ts'
import { columnsOf, computed, of } from '../../kernel/db/columns.ts'
import { isoTimestamp } from '../../kernel/db/iso-timestamp.ts'
import { sql } from '../../kernel/db/sql.ts'
import { type List, type ListQuery, selectPage } from '../../kernel/http/lists/list.ts'
import { type AppEvent, type AppSubscriber, listForm, type Subscriber } from './schema.ts'

const s = of<typeof subscribers>('s')
const f = of<typeof functions>('f')
const a = of<typeof apps>('a')

const functionOf = (id: number) => sql`
  select f.id, f.name, f.slug, a.id as app_id, a.name as app_name, a.slug as app_slug
    from _functions f join _apps a on a.id = f.app_id where f.id = ${id} and a.is_active`

/** The names of the tables of the subscription `s`; null if it is for all tables. */
export const tableNames = sql`
  case when s.tables is not null then (
    select coalesce(json_agg(t.name order by t.name), '[]')
      from _datatables t where t.id = any (s.tables)) end`

/** Selects those of the names that are no tables of a function's app; none for an unknown function. */
export const selectUnknownTables = (functionId: number, names: readonly string[]) => sql<{ name: string }>`
  select n.name from (${functionOf(functionId)}) f, unnest(${names}::text[]) n (name)
   where not exists (select from _datatables t where t.app_id = f.app_id and t.name = n.name)`

/**
 * Inserts a subscription, for all tables or for those with the names. Returns no row if there is no such
 * function, or if its app lacks one of the tables. Locks the function and its app, so
 * that nobody switches them off at the same moment (public.keep_guards).
 */
export const insertSubscriber = (
  event: string,
  functionId: number,
  names: readonly string[] | null,
) => sql<Subscriber>`
  with f as (${functionOf(functionId)} for share), s as (
    insert into _subscribers (event, function_id, tables)
    select ${event}, f.id, t.ids
      from f cross join lateral (
             select case when ${names}::text[] is not null then array_agg(t.id order by t.id) end as ids,
                    array_agg(t.name) as names
               from _datatables t where t.app_id = f.app_id and t.name = any (${names}::text[])) t
     where ${names}::text[] is null or t.names @> ${names}::text[]
    returning *
  )
  select s.id, s.event, s.function_id as function, f.name as function_name, f.slug as function_slug,
         f.app_name, f.app_slug, ${tableNames} as tables, ${isoTimestamp(sql`s.created_at`)} as created_at,
         ${isoTimestamp(sql`s.updated_at`)} as updated_at
    from s, f`

/** Selects a function of the site. */
export const selectFunctionId = (id: number) => sql<{ id: number }>`select f.id from (${functionOf(id)}) f`

/** Deletes a subscription. Returns no row if there is none. */
export const deleteSubscriber = (event: string, functionId: number) => sql<{ id: number }>`
  update _subscribers s set is_gone = true
   where s.event = ${event} and s.function_id = ${functionId} returning s.id`

/** Selects an active app. */
export const selectApp = (slug: string) =>
  sql<AppEvent['app']>`select a.id, a.name, a.slug from _apps a where a.slug = ${slug} and a.is_active`

/** The list of the subscribers of an event in an app. */
const list: List<typeof listForm> = {
  ...listForm,
  columns: {
    subscriber_id: sql`s.id`,
    function_name: sql`f.name`,
    function_slug: sql`f.slug`,
    created_at: sql`s.created_at`,
  },
  last: sql`s.id`,
  texts: [sql`f.name`, sql`f.slug`],
}

export const selectSubscribers = (app: string, event: string, query: ListQuery) =>
  selectPage(list, query, {
    columns: columnsOf(
      s('id as subscriber_id', 'event'),
      f('id as function_id', 'name as function_name', 'slug as function_slug'),
      a('id as app_id', 'name as app_name', 'slug as app_slug'),
      computed<Pick<AppSubscriber, 'tables'>>({ tables: tableNames }),
      s.times('created_at'),
      f('filter_conditions'),
    ),
    from: sql`_subscribers s join _functions f on f.id = s.function_id join _apps a on a.id = f.app_id`,
    where: [sql`a.slug = ${app}`, sql`a.is_active`, sql`s.event = ${event}`],
  })
