/** The SQL of functions. E2. */

import type { apps } from '../../../drizzle/tenant/apps.ts'
import type { functions } from '../../../drizzle/tenant/functions.ts'
import type { TenantLocator } from '../../kernel/context.ts'
import { columnsOf, computed, of } from '../../kernel/db/columns.ts'
import { type Sql, sql } from '../../kernel/db/sql.ts'
import { type List, selectPage } from '../../kernel/http/lists/list.ts'
import type { Permission } from '../../kernel/permissions.ts'
import type { SiteKeys } from '../../secrets/encryption/service.ts'
import { mask } from './function-secrets.ts'
import type { RunnableFunction } from './runners/runner.ts'
import { type FunctionChange, type FunctionInput, type FunctionsQuery, listForm } from './schema.ts'

const f = of<typeof functions>('f')
const a = of<typeof apps>('a')

/** The columns of a FunctionRow. */
export const columns = columnsOf(
  f('id', 'name', 'slug', 'description'),
  a('name as app_name', 'slug as app_slug'),
  f(
    'execution_mode',
    'code',
    'allowed_hosts',
    'webhook_url',
    'headers',
    'system_function',
    'timeout_seconds',
    'is_active',
    'filter_conditions',
    'runs_as as as',
    'schedule',
    'schedule_zone',
    'ordering',
    'secrets',
    'variables',
  ),
  f.times('created_at', 'updated_at'),
)

export const runnable = columnsOf(
  f('id', 'name', 'slug'),
  a('slug as app'),
  f('execution_mode', 'code', 'allowed_hosts', 'webhook_url', 'system_function', 'timeout_seconds'),
  computed<Pick<RunnableFunction, 'is_active' | 'own_mail'>>({
    is_active: sql`f.is_active and a.is_active`,
    own_mail: sql`
      exists (select from _secrets s where s.key = 'MAIL' and (s.app_id is null or s.app_id = a.id))`,
  }),
  f('filter_conditions', 'runs_as as as', 'secrets', 'variables', 'uuid', 'version', 'sealed'),
)

const inApp = (app: string) => sql`a.id = f.app_id and a.slug = ${app} and a.is_active`
/**
 * The condition that `f` is the function with a slug, and `a` is the active app with another slug that has
 * it.
 */
export const inAppWithSlug = (app: string, slug: string) => sql`${inApp(app)} and f.slug = ${slug}`

/** Selects an active app. */
export const selectApp = (app: string) =>
  sql<{ id: number }>`select a.id from _apps a where a.slug = ${app} and a.is_active`

/** The list of the functions of an app. */
export const list: List<typeof listForm> = {
  ...listForm,
  columns: {
    name: sql`f.name`,
    slug: sql`f.slug`,
    execution_mode: sql`f.execution_mode`,
    created_at: sql`f.created_at`,
    updated_at: sql`f.updated_at`,
  },
  last: sql`f.id`,
  texts: [sql`f.name`, sql`f.slug`],
}

/** Selects a page of the functions of an app. */
export function selectFunctions(app: string, query: FunctionsQuery) {
  const where = [inApp(app)]
  if (query.is_active !== undefined) where.push(sql`f.is_active = ${query.is_active}`)
  return selectPage(list, query, { columns, from: sql`_functions f, _apps a`, where })
}

export const selectFunction = (app: string, slug: string) =>
  sql`select ${columns} from _functions f, _apps a where ${inAppWithSlug(app, slug)}`

/** Selects functions to run. `ids` is a query for their ids. */
export const selectRunnables = (ids: Sql) => sql<RunnableFunction>`
  select ${runnable} from _functions f join _apps a on a.id = f.app_id where f.id in (${ids})`

type EncryptedFunction = Pick<RunnableFunction, 'uuid' | 'version' | 'sealed' | 'secrets' | 'webhook_url'>

/** Selects the encrypted values of a function, its URL, and the keys of its secrets. */
export const selectSecrets = (app: string, slug: string) => sql<EncryptedFunction>`
  select f.uuid, f.version, f.sealed, f.secrets, f.webhook_url
    from _functions f, _apps a where ${inAppWithSlug(app, slug)}`

/** Selects the data keys of a site, the newest last. `site` is its id. Runs before the site is entered. */
export const selectSiteKeys = (site: Sql) => sql<SiteKeys['keys'][number]>`
  select d.version, d.master_kid as "masterKid", d.wrapped
    from public.data_keys d where d.site_id = ${site} order by d.version`

/** Selects whether the caller has a permission in the request's site. Runs before the site is entered. */
export const selectHolds = ({ host, slug }: TenantLocator, caller: Sql, permission: Permission) =>
  sql<{ holds: boolean }>`select public.holds(${host}, ${slug}, ${caller}, ${permission}) as holds`

/** Returns the JSON of headers with masked values. The values themselves are encrypted. */
const maskedJson = (headers: Readonly<Record<string, string>>): string =>
  JSON.stringify(Object.fromEntries(Object.keys(headers).map((name) => [name, mask])))

/** The columns of a new row that do not come from the client. */
export interface NewFunctionRow {
  userId: number
  /** The slug of the app. */
  app: string
  slug: string
  uuid: string
  /** The encrypted FunctionSecrets; null in other modes than `proxy`. */
  sealed: string | null
}

/** Inserts a function. Returns no row if there is no such app. */
export const insertFunction = (
  { userId, app, slug, uuid, sealed }: NewFunctionRow,
  input: FunctionInput,
) => sql`
  with f as (
    insert into _functions (app_id, name, slug, description, execution_mode, code, allowed_hosts, webhook_url,
                            headers, system_function, timeout_seconds, is_active, filter_conditions, runs_as,
                            schedule, schedule_zone, ordering, secrets, variables, uuid, sealed,
                            created_by)
    select a.id, ${input.name}, ${slug}, ${input.description}, ${input.execution_mode}, ${input.code},
           ${JSON.stringify(input.allowed_hosts)}::jsonb, ${input.webhook_url},
           ${maskedJson(input.headers)}::jsonb, ${input.system_function}, ${input.timeout_seconds},
           ${input.is_active}, ${input.filter_conditions}, ${input.as},
           ${input.schedule}, ${input.schedule_zone}, ${input.ordering},
           ${JSON.stringify(input.secrets)}::jsonb, ${JSON.stringify(input.variables)}::jsonb,
           ${uuid}, ${sealed}, ${userId}
      from _apps a where a.slug = ${app} and a.is_active
    returning *
  )
  select ${columns} from f join _apps a on a.id = f.app_id`

/** The newly encrypted FunctionSecrets, and their version. */
export interface NewSecrets {
  text: string
  version: number
}

/** The function that an update changes, and the change. */
export interface FunctionUpdate {
  userId: number
  app: string
  slug: string
  change: FunctionChange
  /** Null: the secrets stay unchanged. */
  secrets: NewSecrets | null
}

/**
 * Updates a function. Undefined fields are unchanged. A different mode becomes null, which violates NOT NULL.
 * Returns no row if the function does not exist, if the caller may not read the secrets that it would
 * declare, or if the version of its encrypted values is not the one before that of `secrets`. Runs after
 * public.introduce.
 */
export function updateFunction({ userId, app, slug, change, secrets }: FunctionUpdate) {
  const hosts = change.allowed_hosts ? JSON.stringify(change.allowed_hosts) : null
  const headers = change.headers ? maskedJson(change.headers) : null
  const mode = change.execution_mode ?? null
  const keys = change.secrets ? JSON.stringify(change.secrets) : null
  const variables = change.variables ? JSON.stringify(change.variables) : null
  return sql`
  with f as (
    update _functions f
       set name = coalesce(${change.name ?? null}, f.name),
           description = coalesce(${change.description ?? null}, f.description),
           execution_mode = case when f.execution_mode = coalesce(${mode}, f.execution_mode)
                                 then f.execution_mode end,
           code = coalesce(${change.code ?? null}, f.code),
           allowed_hosts = coalesce(${hosts}::jsonb, f.allowed_hosts),
           webhook_url = coalesce(${change.webhook_url ?? null}, f.webhook_url),
           headers = coalesce(${headers}::jsonb, f.headers),
           sealed = coalesce(${secrets?.text ?? null}, f.sealed),
           version = coalesce(${secrets?.version ?? null}, f.version),
           system_function = coalesce(${change.system_function ?? null}, f.system_function),
           timeout_seconds = coalesce(${change.timeout_seconds ?? null}, f.timeout_seconds),
           is_active = coalesce(${change.is_active ?? null}, f.is_active),
           filter_conditions = coalesce(${change.filter_conditions ?? null}, f.filter_conditions),
           runs_as = coalesce(${change.as ?? null}, f.runs_as),
           schedule = coalesce(${change.schedule ?? null}, f.schedule),
           schedule_zone = coalesce(${change.schedule_zone ?? null}, f.schedule_zone),
           ordering = coalesce(${change.ordering ?? null}, f.ordering),
           secrets = coalesce(${keys}::jsonb, f.secrets),
           variables = coalesce(${variables}::jsonb, f.variables),
           updated_at = now(), modified_by = ${userId}
      from _apps a
     where ${inAppWithSlug(app, slug)}
       and (coalesce(${keys}::jsonb, f.secrets) = '[]' or current_setting('tessera.may_read') = 'true')
       and f.version = ${secrets ? sql`${secrets.version - 1}` : sql`f.version`}
    returning f.*
  )
  select ${columns} from f join _apps a on a.id = f.app_id`
}

/** Deletes a function. Returns no row if there is no such function. */
export const deleteFunction = (app: string, slug: string) => sql<{ id: number }>`
  update _functions f set is_gone = true from _apps a where ${inAppWithSlug(app, slug)} returning f.id`
