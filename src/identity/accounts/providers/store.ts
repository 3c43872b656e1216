/** The SQL of the providers with which the caller can sign in. */
import type { Caller } from '../../../kernel/context.ts'
import { computed } from '../../../kernel/db/columns.ts'
import { isoTimestamp } from '../../../kernel/db/iso-timestamp.ts'
import { type Sql, sql } from '../../../kernel/db/sql.ts'
import { type List, type ListQuery, selectPage } from '../../../kernel/http/lists/list.ts'
import { listForm, type OwnProvider } from './schema.ts'

export const list: List<typeof listForm> = {
  ...listForm,
  columns: { id: sql`p.id`, site: sql`p.site`, created: sql`p.created`, last_login: sql`p.last_login` },
  last: sql`p.id`,
  texts: [sql`p.site`, sql`p.provider`, sql`p.name`],
}

/**
 * Selects a page of the caller's providers: public.own_providers. A sign-in that counts in one organization
 * sees those of that organization. A8
 */
export const selectProviders = ({ userId, organizationId }: Caller, query: ListQuery) =>
  selectPage(list, query, {
    columns: computed<OwnProvider>({
      id: sql`p.id`,
      site: sql`p.site`,
      organization: sql`p.organization`,
      provider: sql`p.provider`,
      name: sql`p.name`,
      created: isoTimestamp(sql`p.created`),
      last_login: isoTimestamp(sql`p.last_login`),
    }),
    from: sql`public.own_providers(${userId}) p`,
    where: [
      sql`p.organization = coalesce(
            (select o.slug from public.organizations o where o.id = ${organizationId ?? null}),
            p.organization)`,
    ],
  })

/** Whether the account `u` has another way to sign in than the link `a`. */
const hasOtherWay = sql`
  (u.password_hash is not null
   or exists (select from public.passkeys k where k.user_id = u.id and k.organization_id is null)
   or exists (select from public.social_accounts o where o.user_id = u.id and o.id <> a.id))`

/** Selects a provider of the caller, and whether the account has another way to sign in. */
export const selectLink = ({ userId }: Caller, id: number) => sql<{ has_other_way: boolean }>`
  select ${hasOtherWay} as has_other_way
    from public.social_accounts a join public.users u on u.id = a.user_id
   where a.id = ${id} and a.user_id = ${userId}`

/** Removes a provider of the caller, unless it is the only way to sign in. */
export const deleteLink = ({ userId }: Caller, id: number): Sql => sql`
  delete from public.social_accounts a using public.users u
   where a.id = ${id} and a.user_id = ${userId} and u.id = a.user_id and ${hasOtherWay}`
