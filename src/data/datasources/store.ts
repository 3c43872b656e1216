import { moment } from '../../db/moment.ts'
import { type Sql, sql } from '../../db/sql.ts'
import { type List, selectList } from '../../http/lists/list.ts'
import type { DatasourceChange, DatasourceInput, DatasourcesQuery } from './schema.ts'

const columns = sql`
  d.id, d.app_id as app, a.name as app_name, a.slug as app_slug, d.name, d.slug, d.provider_type, d.provider_config, d.description,
  d.is_active, ${moment(sql`d.created_at`)} as created_at, ${moment(sql`d.updated_at`)} as updated_at, d.created_by, d.modified_by,
  (select count(*) from _datatables t where t.data_source_id = d.id) as table_count,
  (select count(*) from _datatables t where t.data_source_id = d.id and t.is_materialized) as materialized_count`

export const list: List = {
  orderings: new Map([
    ['name', sql`d.name`],
    ['slug', sql`d.slug`],
    ['provider_type', sql`d.provider_type`],
    ['created_at', sql`d.created_at`],
    ['updated_at', sql`d.updated_at`],
  ]),
  ordering: 'name',
  last: sql`d.id`,
  search: { texts: [sql`d.name`, sql`d.slug`], in: 'the name or the slug' },
  isWhole: true,
}

export const selectDatasources = (appId: number, query: DatasourcesQuery): Sql[] =>
  selectList(list, query, {
    columns,
    from: sql`_datasources d join _apps a on a.id = d.app_id`,
    where: [sql`d.app_id = ${appId}`, sql`d.is_active = ${query.is_active}`],
  })

/** Active or not. */
export const selectDatasource = (appId: number, slug: string): Sql => sql`
  select ${columns} from _datasources d join _apps a on a.id = d.app_id where d.app_id = ${appId} and d.slug = ${slug}`

export const insertDatasource = (userId: number, appId: number, input: DatasourceInput): Sql => sql`
  with d as (
    insert into _datasources (app_id, name, slug, provider_type, provider_config, description, created_by)
    values (${appId}, ${input.name}, ${input.slug}, ${input.provider_type}, ${JSON.stringify(input.provider_config)}, ${input.description}, ${userId})
    returning *
  )
  select ${columns} from d join _apps a on a.id = d.app_id`

/** Does nothing to an inactive datasource that stays inactive, nor when the change is one of what cannot change. */
export const updateDatasource = (userId: number, appId: number, slug: string, change: DatasourceChange): Sql => sql`
  update _datasources set
    name = coalesce(${change.name ?? null}, name),
    provider_config = coalesce(${change.provider_config === undefined ? null : JSON.stringify(change.provider_config)}::jsonb, provider_config),
    description = coalesce(${change.description ?? null}, description),
    is_active = coalesce(${change.is_active ?? null}, is_active),
    updated_at = now(), modified_by = ${userId}
   where app_id = ${appId} and slug = ${slug} and (is_active or ${change.is_active ?? false})
     and slug = coalesce(${change.slug ?? null}, slug) and provider_type = coalesce(${change.provider_type ?? null}, provider_type)
  returning id`

/** Its tables are inactive with it. D2. */
export const deactivateDatasource = (userId: number, appId: number, slug: string): Sql => sql`
  update _datasources set is_active = false, updated_at = now(), modified_by = ${userId}
   where app_id = ${appId} and slug = ${slug} and is_active returning id`
