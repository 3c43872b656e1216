/** Reads the catalog of an app as one row of JSON. */

import type { TenantLocator } from '../../kernel/context.ts'
import { type Sql, sql } from '../../kernel/db/sql.ts'
import type { AppRule } from '../model/access.ts'
import type { ForeignKeySchema } from '../model/schema-form.ts'
import type { TableRow } from '../model/table.ts'
import { isActive, withSource } from './sources.ts'

/** The catalog of an app, as Postgres returns it. */
export interface CatalogRow {
  app: { id: number; name: string; slug: string; rules?: readonly AppRule[] }
  datasources: { id: number; name: string; slug: string; provider_type: string }[]
  tables: TableRow[]
  /** References whose source belongs to an inactive app or datasource. */
  away: TableRow[]
  dependents: Dependent[]
  /**
   * The events that functions of the app are subscribed to, each with the ids of tables; null: of all tables.
   */
  events: { event: string; tables: number[] | null }[]
}

/**
 * An object that depends on a table of the app: a reference to the table, or a foreign key to it. The key
 * belongs to an inactive table, or to a table of another app that reaches the table through a reference.
 */
export interface Dependent {
  /** The name of the table of this app. */
  on: string
  /** The name of the dependent table; `<app>/<name>` if it belongs to another app. */
  name: string
  /** The foreign key with its table; null for a reference. */
  held: { table: TableRow; key: ForeignKeySchema } | null
}

/** What advice on access rules needs to know of the site. */
export interface SiteTerms {
  /** Who may sign up there. */
  signUp: string
  /** The names of its roles. */
  roles: string[]
}

/** Selects the terms of the site of a request. The service runs it: a site's role cannot read them. */
export const selectTerms = ({ host, slug }: TenantLocator) => sql<SiteTerms>`
  select s.sign_up as "signUp",
         to_json(array(select r.role ->> 'name' from jsonb_array_elements(s.roles) r (role))) as roles
    from public.sites s where s.slug = public.site_at(${host}, ${slug})`

/** Builds a TableRow. */
const table = sql`json_build_object(
  'id', t.id, 'name', t.name, 'json_schema', s.json_schema, 'schema_hash', s.schema_hash,
  'physical_table_name', s.physical_table_name, 'is_materialized', s.is_materialized, 'keys_since',
    s.keys_since,
  'datasource', json_build_object('slug', case when t.source_id is null then d.slug end, 'providerType',
    d.provider_type),
  'source', case when t.source_id is not null then json_build_object('app', o.slug, 'table', s.name) end)`

/** The name of the table `t`, with its app unless that is the app `a`. */
const nameFromHere = sql`case when p.id = a.id then t.name else p.slug || '/' || t.name end`

/** References to tables of the app `a`, in all apps. */
const references = sql`
  select s.name as "on", ${nameFromHere} as name, null::json as held
    from _datatables t ${withSource} join _apps p on p.id = t.app_id
   where t.source_id is not null and s.app_id = a.id`

/**
 * Foreign keys of inactive tables of the app `a`, and of tables of other apps that refer to it. The target
 * `r` of a key is named in the app of the key's own table. The materialized CTE reads the few tables with
 * such keys first.
 */
const foreignKeys = sql`
  with holders as materialized (
    select p.id = a.id as is_own, t.id, t.app_id, ${nameFromHere} as name, s.json_schema, ${table} as row
      from _datatables t ${withSource} join _apps p on p.id = t.app_id
     where t.source_id is null and case when p.id = a.id then not ${isActive} else p.id = any (array(
             select x.app_id from _datatables x join _datatables y on y.id = x.source_id
               where y.app_id = a.id)) end
  )
  select case when h.is_own then r.name else l.name end as "on", h.name, json_build_object('table', h.row,
    'key', key) as held
    from holders h cross join json_array_elements(h.json_schema -> 'foreignKeys') key
   cross join lateral (select r.* from _datatables r
     where r.app_id = h.app_id and r.name = key -> 'reference' ->> 'resource' limit 1) r
    left join _datatables l on l.id = r.source_id
   where r.id <> h.id and (h.is_own or l.app_id = a.id)`

/** The parts of the catalog of an app `a` that need no table of another app: `own` are its tables. */
const ownParts = sql`
  'app', json_build_object('id', a.id, 'name', a.name, 'slug', a.slug, 'rules', a.rules),
  'datasources', (select coalesce(json_agg(json_build_object('id', d.id, 'name', d.name, 'slug', d.slug,
    'provider_type', d.provider_type)
                                           order by d.id), '[]')
                    from _datasources d where d.app_id = a.id and d.is_active),
  'tables', own.tables,
  'away', own.away,
  'events', (select coalesce(json_agg(json_build_object('event', s.event, 'tables', s.tables)
                                      order by s.id), '[]') from _subscribers s
    join _functions f on f.id = s.function_id where f.app_id = a.id)`

/** Reads the tables of apps. `isUsed` tells which of them are in the catalog. */
const fromOwn = (isUsed: Sql) => sql`
  from _apps a
 cross join lateral (
   select coalesce(json_agg(${table} order by t.id) filter (where ${isUsed}), '[]') as tables,
          coalesce(json_agg(${table} order by t.id) filter (
            where t.source_id is not null and not ${isUsed}), '[]') as away,
          coalesce(bool_and(${isUsed}), true) as are_active
     from _datatables t ${withSource} where t.app_id = a.id) own`

/**
 * Selects the catalog of an active app without inactive tables, in a site without references. Nothing outside
 * the catalog depends on its tables, so that Postgres has less than half of the other statement to plan.
 * Returns no row for any other app.
 */
export const selectLoneCatalog = (appSlug: string) => sql<{ catalog: CatalogRow }>`
  select json_build_object(${ownParts}, 'dependents', json_build_array()) as catalog ${fromOwn(isActive)}
   where a.slug = ${appSlug} and a.is_active and own.are_active
     and not exists (select from _datatables x where x.source_id is not null)`

/** Selects the catalog of an active app. Returns no row if there is none. */
export const selectCatalog = (appSlug: string) => sql<{ catalog: CatalogRow }>`
  select json_build_object(${ownParts},
    'dependents', (select coalesce(json_agg(x order by x.name), '[]') from (${references}
      union all (${foreignKeys})) x)) as catalog ${fromOwn(isActive)}
   where a.slug = ${appSlug} and a.is_active`

/**
 * Selects the first app after the id `after`, with all its tables, also if it or its datasources are
 * inactive. Returns no row if there is none.
 */
export const selectWholeCatalog = (after: number) => sql<{ catalog: CatalogRow }>`
  select json_build_object(${ownParts}, 'dependents', json_build_array()) as catalog ${fromOwn(sql`true`)}
   where a.id > ${after} order by a.id limit 1`
