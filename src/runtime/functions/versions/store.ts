/** The SQL of the versions of functions. The trigger `public.keep_function_versions` writes them. */

import type { functionVersions } from '../../../../drizzle/tenant/functions.ts'
import { columnsOf, computed, of } from '../../../kernel/db/columns.ts'
import { type Sql, sql } from '../../../kernel/db/sql.ts'
import { type List, selectPage } from '../../../kernel/http/lists/list.ts'
import { columns, inAppWithSlug } from '../store.ts'
import type { FunctionRow } from '../views.ts'
import { type FunctionVersion, type FunctionVersionItem, listForm, type VersionsQuery } from './schema.ts'

const v = of<typeof functionVersions>('v')

export const list: List<typeof listForm> = {
  ...listForm,
  columns: { number: sql`v.number` },
  last: sql`v.number`,
  texts: [sql`v.username`],
}

const itemColumns = columnsOf(
  v('number', 'hash'),
  v.times('created_at'),
  computed<Pick<FunctionVersionItem, 'changed_by'>>({
    changed_by: sql`case when v.user_id is not null
       then json_build_object('id', v.user_id, 'username', v.username) end`,
  }),
)

const from = sql`_function_versions v, _functions f, _apps a`
const ofFunction = (app: string, slug: string) => sql`v.function_id = f.id and ${inAppWithSlug(app, slug)}`

/** Selects a page of versions. */
export const selectVersions = (app: string, slug: string, query: VersionsQuery) =>
  selectPage(list, query, {
    columns: itemColumns,
    from,
    where: [ofFunction(app, slug)],
  })

/** Selects one version with its content. */
export const selectVersion = (app: string, slug: string, number: number) => sql<FunctionVersion>`
  select ${itemColumns}, v.code,
         v.settings - 'runs_as' || jsonb_build_object('as', v.settings -> 'runs_as') as settings
    from ${from} where ${ofFunction(app, slug)} and v.number = ${number}`

/** The part of a URL that contains its host. If it is equal in two URLs, both have the same host. */
const originOf = (url: Sql) => sql`substring(${url} from '^https?://[^/?#]+')`

/**
 * Restores the code and the settings of a version. Settings that the version does not have stay unchanged.
 * Returns no row if the version does not exist, if its URL has another host than the one for which the
 * headers were entered, or if the caller may not read the secrets that the function declares or would
 * declare. Runs after public.introduce.
 */
export const restoreVersion = (userId: number, app: string, slug: string, number: number) => sql<FunctionRow>`
  with f as (
    update _functions f
       set name = r.name, description = r.description, code = v.code, allowed_hosts = r.allowed_hosts,
           webhook_url = r.webhook_url, system_function = r.system_function,
           timeout_seconds = r.timeout_seconds, is_active = r.is_active,
           filter_conditions = r.filter_conditions, runs_as = r.runs_as, schedule = r.schedule,
           schedule_zone = r.schedule_zone, ordering = r.ordering, secrets = r.secrets,
           variables = r.variables,
           updated_at = now(), modified_by = ${userId}
      from _apps a, _functions o join _function_versions v on v.function_id = o.id,
           jsonb_populate_record(o, v.settings) r
     where o.id = f.id and ${inAppWithSlug(app, slug)} and v.number = ${number}
       and (f.headers = '{}' or ${originOf(sql`f.webhook_url`)} = ${originOf(sql`r.webhook_url`)})
       and (f.secrets = '[]' and r.secrets = '[]' or current_setting('tessera.may_read') = 'true')
    returning f.*
  )
  select ${columns} from f join _apps a on a.id = f.app_id`
