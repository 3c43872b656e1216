import { moment } from '../../db/moment.ts'
import { type Sql, sql } from '../../db/sql.ts'
import { type List, matching, orderOf, pageSql } from '../../http/lists/list.ts'
import type { JsonObject } from '../../lib/json-object.ts'
import { who } from '../history/store.ts'
import { noteReads } from '../reads/store.ts'
import type { SensitivityLevel } from '../schema.ts'
import type { SecretsQuery } from './schema.ts'

/** A secret as it is stored: its value is one of the last two. */
export interface SecretRow {
  id: string
  key: string
  /** The id and the slug of its app; null at the level of the site. */
  app_id: number | null
  app: string | null
  secret_type: string
  type_slug: string
  sensitivity_level: SensitivityLevel
  tags: string[]
  version: number
  created_at: string
  modified_at: string
  created_by: string
  public_value: string | null
  ciphertext: string | null
}

const columns = sql`
  s.id, s.key, s.app_id, a.slug as app, t.name as secret_type, t.slug as type_slug, t.sensitivity_level, s.version, ${moment(sql`s.created_at`)} as created_at, ${moment(sql`s.modified_at`)} as modified_at,
  s.created_by_username as created_by, s.public_value, s.ciphertext,
  (select coalesce(json_agg(g.name order by g.name), '[]') from _secret_tags x join _tags g on g.id = x.tag_id where x.secret_id = s.id) as tags`

const from = sql`from _secrets s join _secret_types t on t.id = s.type_id left join _apps a on a.id = s.app_id`

/** At the level of an app that is active, or of the site. */
const atLevel = (app: string | null) => (app === null ? sql`s.app_id is null` : sql`a.slug = ${app} and a.is_active`)

/** At either, the app's before the site's. */
const atAnyLevel = (app: string | null) => sql`(s.app_id is null or ${atLevel(app)})`
const appFirst = sql`s.app_id is null`

const named = (tags: readonly string[]) => sql`
  exists (select from _secret_tags x join _tags g on g.id = x.tag_id where x.secret_id = s.id and g.name = any (${tags}))`

/** What a key means to whoever asks for an app, or for none. */
export interface FoundRow extends SecretRow {
  /** Whether there is such an app: what is asked for others is not worth keeping. */
  lasting: boolean
}

/** The first match of a key. That it is read, where that is to be noted, is noted with it: for those who may. */
export function selectForReading(
  key: string,
  app: string | null,
  tags: readonly string[] | null,
  reader: { userId: number; requestId: string } | null,
): Sql<FoundRow> {
  const first = sql`
    select ${columns}, ${tags ? named(tags) : sql`true`} as fits, ${app}::text is null or exists (select from _apps o where o.slug = ${app} and o.is_active) as lasting
      ${from} where s.key = ${key} and ${atAnyLevel(app)} order by ${appFirst} limit 1`
  if (!reader) return sql<FoundRow>`with found as (${first}) select * from found`
  const shown = sql`(select * from found where found.fits and current_setting('tessera.may_read') = 'true')`
  return sql<FoundRow>`with found as (${first}), noted as (${noteReads(shown, reader.userId, reader.requestId)}) select * from found`
}

/** The first match of each key. */
export const selectByKeys = (keys: readonly string[], app: string | null, userId: number, requestId: string) => sql<SecretRow>`
  with found as (
    select distinct on (s.key) ${columns} ${from} where s.key = any (${keys}) and ${atAnyLevel(app)} order by s.key, ${appFirst}
  ), noted as (${noteReads(sql`found`, userId, requestId)}) select * from found`

/** What a value of a type is validated by. */
export interface TypeOfValue {
  type_id: number
  type_version: number
  schema: JsonObject | null
}

/** The one at exactly this level, with what its value is validated by. */
export const selectForChange = (key: string, app: string | null) => sql<SecretRow & TypeOfValue>`
  select ${columns}, t.id as type_id, t.version as type_version, t.schema ${from} where s.key = ${key} and ${atLevel(app)}`

export const selectById = (id: string) => sql<SecretRow>`select ${columns} ${from} where s.id = ${id}`

/** Those of a type, some at a time, in the order of their ids. */
export const selectOfType = (typeId: number, after: string | null, limit: number) => sql<SecretRow>`
  select ${columns} ${from} where s.type_id = ${typeId} and (${after}::uuid is null or s.id > ${after}::uuid) order by s.id limit ${limit}`

export const list: List = {
  orderings: new Map([
    ['key', sql`s.key`],
    ['created_at', sql`s.created_at`],
    ['modified_at', sql`s.modified_at`],
    ['type__name', sql`t.name`],
    ['created_by__username', sql`s.created_by_username`],
  ]),
  ordering: '-created_at',
  last: sql`s.id`,
  search: { texts: [sql`s.key`], in: 'the key' },
}

const asked = ({ key, app, tags = [], secret_type, created_by }: SecretsQuery): Sql[] => [
  atLevel(app),
  ...(key === undefined ? [] : [sql`s.key = ${key}`]),
  ...(secret_type === undefined ? [] : [sql`t.slug = ${secret_type}`]),
  ...(created_by === undefined ? [] : [sql`s.created_by_username = ${created_by}`]),
  ...(tags.length === 0
    ? []
    : [sql`exists (select from _secret_tags x join _tags g on g.id = x.tag_id where x.secret_id = s.id and g.slug = any (${tags}))`]),
]

/** Two statements, as `selectList` has them. The second notes that what it answers was read. */
export function selectSecrets(query: SecretsQuery, userId: number, requestId: string): Sql[] {
  const rows = sql`${from} where ${matching(list, query, asked(query))}`
  return [
    sql`select count(*) as count ${rows}`,
    sql`
    with page as (
      select ${columns}, row_number() over (order by ${orderOf(list, query)}) as place ${rows} ${pageSql(list, query)}
    ), noted as (${noteReads(sql`page`, userId, requestId)}) select * from page order by place`,
  ]
}

/** These select what a new secret is made with: its type, its app, its tags. */
export const selectType = (slug: string) => sql<TypeOfValue & Pick<SecretRow, 'sensitivity_level'>>`
  select t.id as type_id, t.version as type_version, t.schema, t.sensitivity_level from _secret_types t where t.slug = ${slug}`
export const selectApp = (slug: string | null) => sql<{ id: number }>`select a.id from _apps a where a.slug = ${slug} and a.is_active`
export const selectTagNames = (names: readonly string[]) => sql<{ name: string }>`select g.name from _tags g where g.name = any (${names})`

export interface StoredValue {
  public_value: string | null
  ciphertext: string | null
}

export interface NewSecret extends StoredValue {
  id: string
  key: string
  appId: number | null
  typeId: number
  typeVersion: number
  tags: readonly string[]
}

const heldType = (id: number, version: number) => sql`select t.id from _secret_types t where t.id = ${id} and t.version = ${version} for share`
const heldTags = (names: readonly string[]) => sql`select g.id, g.name from _tags g where g.name = any (${names}) for key share`

/** A row, when the type, the app and the tags still are what the value was made for. */
export const insertSecret = (userId: number, secret: NewSecret) => sql<{ id: string }>`
  with type as (${heldType(secret.typeId, secret.typeVersion)}), tags as (${heldTags(secret.tags)}), s as (
    insert into _secrets (id, key, app_id, type_id, public_value, ciphertext, created_by, created_by_username)
    select ${secret.id}, ${secret.key}, ${secret.appId}, type.id, ${secret.public_value}, ${secret.ciphertext}, ${who(userId)}
      from type
     where (select count(*) from tags) = ${secret.tags.length}
       and (${secret.appId}::bigint is null or exists (select from _apps a where a.id = ${secret.appId} and a.is_active))
    returning id, key, app_id
  ), tagged as (
    insert into _secret_tags (secret_id, tag_id) select s.id, tags.id from s, tags
  ), noted as (
    insert into _secret_history (secret_id, key, app_id, action, user_id, username) select s.id, s.key, s.app_id, '+', ${who(userId)} from s
  )
  select id from s`

export interface ChangedSecret {
  id: string
  /** The version that the change was made of. */
  version: number
  /** Where the value, or what it is bound to, changes. */
  value?: StoredValue & { typeId: number; typeVersion: number }
  key: string
  tags: readonly string[] | null
  /** For the history: that there is another value. */
  revalued: boolean
}

/** A row, when the secret, its type and the tags still are what the change was made for. A new key stands in the history of both. */
export const updateSecret = (userId: number, { id, version, value, key, tags, revalued }: ChangedSecret) => sql<{ id: string }>`
  with type as (${value ? heldType(value.typeId, value.typeVersion) : sql`select true`}), tags as (${heldTags(tags ?? [])}), present as (
    select s.id, s.key, s.app_id,
           (select coalesce(array_agg(g.name order by g.name), '{}') from _secret_tags x join _tags g on g.id = x.tag_id where x.secret_id = s.id) as tags
      from _secrets s where s.id = ${id} and s.version = ${version} for update of s
  ), s as (
    update _secrets u
       set key = ${key}, modified_at = now(), version = u.version + ${value ? 1 : 0},
           public_value = ${value ? sql`${value.public_value}` : sql`u.public_value`},
           ciphertext = ${value ? sql`${value.ciphertext}` : sql`u.ciphertext`}
      from present, type
     where u.id = present.id and (select count(*) from tags) = ${tags?.length ?? 0}
    returning u.id
  ), untagged as (
    delete from _secret_tags x using s where x.secret_id = s.id and ${tags !== null} and x.tag_id not in (select tags.id from tags)
  ), tagged as (
    insert into _secret_tags (secret_id, tag_id) select s.id, tags.id from s, tags on conflict do nothing
  ), changed as (
    select jsonb_strip_nulls(jsonb_build_object(
             'key', case when p.key <> ${key} then jsonb_build_object('old', p.key, 'new', ${key}::text) end,
             'tags', case when ${tags !== null} and p.tags <> n.tags then jsonb_build_object('old', p.tags, 'new', n.tags) end,
             'value', case when ${revalued} then jsonb_build_object('old', ${hidden}::text, 'new', ${hidden}::text) end)) as changes, p.id, p.key, p.app_id
      from present p, s, (select coalesce(array_agg(tags.name order by tags.name), '{}') as tags from tags) n
  ), noted as (
    insert into _secret_history (secret_id, key, app_id, action, user_id, username, changes)
    select c.id, k.key, c.app_id, '~', ${who(userId)}, c.changes
      from changed c, lateral (select c.key union select ${key}) k (key) where c.changes <> '{}' order by k.key = ${key}
  )
  select id from s`

/** What stands for a value wherever it may not stand. */
const hidden = '***HIDDEN***'

/** The key of the secret that was there. No row where there was none. */
export const deleteSecret = (userId: number, key: string, app: string | null) => sql<{ key: string }>`
  with gone as (
    delete from _secrets d using (select s.id ${from} where s.key = ${key} and ${atLevel(app)}) f where d.id = f.id returning d.id, d.key, d.app_id
  ), noted as (
    insert into _secret_history (secret_id, key, app_id, action, user_id, username) select gone.id, gone.key, gone.app_id, '-', ${who(userId)} from gone
  )
  select key from gone`
