import { type Sql, sql } from '../../db/sql.ts'

const columns = sql`
  a.id, a.name, a.slug, a.description, a.created_at, a.updated_at, a.created_by, a.modified_by,
  (select count(*) from _datasources d where d.app_id = a.id and d.is_active) as datasource_count,
  (select count(*) from _datatables t where t.app_id = a.id and t.is_active) as table_count,
  (select coalesce(json_agg(json_build_object(
            'id', d.id, 'name', d.name, 'slug', d.slug, 'provider_type', d.provider_type,
            'table_count', (select count(*) from _datatables t where t.data_source_id = d.id and t.is_active)) order by d.id), '[]')
     from _datasources d where d.app_id = a.id and d.is_active) as datasources`

export const countApps: Sql = sql`select count(*) as count from _apps a where a.is_active`

export const selectApps = (limit: number, offset: number): Sql => sql`
  select ${columns} from _apps a where a.is_active order by a.name, a.id limit ${limit} offset ${offset}`

export const selectApp = (slug: string): Sql => sql`select ${columns} from _apps a where a.slug = ${slug} and a.is_active`

export const insertApp = (userId: number, name: string, slug: string, description: string): Sql => sql`
  with a as (
    insert into _apps (name, slug, description, created_by) values (${name}, ${slug}, ${description}, ${userId}) returning *
  )
  select ${columns} from a`
