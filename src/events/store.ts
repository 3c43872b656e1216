import { moment } from '../db/moment.ts'
import { type Sql, sql } from '../db/sql.ts'
import { type List, type ListQuery, selectList } from '../http/lists/list.ts'
import type { AppEvent, Subscriber } from './schema.ts'

const functionOf = (id: number) => sql`
  select f.id, f.name, f.slug, a.name as app_name, a.slug as app_slug from _functions f join _apps a on a.id = f.app_id where f.id = ${id} and a.is_active`

/** No row where there is no such function. */
export const insertSubscriber = (event: string, functionId: number) => sql<Subscriber>`
  with f as (${functionOf(functionId)}), s as (
    insert into _subscribers (event, function_id) select ${event}, f.id from f returning *
  )
  select s.id, s.event, s.function_id as function, f.name as function_name, f.slug as function_slug, f.app_name, f.app_slug, ${moment(sql`s.created_at`)} as created_at, ${moment(sql`s.updated_at`)} as updated_at
    from s, f`

export const selectFunctionId = (id: number) => sql<{ id: number }>`select f.id from (${functionOf(id)}) f`

export const deleteSubscriber = (event: string, functionId: number) => sql<{ id: number }>`
  delete from _subscribers s where s.event = ${event} and s.function_id = ${functionId} returning s.id`

export const selectApp = (slug: string) => sql<AppEvent['app']>`select a.id, a.name, a.slug from _apps a where a.slug = ${slug} and a.is_active`

export const list: List = {
  orderings: new Map([
    ['subscriber_id', sql`s.id`],
    ['function_name', sql`f.name`],
    ['function_slug', sql`f.slug`],
    ['created_at', sql`s.created_at`],
  ]),
  ordering: 'subscriber_id',
  last: sql`s.id`,
  search: { texts: [sql`f.name`, sql`f.slug`], in: 'the name or the slug of the function' },
  isWhole: true,
}

export const selectSubscribers = (app: string, event: string, query: ListQuery): Sql[] =>
  selectList(list, query, {
    columns: sql`
      s.id as subscriber_id, s.event, f.id as function_id, f.name as function_name, f.slug as function_slug, a.id as app_id, a.name as app_name,
         a.slug as app_slug, ${moment(sql`s.created_at`)} as created_at, f.filter_conditions`,
    from: sql`_subscribers s join _functions f on f.id = s.function_id join _apps a on a.id = f.app_id`,
    where: [sql`a.slug = ${app}`, sql`a.is_active`, sql`s.event = ${event}`],
  })
