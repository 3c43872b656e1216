import type { Caller, TenantLocator } from '../../context.ts'
import { moment } from '../../db/moment.ts'
import { type Sql, sql } from '../../db/sql.ts'
import { type List, type ListQuery, selectPage } from '../../http/lists/list.ts'
import type { NewKey } from './key.ts'
import type { ApiKey, ApiKeyInput } from './schema.ts'

const columns = sql`k.id, k.name, k.prefix, ${moment(sql`k.created_at`)} as created_at, ${moment(sql`k.expires_at`)} as expires_at`

const own = ({ host, slug }: TenantLocator, userId: number) => sql`
  k.user_id = ${userId} and k.site_id = (select s.id from public.sites s where s.slug = public.site_at(${host}, ${slug}))`

export const list: List = {
  orderings: new Map<string, Sql | { nullable: Sql }>([
    ['id', sql`k.id`],
    ['name', sql`k.name`],
    ['created_at', sql`k.created_at`],
    ['expires_at', { nullable: sql`k.expires_at` }],
  ]),
  ordering: 'id',
  last: sql`k.id`,
  search: { texts: [sql`k.name`, sql`k.prefix`], in: 'the name, or of how the key begins' },
}

export const selectKeys = (tenant: TenantLocator, userId: number, query: ListQuery) =>
  selectPage<ApiKey>(list, query, { columns, from: sql`public.api_keys k`, where: [own(tenant, userId)] })

/** It ends with the sign-ins of its account. */
export const insertKey = ({ host, slug }: TenantLocator, caller: Caller, input: ApiKeyInput, { prefix, hash }: NewKey) => sql<ApiKey>`
  insert into public.api_keys as k (user_id, site_id, name, prefix, hash, expires_at, generation, is_own)
  select u.id, s.id, ${input.name}, ${prefix}, ${hash}, ${input.expires_at}::timestamptz, u.generation,
         u.password_is_own and ${caller.organizationId === undefined}
    from public.sites s join public.users u on u.id = ${caller.userId} where s.slug = public.site_at(${host}, ${slug})
  returning ${columns}`

export const deleteKey = (tenant: TenantLocator, userId: number, id: number) => sql<{ id: number }>`
  delete from public.api_keys k where k.id = ${id} and ${own(tenant, userId)} returning k.id`
