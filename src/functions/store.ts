import type { Permission } from '../access/permissions.ts'
import type { TenantLocator } from '../context.ts'
import { moment } from '../db/moment.ts'
import { type Sql, sql } from '../db/sql.ts'
import { type List, selectList } from '../http/lists/list.ts'
import type { SiteKeys } from '../secrets/encryption/service.ts'
import type { RunnableFunction } from './runners/runner.ts'
import type { FunctionChange, FunctionInput, FunctionsQuery } from './schema.ts'
import { mask } from './sealed.ts'
import type { FunctionRow } from './views.ts'

/** What is shown of a function. */
const columns = sql`
  f.id, f.name, f.slug, f.description, a.name as app_name, a.slug as app_slug, f.execution_mode, f.code, f.allowed_hosts, f.webhook_url,
  f.headers, f.system_function, f.timeout_seconds, f.is_active, f.filter_conditions, ${moment(sql`f.created_at`)} as created_at, ${moment(sql`f.updated_at`)} as updated_at`

/** The columns of a RunnableFunction. */
export const runnable = sql`
  f.id, f.name, f.slug, a.slug as app, f.execution_mode, f.code, f.allowed_hosts, f.webhook_url, f.system_function, f.timeout_seconds,
  f.is_active and a.is_active as is_active, f.filter_conditions, f.uuid, f.version, f.sealed`

const inApp = (app: string) => sql`a.id = f.app_id and a.slug = ${app} and a.is_active`
const named = (app: string, slug: string) => sql`${inApp(app)} and f.slug = ${slug}`

export const selectApp = (app: string) => sql<{ id: number }>`select a.id from _apps a where a.slug = ${app} and a.is_active`

export const list: List = {
  orderings: new Map([
    ['name', sql`f.name`],
    ['slug', sql`f.slug`],
    ['execution_mode', sql`f.execution_mode`],
    ['created_at', sql`f.created_at`],
    ['updated_at', sql`f.updated_at`],
  ]),
  ordering: 'name',
  last: sql`f.id`,
  search: { texts: [sql`f.name`, sql`f.slug`], in: 'the name or the slug' },
}

export const selectFunctions = (app: string, query: FunctionsQuery): Sql[] =>
  selectList(list, query, {
    columns,
    from: sql`_functions f, _apps a`,
    where: [inApp(app), ...(query.is_active === undefined ? [] : [sql`f.is_active = ${query.is_active}`])],
  })

export const selectFunction = (app: string, slug: string) => sql<FunctionRow>`select ${columns} from _functions f, _apps a where ${named(app, slug)}`

/** `ids` is a query for them. */
export const selectRunnables = (ids: Sql) => sql<RunnableFunction>`
  select ${runnable} from _functions f join _apps a on a.id = f.app_id where f.id in (${ids})`

/** What a change of the encrypted part of a function starts from. */
export const selectSealed = (app: string, slug: string) => sql<Pick<RunnableFunction, 'execution_mode' | 'uuid' | 'version' | 'sealed'>>`
  select f.execution_mode, f.uuid, f.version, f.sealed from _functions f, _apps a where ${named(app, slug)}`

/** The keys that a site's texts are encrypted with. `site` is its id. Runs before the site is entered. */
export const selectSiteKeys = (site: Sql) => sql<SiteKeys['keys'][number]>`
  select d.version, d.master_kid as "masterKid", d.wrapped from public.data_keys d where d.site_id = ${site} order by d.version`

/** Whether the caller holds a permission in the site that the request names. Runs before the site is entered. */
export const selectHolds = ({ host, slug }: TenantLocator, caller: Sql, permission: Permission) => sql<{ holds: boolean }>`
  select public.holds(${host}, ${slug}, ${caller}, ${permission}) as holds`

/** What stands for the values of headers. */
const masked = (headers: Readonly<Record<string, string>>): string =>
  JSON.stringify(Object.fromEntries(Object.keys(headers).map((name) => [name, mask])))

/** No row where there is no such app. */
export const insertFunction = (
  userId: number,
  app: string,
  slug: string,
  input: FunctionInput,
  uuid: string,
  sealed: string | null,
) => sql<FunctionRow>`
  with f as (
    insert into _functions (app_id, name, slug, description, execution_mode, code, allowed_hosts, webhook_url, headers, system_function,
                            timeout_seconds, is_active, filter_conditions, uuid, sealed, created_by)
    select a.id, ${input.name}, ${slug}, ${input.description}, ${input.execution_mode}, ${input.code}, ${JSON.stringify(input.allowed_hosts)}::jsonb,
           ${input.webhook_url}, ${masked(input.headers)}::jsonb, ${input.system_function}, ${input.timeout_seconds}, ${input.is_active},
           ${input.filter_conditions}, ${uuid}, ${sealed}, ${userId}
      from _apps a where a.slug = ${app} and a.is_active
    returning *
  )
  select ${columns} from f join _apps a on a.id = f.app_id`

/**
 * Fields that are undefined stay as they are. Another mode becomes null, which the column refuses. No row if the encrypted
 * part has another version than the one before that of `sealed`.
 */
export const updateFunction = (userId: number, app: string, slug: string, change: FunctionChange, sealed: Resealed | null) => sql<FunctionRow>`
  with f as (
    update _functions f
       set name = coalesce(${change.name ?? null}, f.name), description = coalesce(${change.description ?? null}, f.description),
           execution_mode = case when f.execution_mode = coalesce(${change.execution_mode ?? null}, f.execution_mode) then f.execution_mode end,
           code = coalesce(${change.code ?? null}, f.code),
           allowed_hosts = coalesce(${change.allowed_hosts ? JSON.stringify(change.allowed_hosts) : null}::jsonb, f.allowed_hosts),
           webhook_url = coalesce(${change.webhook_url ?? null}, f.webhook_url),
           headers = coalesce(${change.headers ? masked(change.headers) : null}::jsonb, f.headers),
           sealed = coalesce(${sealed?.text ?? null}, f.sealed), version = coalesce(${sealed?.version ?? null}, f.version),
           system_function = coalesce(${change.system_function ?? null}, f.system_function),
           timeout_seconds = coalesce(${change.timeout_seconds ?? null}, f.timeout_seconds),
           is_active = coalesce(${change.is_active ?? null}, f.is_active),
           filter_conditions = coalesce(${change.filter_conditions ?? null}, f.filter_conditions),
           updated_at = now(), modified_by = ${userId}
      from _apps a where ${named(app, slug)} and f.version = ${sealed ? sql`${sealed.version - 1}` : sql`f.version`}
    returning f.*
  )
  select ${columns} from f join _apps a on a.id = f.app_id`

/** The encrypted part of a function, and its version. */
export interface Resealed {
  text: string
  version: number
}

export const deleteFunction = (app: string, slug: string) => sql<{ id: number }>`
  delete from _functions f using _apps a where ${named(app, slug)} returning f.id`
