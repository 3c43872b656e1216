import type { Caller, TenantLocator } from '../../context.ts'
import { moment } from '../../db/moment.ts'
import { type Sql, sql } from '../../db/sql.ts'
import type { NewKey } from './key.ts'
import type { ApiKeyInput } from './schema.ts'

const columns = sql`k.id, k.name, k.prefix, ${moment(sql`k.created_at`)} as created_at, ${moment(sql`k.expires_at`)} as expires_at`

const own = ({ host, slug }: TenantLocator, userId: number) => sql`
  k.user_id = ${userId} and k.site_id = (select s.id from public.sites s where s.slug = public.site_at(${host}, ${slug}))`

export const countKeys = (tenant: TenantLocator, userId: number): Sql => sql`
  select count(*) as count from public.api_keys k where ${own(tenant, userId)}`

export const selectKeys = (tenant: TenantLocator, userId: number, limit: number, offset: number): Sql => sql`
  select ${columns} from public.api_keys k where ${own(tenant, userId)} order by k.id limit ${limit} offset ${offset}`

/** It ends with the sign-ins of its account. */
export const insertKey = ({ host, slug }: TenantLocator, caller: Caller, input: ApiKeyInput, { prefix, hash }: NewKey): Sql => sql`
  insert into public.api_keys as k (user_id, site_id, name, prefix, hash, expires_at, generation, is_own)
  select u.id, s.id, ${input.name}, ${prefix}, ${hash}, ${input.expires_at}::timestamptz, u.generation,
         u.password_is_own and ${caller.organizationId === undefined}
    from public.sites s join public.users u on u.id = ${caller.userId} where s.slug = public.site_at(${host}, ${slug})
  returning ${columns}`

export const deleteKey = (tenant: TenantLocator, userId: number, id: number): Sql => sql`
  delete from public.api_keys k where k.id = ${id} and ${own(tenant, userId)} returning k.id`
