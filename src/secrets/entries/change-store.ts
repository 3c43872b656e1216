/** The SQL that writes secrets: each change with its row of the history. Spec: Secret; K3, K5, K7. */
import { sql } from '../../kernel/db/sql.ts'
import { actor } from '../history/store.ts'
import { atLevel, from } from './store.ts'

/** A stored value. One of the two members is null. */
export interface StoredValue {
  public_value: string | null
  ciphertext: string | null
}

/** A secret to insert. */
export interface NewSecret extends StoredValue {
  id: string
  key: string
  appId: number | null
  typeId: number
  typeVersion: number
  /** The names of its tags. */
  tags: readonly string[]
}

const lockedType = (id: number, version: number) =>
  sql`select t.id from _secret_types t where t.id = ${id} and t.version = ${version} for share`
const lockedTags = (names: readonly string[]) =>
  sql`select g.id, g.name from _tags g where g.name = any (${names}) for key share`

/** Inserts a secret. Returns no row if its type, app or tags have changed since they were read. */
export const insertSecret = (userId: number, secret: NewSecret) => sql<{ id: string }>`
  with type as (${lockedType(secret.typeId, secret.typeVersion)}), tags as (${lockedTags(secret.tags)}),
  s as (
    insert into _secrets (id, key, app_id, type_id, public_value, ciphertext, created_by, created_by_username)
    select ${secret.id}, ${secret.key}, ${secret.appId}, type.id, ${secret.public_value},
           ${secret.ciphertext}, ${actor(userId)}
      from type
     where (select count(*) from tags) = ${secret.tags.length}
       and (${secret.appId}::bigint is null
            or exists (select from _apps a where a.id = ${secret.appId} and a.is_active))
    returning id, key, app_id
  ), tagged as (
    insert into _secret_tags (secret_id, tag_id) select s.id, tags.id from s, tags
  ), recorded as (
    insert into _secret_history (secret_id, key, app_id, action, user_id, username)
    select s.id, s.key, s.app_id, '+', ${actor(userId)} from s
  )
  select id from s`

export interface ChangedSecret {
  id: string
  /** The version of the secret from which the change was prepared. */
  version: number
  /** The new encrypted value, if the value or its place changes. */
  value?: StoredValue & { typeId: number; typeVersion: number }
  key: string
  /** The names of all its tags; null: unchanged. */
  tags: readonly string[] | null
  /** True if the history records a new value. */
  isNewValue: boolean
}

/** The placeholder of values in the history. */
const hidden = '***HIDDEN***'

/**
 * Updates a secret. Returns no row if the secret, its type or its tags have changed since they were read. If
 * the key changes, the histories of both keys record it.
 */
export const updateSecret = (
  userId: number,
  { id, version, value, key, tags, isNewValue }: ChangedSecret,
) => sql<{ id: string }>`
  with type as (${value ? lockedType(value.typeId, value.typeVersion) : sql`select true`}),
  tags as (${lockedTags(tags ?? [])}), previous as (
    select s.id, s.key, s.app_id,
           (select coalesce(array_agg(g.name order by g.name), '{}')
              from _secret_tags x join _tags g on g.id = x.tag_id where x.secret_id = s.id) as tags
      from _secrets s where s.id = ${id} and s.version = ${version} for update of s
  ), s as (
    update _secrets u
       set key = ${key}, modified_at = now(), version = u.version + ${value ? 1 : 0},
           public_value = ${value ? sql`${value.public_value}` : sql`u.public_value`},
           ciphertext = ${value ? sql`${value.ciphertext}` : sql`u.ciphertext`}
      from previous, type
     where u.id = previous.id and (select count(*) from tags) = ${tags?.length ?? 0}
    returning u.id
  ), untagged as (
    update _secret_tags x set is_gone = true from s
     where x.secret_id = s.id and ${tags !== null} and x.tag_id not in (select tags.id from tags)
  ), tagged as (
    insert into _secret_tags (secret_id, tag_id) select s.id, tags.id from s, tags on conflict do nothing
  ), changed as (
    select jsonb_strip_nulls(jsonb_build_object(
             'key', case when p.key <> ${key} then jsonb_build_object('old', p.key, 'new', ${key}::text) end,
             'tags', case when ${tags !== null} and p.tags <> n.tags
                          then jsonb_build_object('old', p.tags, 'new', n.tags) end,
             'value', case when ${isNewValue}
                           then jsonb_build_object('old', ${hidden}::text, 'new', ${hidden}::text)
                           end)) as changes,
           p.id, p.key, p.app_id
      from previous p, s, (select coalesce(array_agg(tags.name order by tags.name), '{}') as tags from tags) n
  ), recorded as (
    insert into _secret_history (secret_id, key, app_id, action, user_id, username, changes)
    select c.id, k.key, c.app_id, '~', ${actor(userId)}, c.changes
      from changed c, lateral (select c.key union select ${key}) k (key)
     where c.changes <> '{}' order by k.key = ${key}
  )
  select id from s`

/** Deletes the secret at exactly this level. Returns no row if there is none. */
export const deleteSecret = (userId: number, key: string, app: string | null) => sql<{ key: string }>`
  with gone as (
    update _secrets d set is_gone = true from (select s.id ${from} where s.key = ${key} and ${atLevel(app)}) f
     where d.id = f.id returning d.id, d.key, d.app_id
  ), recorded as (
    insert into _secret_history (secret_id, key, app_id, action, user_id, username)
    select gone.id, gone.key, gone.app_id, '-', ${actor(userId)} from gone
  )
  select key from gone`
