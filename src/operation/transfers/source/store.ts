/** The SQL that reads the parts of a site. */
import { sql } from '../../../kernel/db/sql.ts'
import { tableNames } from '../../../runtime/events/service.ts'
import type { AppPart, Members, Outline, SavedParts, TablePart } from './source.ts'
import type { SubscribedFunction } from './subscribed-function.ts'

const list = (value: ReturnType<typeof sql>, order: ReturnType<typeof sql>) =>
  sql`coalesce(json_agg(${value} order by ${order}), '[]'::json)`

/** The tables that the foreign keys of a table `t` reference. The table of another app has its own name. */
const referenced = sql`
  (select coalesce(json_agg(distinct b.slug || '/' || o.name), '[]')
     from jsonb_path_query(t.json_schema::jsonb, '$.foreignKeys[*].reference.resource') k
     join _datatables x on x.app_id = t.app_id and x.name = k #>> '{}'
     join _datatables o on o.id = coalesce(x.source_id, x.id)
     join _apps b on b.id = o.app_id)`

/** Selects the apps with the names of their parts. */
export const selectOutline = sql<{ outline: Outline }>`
  select json_build_object('apps', ${list(
    sql`json_build_object(
      'slug', a.slug,
      'tables', (select ${list(
        sql`json_build_object('name', t.name, 'isReference', t.source_id is not null,
                              'isMaterialized', t.source_id is null and t.is_materialized,
                              'references', ${referenced})`,
        sql`t.name`,
      )}
                   from _datatables t left join _datasources d on d.id = t.data_source_id
                  where t.app_id = a.id and coalesce(d.is_active, true)),
      'functions', (select ${list(sql`f.slug`, sql`f.slug`)} from _functions f where f.app_id = a.id))`,
    sql`a.slug`,
  )}) as outline
    from _apps a where a.is_active`

/** Selects the secret types of the site itself. */
export const selectTypes = sql<{ types: Members[] }>`
  select ${list(
    sql`json_build_object('slug', t.slug, 'name', t.name, 'description', t.description,
                          'sensitivity_level', t.sensitivity_level, 'schema', t.schema)`,
    sql`t.name`,
  )} as types from _secret_types t where t.type = 'custom'`

/** Selects the slugs of all secret types, by the names of the types. */
export const selectTypeSlugs = sql<{ slugs: Record<string, string> }>`
  select json_object_agg(t.name, t.slug) as slugs from _secret_types t`

export const selectTags = sql<{ tags: Members[] }>`
  select ${list(
    sql`json_build_object('name', g.name, 'slug', g.slug, 'description', g.description, 'color', g.color)`,
    sql`g.name`,
  )} as tags from _tags g`

/** Selects the saved questions and the dashboards. */
export const selectQuestions = sql<{ saved: SavedParts }>`
  select json_build_object(
    'questions', (select ${list(sql`jsonb_build_object('name', q.name) || q.content`, sql`q.name`)}
                    from _questions q),
    'dashboards', (select ${list(sql`jsonb_build_object('name', d.name) || d.content`, sql`d.name`)}
                     from _dashboards d)
  ) as saved`

export const selectApp = (app: string) => sql<{ app: Omit<AppPart, 'rules'> & { rules: Members[] | null } }>`
  select json_build_object('name', a.name, 'description', a.description, 'datasources',
           (select coalesce(json_object_agg(d.slug, json_build_object(
                     'name', d.name, 'provider_type', d.provider_type, 'provider_config', d.provider_config,
                     'description', d.description) order by d.slug), '{}')
              from _datasources d where d.app_id = a.id and d.is_active),
           'rules', case when json_array_length(a.rules) > 0 then a.rules end) as app
    from _apps a where a.slug = ${app} and a.is_active`

export const selectTable = (app: string, table: string) => sql<{ part: TablePart }>`
  select case when t.source_id is null
           then json_build_object('description', t.description, 'datasource', d.slug,
                                  'materialized', t.is_materialized, 'schema', t.json_schema)
           else json_build_object('reference', json_build_object('app', o.slug, 'table', s.name)) end as part
    from _datatables t
    join _apps a on a.id = t.app_id
    left join _datasources d on d.id = t.data_source_id
    left join _datatables s on s.id = t.source_id
    left join _apps o on o.id = s.app_id
   where a.slug = ${app} and a.is_active and t.name = ${table}`

/** Selects the functions that are subscribed in an app, by event. */
export const selectSubscriptions = (app: string) => sql<{
  subscriptions: Record<string, SubscribedFunction[]>
}>`
  select coalesce(json_object_agg(e.event, e.functions), '{}') as subscriptions
    from (select s.event, json_agg(case when s.tables is null then to_json(f.slug) else json_build_object(
                   'function', f.slug, 'tables', ${tableNames}) end order by f.slug) as functions
            from _subscribers s join _functions f on f.id = s.function_id join _apps a on a.id = f.app_id
           where a.slug = ${app}
             and (s.tables is null or exists (select from _datatables t where t.id = any (s.tables)))
           group by s.event) e`

/** Selects the keys of all secrets, as the text of the key and the slug of its app. */
export const selectSecretKeys = sql<{ key: string; app: string | null }>`
  select s.key, a.slug as app from _secrets s left join _apps a on a.id = s.app_id`

export const selectFunctionId = (app: string, slug: string) => sql<{ id: number }>`
  select f.id from _functions f join _apps a on a.id = f.app_id where a.slug = ${app} and f.slug = ${slug}`
