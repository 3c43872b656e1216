/** The SQL of API keys. */

import type { apiKeys } from '../../../../drizzle/platform/keys.ts'
import type { Caller, TenantLocator } from '../../context.ts'
import { columnsOf, of } from '../../db/columns.ts'
import { join, sql } from '../../db/sql.ts'
import { type List, type ListQuery, selectPage } from '../../http/lists/list.ts'
import type { NewKey } from './key.ts'
import { type ApiKeyChange, type ApiKeyInput, listForm, type Rotation } from './schema.ts'

const k = of<typeof apiKeys>('k')

const columns = columnsOf(
  k('id', 'name', 'prefix'),
  k.times('created_at', 'expires_at'),
  k('scopes', 'allowed_addresses'),
  k.times('last_used_at'),
)

/** The condition that a key belongs to a user and to the request's site. */
const isOwn = ({ host, slug }: TenantLocator, userId: number) => sql`
  k.user_id = ${userId}
  and k.site_id = (select s.id from public.sites s where s.slug = public.site_at(${host}, ${slug}))`

export const list: List<typeof listForm> = {
  ...listForm,
  columns: {
    id: sql`k.id`,
    name: sql`k.name`,
    created_at: sql`k.created_at`,
    expires_at: { nullable: sql`k.expires_at` },
    last_used_at: { nullable: sql`k.last_used_at` },
  },
  last: sql`k.id`,
  texts: [sql`k.name`, sql`k.prefix`],
}

/** Selects a page of a user's keys. */
export const selectKeys = (tenant: TenantLocator, userId: number, query: ListQuery) =>
  selectPage(list, query, { columns, from: sql`public.api_keys k`, where: [isOwn(tenant, userId)] })

/** Selects a key of a user. Returns no row if there is none. */
export const selectKey = (tenant: TenantLocator, userId: number, id: number) => sql`
  select ${columns} from public.api_keys k where k.id = ${id} and ${isOwn(tenant, userId)}`

/** Selects a key of a user with its hash as `key`. */
export const selectWithHash = (tenant: TenantLocator, userId: number, id: number) => sql<unknown>`
  select ${columns}, k.hash as key from public.api_keys k where k.id = ${id} and ${isOwn(tenant, userId)}`

/**
 * Inserts a key with the account's generation, so that events that end the account's sign-ins also end the
 * key.
 */
export const insertKey = (
  { host, slug }: TenantLocator,
  caller: Caller,
  { name, expires_at, scopes, allowed_addresses }: ApiKeyInput,
  { prefix, hash }: NewKey,
) => sql`
  insert into public.api_keys as k
    (user_id, site_id, name, prefix, hash, expires_at, generation, is_own, scopes, allowed_addresses)
  select u.id, s.id, ${name}, ${prefix}, ${hash}, ${expires_at}::timestamptz, u.generation,
         u.password_is_own and ${caller.organizationId === undefined}, ${jsonOf(scopes)}::json,
         ${allowed_addresses}::text[]
    from public.sites s join public.users u on u.id = ${caller.userId}
   where s.slug = public.site_at(${host}, ${slug})
  returning ${columns}`

const jsonOf = (scopes: ApiKeyInput['scopes']): string | null => (scopes ? JSON.stringify(scopes) : null)

/**
 * Changes a key of a user. Returns no row if there is none, or if it was replaced and would get more time.
 */
export const updateKey = (tenant: TenantLocator, userId: number, id: number, change: ApiKeyChange) => {
  const { name, expires_at, scopes, allowed_addresses } = change
  const set = [
    ...(name === undefined ? [] : [sql`name = ${name}`]),
    ...(expires_at === undefined ? [] : [sql`expires_at = ${expires_at}::timestamptz`]),
    ...(scopes === undefined ? [] : [sql`scopes = ${jsonOf(scopes)}::json`]),
    ...(allowed_addresses === undefined ? [] : [sql`allowed_addresses = ${allowed_addresses}::text[]`]),
    sql`revision = k.revision + 1`,
  ]
  return sql`
    update public.api_keys k set ${join(set)} where k.id = ${id} and ${isOwn(tenant, userId)}
       and not (k.is_replaced and coalesce(${expires_at ?? null}::timestamptz > k.expires_at,
                                           ${expires_at === null}))
    returning ${columns}`
}

/** The condition that a key has ended: its time is over, or the sign-ins of its user were ended. */
const hasEnded = sql`
  (coalesce(k.expires_at <= now(), false)
   or k.generation <> (select u.generation from public.users u where u.id = k.user_id))`

/** Selects whether a key of a user was replaced already, and whether it has ended. */
export const selectKeyState = (tenant: TenantLocator, userId: number, id: number) =>
  sql<{ is_replaced: boolean; has_expired: boolean }>`
    select k.is_replaced, ${hasEnded} as has_expired
      from public.api_keys k where k.id = ${id} and ${isOwn(tenant, userId)}`

/**
 * Inserts a key with the settings of another key of the user, and ends that key after some seconds. Returns
 * no row if the old key does not exist, was replaced already or has expired. The statement reads the old key
 * in its state before the statement.
 */
export const rotateKey = (
  tenant: TenantLocator,
  userId: number,
  id: number,
  { overlap_seconds }: Rotation,
  { prefix, hash }: NewKey,
) => sql`
  with old as (
         select k.* from public.api_keys k
          where k.id = ${id} and ${isOwn(tenant, userId)}
            and not k.is_replaced and not ${hasEnded}
            for update),
       ending as (
         update public.api_keys k
            set is_replaced = true,
                expires_at = least(k.expires_at, now() + make_interval(secs => ${overlap_seconds}))
           from old where k.id = old.id)
  insert into public.api_keys as k
    (user_id, site_id, name, prefix, hash, expires_at, generation, is_own, scopes, allowed_addresses)
  select old.user_id, old.site_id, old.name, ${prefix}, ${hash}, old.expires_at, old.generation, old.is_own,
         old.scopes, old.allowed_addresses
    from old
  returning ${columns}`

/** Deletes a key of a user. Returns no row if there is none. */
export const deleteKey = (tenant: TenantLocator, userId: number, id: number) => sql<{ id: number }>`
  delete from public.api_keys k where k.id = ${id} and ${isOwn(tenant, userId)} returning k.id`
