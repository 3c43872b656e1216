/** The SQL that reads secrets. Spec: Secret; K3, K5, K7. */

import type { apps } from '../../../drizzle/tenant/apps.ts'
import type { secrets, secretTypes } from '../../../drizzle/tenant/secrets.ts'
import { columnsOf, computed, of } from '../../kernel/db/columns.ts'
import { type Sql, sql } from '../../kernel/db/sql.ts'
import { type List, matching, orderOf, type PageBatch, pageSql } from '../../kernel/http/lists/list.ts'
import type { JsonObject } from '../../kernel/lib/json-object.ts'
import { actor } from '../history/store.ts'
import { insertReads } from '../reads/store.ts'
import type { SensitivityLevel } from '../schema.ts'
import { listForm, type SecretsQuery } from './schema.ts'

const s = of<typeof secrets>('s')
const t = of<typeof secretTypes>('t')
const a = of<typeof apps, null>('a')

/** A stored secret. Its value is either public or encrypted. */
export interface SecretRow {
  id: string
  key: string
  /** The id of its app; null for the level of the site. */
  app_id: number | null
  /** The slug of its app; null for the level of the site. */
  app: string | null
  /** The name of its type. */
  secret_type: string
  type_slug: string
  sensitivity_level: SensitivityLevel
  tags: string[]
  /** The number of changes of the value and of the data to which it is bound. */
  version: number
  created_at: string
  modified_at: string
  created_by: string
  /** The JSON text of a public value; otherwise null. */
  public_value: string | null
  /** The encrypted value; null for a public one. */
  ciphertext: string | null
}

const tagNames = sql`
  (select coalesce(json_agg(g.name order by g.name), '[]')
     from _secret_tags x join _tags g on g.id = x.tag_id where x.secret_id = s.id)`

/** The columns of a SecretRow. */
const columns = columnsOf(
  s('id', 'key', 'app_id'),
  a('slug as app'),
  t('name as secret_type', 'slug as type_slug', 'sensitivity_level'),
  s('version'),
  s.times('created_at', 'modified_at'),
  s('created_by_username as created_by', 'public_value', 'ciphertext'),
  computed<Pick<SecretRow, 'tags'>>({ tags: tagNames }),
)

/** The tables from which secrets are read. */
export const from = sql`
  from _secrets s join _secret_types t on t.id = s.type_id left join _apps a on a.id = s.app_id`

/** Returns the condition for the level of an active app; null: the level of the site. */
export const atLevel = (app: string | null) =>
  app === null ? sql`s.app_id is null` : sql`a.slug = ${app} and a.is_active`

/** The condition for the level of an app, or of the site. Nothing matches with an unknown app. */
const atAnyLevel = (app: string | null) =>
  app === null
    ? atLevel(null)
    : sql`((s.app_id is null or ${atLevel(app)})
           and exists (select from _apps o where o.slug = ${app} and o.is_active))`

/** Sorts the level of the app before that of the site. */
const appFirst = sql`s.app_id is null`

const hasTag = (condition: Sql) => sql`
  exists (select from _secret_tags x join _tags g on g.id = x.tag_id
           where x.secret_id = s.id and ${condition})`

/**
 * Selects the first match of a key, and records the read if the reader may see it. Runs after
 * public.introduce.
 */
export function selectForReading(
  key: string,
  app: string | null,
  tags: readonly string[] | null,
  reader: { userId: number; requestId: string } | null,
): Sql<SecretRow> {
  const match = sql<unknown>`
    select ${columns}, ${tags ? hasTag(sql`g.name = any (${tags})`) : sql`true`} as has_tag
      ${from} where s.key = ${key} and ${atAnyLevel(app)} order by ${appFirst} limit 1`
  if (!reader) return sql<SecretRow>`with match as (${match}) select * from match`
  const shown = sql`
    (select * from match where match.has_tag and current_setting('tessera.may_read') = 'true')`
  return sql<SecretRow>`
    with match as (${match}), recorded as (${insertReads(shown, actor(reader.userId), reader.requestId)})
    select * from match`
}

/** Selects the first match of each key, and records the reads. */
export const selectByKeys = (
  keys: readonly string[],
  app: string | null,
  userId: number,
  requestId: string,
) => sql`
  with match as (
    select distinct on (s.key) ${columns} ${from}
     where s.key = any (${keys}) and ${atAnyLevel(app)} order by s.key, ${appFirst}
  ), recorded as (${insertReads(sql`match`, actor(userId), requestId)})
  select * from match`

/** A run of a function in the access log. */
export interface ReadingRun {
  /** The slug of the app. */
  app: string
  functionId: number
  invocationId: number
}

/**
 * Selects the first match of each key for a run of a function, and records the reads. The access log names
 * the function, and the account that last changed it.
 */
export function selectForRun(keys: readonly string[], { app, functionId, invocationId }: ReadingRun) {
  const reader = sql`
    (select coalesce(f.modified_by, f.created_by) from _functions f where f.id = ${functionId}),
    (select 'function ' || ${app}::text || '/' || f.slug from _functions f where f.id = ${functionId})`
  return sql`
    with match as (
      select distinct on (s.key) ${columns} ${from}
       where s.key = any (${keys}) and ${atAnyLevel(app)} order by s.key, ${appFirst}
    ), recorded as (${insertReads(sql`match`, reader, `run ${invocationId}`)})
    select * from match`
}

/** The version of a type that validates a value. */
export interface TypeOfValue {
  type_id: number
  type_version: number
  schema: JsonObject | null
}

/**
 * Selects the first match of a key for a datasource that connects, and records the read. The access log
 * names the datasource, and the account that last changed it; for one that is not made yet, the caller.
 */
export function selectForDatasource(
  key: string,
  app: string,
  { userId, datasource }: { userId: number | null; datasource: number | null },
  requestId: string,
) {
  const reader =
    datasource === null && userId !== null
      ? actor(userId)
      : sql`
    (select coalesce(d.modified_by, d.created_by) from _datasources d where d.id = ${datasource}),
    (select 'datasource ' || ${app}::text || '/' || d.slug from _datasources d where d.id = ${datasource})`
  return sql`
    with match as (
      select ${columns} ${from} where s.key = ${key} and ${atAnyLevel(app)} order by ${appFirst} limit 1
    ), recorded as (${insertReads(sql`match`, reader, requestId)})
    select * from match`
}

/** Selects the secret at exactly this level, with its type. */
export const selectForChange = (key: string, app: string | null) => sql<SecretRow & TypeOfValue>`
  select ${columns}, t.id as type_id, t.version as type_version, t.schema
    ${from} where s.key = ${key} and ${atLevel(app)}`

export const selectById = (id: string) => sql`select ${columns} ${from} where s.id = ${id}`

/** Selects the next secrets of a type, in the order of their ids. `after` is the last id before them. */
export const selectOfType = (typeId: number, after: string | null, limit: number) => sql`
  select ${columns} ${from}
   where s.type_id = ${typeId} and (${after}::uuid is null or s.id > ${after}::uuid)
     order by s.id limit ${limit}`

export const list: List<typeof listForm> = {
  ...listForm,
  columns: {
    key: sql`s.key`,
    created_at: sql`s.created_at`,
    modified_at: sql`s.modified_at`,
    type__name: sql`t.name`,
    created_by__username: sql`s.created_by_username`,
  },
  last: sql`s.id`,
  texts: [sql`s.key`],
}

function filtersOf({ key, app, tags = [], secret_type, created_by }: SecretsQuery): Sql[] {
  const filters = [atLevel(app)]
  if (key !== undefined) filters.push(sql`s.key = ${key}`)
  if (secret_type !== undefined) filters.push(sql`t.slug = ${secret_type}`)
  if (created_by !== undefined) filters.push(sql`s.created_by_username = ${created_by}`)
  if (tags.length > 0) filters.push(hasTag(sql`g.slug = any (${tags})`))
  return filters
}

/** Selects a page of secrets, as `selectPage` does, and records their reads. */
export function selectSecrets(query: SecretsQuery, userId: number, requestId: string): PageBatch<SecretRow> {
  const rows = sql`${from} where ${matching(list, query, filtersOf(query))}`
  return {
    count: sql`select count(*) as count ${rows}`,
    page: sql`
      with page as (
        select ${columns}, row_number() over (order by ${orderOf(list, query)}) as place
          ${rows} ${pageSql(list, query)}
      ), recorded as (${insertReads(sql`page`, actor(userId), requestId)})
      select * from page order by place`,
  }
}

/** Selects the type of a new secret. */
export const selectType = (slug: string) => sql<TypeOfValue & Pick<SecretRow, 'sensitivity_level'>>`
  select t.id as type_id, t.version as type_version, t.schema, t.sensitivity_level
    from _secret_types t where t.slug = ${slug}`

export const selectTagNames = (names: readonly string[]) =>
  sql<{ name: string }>`select g.name from _tags g where g.name = any (${names})`
