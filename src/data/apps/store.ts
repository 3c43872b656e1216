import { moment } from '../../db/moment.ts'
import { holdQuota } from '../../db/quotas.ts'
import { type Sql, sql } from '../../db/sql.ts'
import type { Config } from '../../env.ts'
import { type List, selectList } from '../../http/lists/list.ts'
import { isActive, withSource } from '../datatables/store.ts'
import type { AppChange, AppsQuery } from './schema.ts'

const columns = sql`
  a.id, a.name, a.slug, a.description, ${moment(sql`a.created_at`)} as created_at, ${moment(sql`a.updated_at`)} as updated_at, a.created_by, a.modified_by,
  (select count(*) from _datasources d where d.app_id = a.id and d.is_active) as datasource_count,
  (select count(*) from _datatables t ${withSource} where t.app_id = a.id and ${isActive}) as table_count,
  (select coalesce(json_agg(json_build_object(
            'id', d.id, 'name', d.name, 'slug', d.slug, 'provider_type', d.provider_type,
            'table_count', (select count(*) from _datatables t where t.data_source_id = d.id)) order by d.id), '[]')
     from _datasources d where d.app_id = a.id and d.is_active) as datasources`

export const list: List = {
  orderings: new Map([
    ['name', sql`a.name`],
    ['slug', sql`a.slug`],
    ['created_at', sql`a.created_at`],
    ['updated_at', sql`a.updated_at`],
  ]),
  ordering: 'name',
  last: sql`a.id`,
  search: { texts: [sql`a.name`, sql`a.slug`], in: 'the name or the slug' },
}

export const selectApps = (query: AppsQuery): Sql[] =>
  selectList(list, query, { columns, from: sql`_apps a`, where: [sql`a.is_active = ${query.is_active}`] })

export const selectApp = (slug: string): Sql => sql`select ${columns} from _apps a where a.slug = ${slug} and a.is_active`

export const insertApp = (userId: number, name: string, slug: string, description: string): Sql => sql`
  with a as (
    insert into _apps (name, slug, description, created_by) values (${name}, ${slug}, ${description}, ${userId}) returning *
  )
  select ${columns} from a`

/** After one was made, which has locked the site's row: its catalog has moved. */
export const holdApps = (config: Config): Sql => holdQuota(config, 'QUOTA_APPS', sql`select count(*) from _apps`)

export const updateApp = (userId: number, slug: string, { name, description }: AppChange): Sql => sql`
  with a as (
    update _apps set name = coalesce(${name ?? null}, name), description = coalesce(${description ?? null}, description),
                     updated_at = now(), modified_by = ${userId}
     where slug = ${slug} and is_active returning *
  )
  select ${columns} from a`

/** Its datasources and tables keep states of their own, so that restoring it brings back what this takes away. D1. */
export const deactivateApp = (userId: number, slug: string): Sql => sql`
  update _apps set is_active = false, updated_at = now(), modified_by = ${userId} where slug = ${slug} and is_active returning id`

export const activateApp = (userId: number, slug: string): Sql => sql`
  update _apps set is_active = true, updated_at = now(), modified_by = ${userId} where slug = ${slug} returning name`
