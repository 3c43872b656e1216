/** The SQL of apps. */

import type { apps } from '../../../drizzle/tenant/apps.ts'
import { columnsOf, computed, of } from '../../kernel/db/columns.ts'
import { enforceQuota } from '../../kernel/db/quotas.ts'
import { type Sql, sql } from '../../kernel/db/sql.ts'
import type { Config } from '../../kernel/env.ts'
import { type List, selectPage } from '../../kernel/http/lists/list.ts'
import { isActive, withSource } from '../catalog/sources.ts'
import { type AppChange, type AppsQuery, listForm } from './schema.ts'
import type { AppRow } from './views.ts'

const a = of<typeof apps>('a')

const columns = columnsOf(
  a('id', 'name', 'slug', 'description'),
  a.times('created_at', 'updated_at'),
  a('created_by', 'modified_by'),
  computed<Pick<AppRow, 'datasource_count' | 'table_count' | 'datasources'>>({
    datasource_count: sql`(select count(*) from _datasources d where d.app_id = a.id and d.is_active)`,
    table_count: sql`
      (select count(*) from _datatables t ${withSource} where t.app_id = a.id and ${isActive})`,
    datasources: sql`
      (select coalesce(json_agg(json_build_object(
                'id', d.id, 'name', d.name, 'slug', d.slug, 'provider_type', d.provider_type,
                'table_count', (select count(*) from _datatables t where t.data_source_id = d.id))
                order by d.id), '[]')
         from _datasources d where d.app_id = a.id and d.is_active)`,
  }),
)

export const list: List<typeof listForm> = {
  ...listForm,
  columns: {
    name: sql`a.name`,
    slug: sql`a.slug`,
    created_at: sql`a.created_at`,
    updated_at: sql`a.updated_at`,
  },
  last: sql`a.id`,
  texts: [sql`a.name`, sql`a.slug`],
}

/** Selects a page of the apps of the site, or of those with these slugs. */
export const selectApps = (query: AppsQuery, slugs?: readonly string[]) =>
  selectPage(list, query, {
    columns,
    from: sql`_apps a`,
    where: [sql`a.is_active = ${query.is_active}`, ...(slugs ? [sql`a.slug = any (${slugs}::text[])`] : [])],
  })

/** Selects an active app. */
export const selectApp = (slug: string) =>
  sql`select ${columns} from _apps a where a.slug = ${slug} and a.is_active`

export const insertApp = (userId: number, name: string, slug: string, description: string) => sql`
  with a as (
    insert into _apps (name, slug, description, created_by)
    values (${name}, ${slug}, ${description}, ${userId}) returning *
  )
  select ${columns} from a`

/**
 * Fails if the site has too many apps. Runs after the insertion, which has locked the row of the site. T9.
 */
export const requireAppQuota = (config: Config): Sql =>
  enforceQuota(config, 'QUOTA_APPS', sql`select count(*) from _apps`)

/** Updates an active app and returns it. Undefined members stay unchanged. */
export const updateApp = (userId: number, slug: string, { name, description }: AppChange) => sql`
  with a as (
    update _apps set name = coalesce(${name ?? null}, name),
                     description = coalesce(${description ?? null}, description),
                     updated_at = now(), modified_by = ${userId}
     where slug = ${slug} and is_active returning *
  )
  select ${columns} from a`

/**
 * Deactivates an app. The states of its datasources and tables stay, so that activating it restores them. D1.
 */
export const deactivateApp = (userId: number, slug: string) => sql<{ id: number }>`
  update _apps set is_active = false, updated_at = now(), modified_by = ${userId}
   where slug = ${slug} and is_active returning id`

export const activateApp = (userId: number, slug: string) => sql<{ name: string }>`
  update _apps set is_active = true, updated_at = now(), modified_by = ${userId}
   where slug = ${slug} returning name`
