import { type Sql, sql } from '../../db/sql.ts'
import type { DatasourceInput } from './schema.ts'

const columns = sql`
  d.id, d.app_id as app, a.name as app_name, a.slug as app_slug, d.name, d.slug, d.provider_type, d.provider_config, d.description,
  d.is_active, d.created_at, d.updated_at, d.created_by, d.modified_by,
  (select count(*) from _datatables t where t.data_source_id = d.id and t.is_active) as table_count,
  (select count(*) from _datatables t where t.data_source_id = d.id and t.is_active and t.is_materialized) as materialized_count`

export const selectDatasources = (appId: number): Sql => sql`
  select ${columns} from _datasources d join _apps a on a.id = d.app_id where d.app_id = ${appId} and d.is_active order by d.name, d.id`

export const selectDatasource = (appId: number, slug: string): Sql => sql`
  select ${columns} from _datasources d join _apps a on a.id = d.app_id where d.app_id = ${appId} and d.slug = ${slug} and d.is_active`

export const insertDatasource = (userId: number, appId: number, input: DatasourceInput): Sql => sql`
  with d as (
    insert into _datasources (app_id, name, slug, provider_type, provider_config, description, created_by)
    values (${appId}, ${input.name}, ${input.slug}, ${input.provider_type}, ${JSON.stringify(input.provider_config)}, ${input.description}, ${userId})
    returning *
  )
  select ${columns} from d join _apps a on a.id = d.app_id`
