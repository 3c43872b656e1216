import { type Sql, sql } from '../db/sql.ts'
import type { FunctionChange, FunctionInput } from './schema.ts'

/** What is shown of a function. */
const columns = sql`
  f.id, f.name, f.slug, f.description, a.name as app_name, a.slug as app_slug, f.execution_mode, f.code, f.allowed_hosts, f.system_function,
  f.timeout_seconds, f.is_active, f.filter_conditions, f.created_at, f.updated_at`

/** What a run of it needs: a RunnableFunction. */
export const runnable = sql`
  f.id, f.name, f.slug, a.slug as app, f.execution_mode, f.code, f.allowed_hosts, f.system_function, f.timeout_seconds,
  f.is_active and a.is_active as is_active, f.filter_conditions`

const inApp = (app: string) => sql`a.id = f.app_id and a.slug = ${app} and a.is_active`
const named = (app: string, slug: string) => sql`${inApp(app)} and f.slug = ${slug}`

export const selectApp = (app: string): Sql => sql`select a.id from _apps a where a.slug = ${app} and a.is_active`

export const countFunctions = (app: string): Sql => sql`select count(*) as count from _functions f, _apps a where ${inApp(app)}`

export const selectFunctions = (app: string, limit: number, offset: number): Sql => sql`
  select ${columns} from _functions f, _apps a where ${inApp(app)} order by f.name, f.id limit ${limit} offset ${offset}`

export const selectFunction = (app: string, slug: string): Sql => sql`select ${columns} from _functions f, _apps a where ${named(app, slug)}`

/** `ids` is a query for them. */
export const selectRunnables = (ids: Sql): Sql => sql`
  select ${runnable} from _functions f join _apps a on a.id = f.app_id where f.id in (${ids})`

/** No row where there is no such app. */
export const insertFunction = (userId: number, app: string, slug: string, input: FunctionInput): Sql => sql`
  with f as (
    insert into _functions (app_id, name, slug, description, execution_mode, code, allowed_hosts, system_function, timeout_seconds, is_active,
                            filter_conditions, uuid, created_by)
    select a.id, ${input.name}, ${slug}, ${input.description}, ${input.execution_mode}, ${input.code}, ${JSON.stringify(input.allowed_hosts)}::jsonb,
           ${input.system_function}, ${input.timeout_seconds}, ${input.is_active}, ${input.filter_conditions}, gen_random_uuid(), ${userId}
      from _apps a where a.slug = ${app} and a.is_active
    returning *
  )
  select ${columns} from f join _apps a on a.id = f.app_id`

/** What is undefined stays. Another mode is null, which the column does not take. */
export const updateFunction = (userId: number, app: string, slug: string, change: FunctionChange): Sql => sql`
  with f as (
    update _functions f
       set name = coalesce(${change.name ?? null}, f.name), description = coalesce(${change.description ?? null}, f.description),
           execution_mode = case when f.execution_mode = coalesce(${change.execution_mode ?? null}, f.execution_mode) then f.execution_mode end,
           code = coalesce(${change.code ?? null}, f.code),
           allowed_hosts = coalesce(${change.allowed_hosts ? JSON.stringify(change.allowed_hosts) : null}::jsonb, f.allowed_hosts),
           system_function = coalesce(${change.system_function ?? null}, f.system_function),
           timeout_seconds = coalesce(${change.timeout_seconds ?? null}, f.timeout_seconds),
           is_active = coalesce(${change.is_active ?? null}, f.is_active),
           filter_conditions = coalesce(${change.filter_conditions ?? null}, f.filter_conditions),
           updated_at = now(), modified_by = ${userId}
      from _apps a where ${named(app, slug)}
    returning f.*
  )
  select ${columns} from f join _apps a on a.id = f.app_id`

export const deleteFunction = (app: string, slug: string): Sql => sql`delete from _functions f using _apps a where ${named(app, slug)} returning f.id`
