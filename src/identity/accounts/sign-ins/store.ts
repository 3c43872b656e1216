/** The SQL of the caller's sign-ins. */

import type { refreshFamilies } from '../../../../drizzle/platform/sign-ins.ts'
import type { Caller } from '../../../kernel/context.ts'
import { callerSql } from '../../../kernel/db/caller.ts'
import { columnsOf, computed, of } from '../../../kernel/db/columns.ts'
import { type Sql, sql } from '../../../kernel/db/sql.ts'
import { type List, type ListQuery, selectPage } from '../../../kernel/http/lists/list.ts'
import { listForm, type SignIn } from './schema.ts'

const f = of<typeof refreshFamilies>('f')

/**
 * The condition that a sign-in is open and belongs to the caller. If the caller's sign-in counts in one
 * organization, only sign-ins that count there do. S7.
 */
const isOwn = ({ userId, generation, organizationId }: Caller): Sql => sql`
  f.user_id = ${userId} and f.generation = ${generation} and f.revoked_at is null and f.expires_at > now()
  and (${organizationId ?? null}::bigint is null or f.organization_id = ${organizationId ?? null})
  and public.counts(row(f.user_id, f.generation, f.organization_id, f.id, null, null, f.host,
                           f.by_password, null))`

export const list: List<typeof listForm> = {
  ...listForm,
  columns: { created: sql`f.created`, last_used_at: sql`f.last_used_at`, expires_at: sql`f.expires_at` },
  last: sql`f.id`,
  texts: [sql`f.device`, sql`f.country`],
}

const columnsFor = (caller: Caller) =>
  columnsOf(
    f('id', 'device', 'country'),
    f.times('created', 'last_used_at', 'expires_at'),
    computed<Pick<SignIn, 'kind' | 'is_current'>>({
      kind: sql`case when f.is_session then 'session' else 'tokens' end`,
      is_current: sql`coalesce(f.id = ${caller.session ?? null}::uuid, false)`,
    }),
  )

/** Selects a page of the caller's open sign-ins. */
export const selectSignIns = (caller: Caller, query: ListQuery) =>
  selectPage(list, query, {
    columns: columnsFor(caller),
    from: sql`public.refresh_families f`,
    where: [isOwn(caller)],
  })

/** Ends one sign-in of the caller. Returns no row if there is none. */
export const endSignIn = (caller: Caller, id: string) => sql<{ id: string }>`
  update public.refresh_families f set revoked_at = now() where f.id = ${id} and ${isOwn(caller)}
  returning f.id`

/** Ends the caller's sign-ins except the one of the request: public.end_other_sign_ins. */
export const endOtherSignIns = (caller: Caller): Sql =>
  sql`select public.end_other_sign_ins(${callerSql(caller)})`
