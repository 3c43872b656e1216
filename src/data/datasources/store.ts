/** The SQL of datasources. */

import type { apps, datasources } from '../../../drizzle/tenant/apps.ts'
import { columnsOf, computed, of } from '../../kernel/db/columns.ts'
import { sql } from '../../kernel/db/sql.ts'
import { type List, selectPage } from '../../kernel/http/lists/list.ts'
import { type DatasourceChange, type DatasourceInput, type DatasourcesQuery, listForm } from './schema.ts'
import type { DatasourceRow } from './views.ts'

const d = of<typeof datasources>('d')
const a = of<typeof apps>('a')

const columns = columnsOf(
  d('id', 'app_id as app'),
  a('name as app_name', 'slug as app_slug'),
  d('name', 'slug', 'provider_type', 'provider_config', 'description', 'is_active'),
  d.times('created_at', 'updated_at'),
  d('created_by', 'modified_by'),
  computed<Pick<DatasourceRow, 'table_count' | 'materialized_count'>>({
    table_count: sql`(select count(*) from _datatables t where t.data_source_id = d.id)`,
    materialized_count: sql`(select count(*) from _datatables t
    where t.data_source_id = d.id and t.is_materialized)`,
  }),
)

const list: List<typeof listForm> = {
  ...listForm,
  columns: {
    name: sql`d.name`,
    slug: sql`d.slug`,
    provider_type: sql`d.provider_type`,
    created_at: sql`d.created_at`,
    updated_at: sql`d.updated_at`,
  },
  last: sql`d.id`,
  texts: [sql`d.name`, sql`d.slug`],
}

/** Selects a page of the datasources of an app. */
export const selectDatasources = (appId: number, query: DatasourcesQuery) =>
  selectPage(list, query, {
    columns,
    from: sql`_datasources d join _apps a on a.id = d.app_id`,
    where: [sql`d.app_id = ${appId}`, sql`d.is_active = ${query.is_active}`],
  })

/** Selects a datasource, active or not. */
export const selectDatasource = (appId: number, slug: string) => sql`
  select ${columns} from _datasources d join _apps a on a.id = d.app_id
   where d.app_id = ${appId} and d.slug = ${slug}`

export const insertDatasource = (userId: number, appId: number, input: DatasourceInput) => sql`
  with d as (
    insert into _datasources (app_id, name, slug, provider_type, provider_config, description, created_by)
    values (${appId}, ${input.name}, ${input.slug}, ${input.provider_type},
            ${JSON.stringify(input.provider_config)}, ${input.description}, ${userId})
    returning *
  )
  select ${columns} from d join _apps a on a.id = d.app_id`

/**
 * Updates a datasource. Returns no row for an inactive datasource that the change does not activate, and for
 * a change with another slug or provider.
 */
export const updateDatasource = (
  userId: number,
  appId: number,
  slug: string,
  change: DatasourceChange,
) => sql<{ id: number }>`
  update _datasources set
    name = coalesce(${change.name ?? null}, name),
    provider_config = coalesce(${jsonOrNull(change.provider_config)}::jsonb, provider_config),
    description = coalesce(${change.description ?? null}, description),
    is_active = coalesce(${change.is_active ?? null}, is_active),
    updated_at = now(), modified_by = ${userId}
   where app_id = ${appId} and slug = ${slug} and (is_active or ${change.is_active ?? false})
     and slug = coalesce(${change.slug ?? null}, slug)
     and provider_type = coalesce(${change.provider_type ?? null}, provider_type)
  returning id`

const jsonOrNull = (value: unknown): string | null => (value === undefined ? null : JSON.stringify(value))

/** Deactivates an active datasource. Its tables are inactive as well. D2. */
export const deactivateDatasource = (userId: number, appId: number, slug: string) => sql<{ id: number }>`
  update _datasources set is_active = false, updated_at = now(), modified_by = ${userId}
   where app_id = ${appId} and slug = ${slug} and is_active returning id`
