/** The SQL of the caller's trusted devices. */

import type { trustedDevices } from '../../../../drizzle/platform/factors.ts'
import type { Caller } from '../../../kernel/context.ts'
import { columnsOf, of } from '../../../kernel/db/columns.ts'
import { type Sql, sql } from '../../../kernel/db/sql.ts'
import { type List, type ListQuery, selectPage } from '../../../kernel/http/lists/list.ts'
import { listForm } from './schema.ts'

const t = of<typeof trustedDevices>('t')

/**
 * The condition that a device belongs to the caller. A caller who signed in through a provider of an
 * organization sees none, because that sign-in is valid only there. S7.
 */
const isOwn = ({ userId, organizationId }: Caller): Sql => sql`
  t.user_id = ${userId} and t.expires_at > now() and ${organizationId ?? null}::bigint is null`

export const list: List<typeof listForm> = {
  ...listForm,
  columns: {
    id: sql`t.id`,
    created: sql`t.created`,
    last_used_at: sql`t.last_used_at`,
    expires_at: sql`t.expires_at`,
  },
  last: sql`t.id`,
  texts: [sql`t.device`, sql`t.country`],
}

/** Selects a page of the caller's trusted devices. */
export const selectTrustedDevices = (caller: Caller, query: ListQuery) =>
  selectPage(list, query, {
    columns: columnsOf(t('id', 'device', 'country'), t.times('created', 'last_used_at', 'expires_at')),
    from: sql`public.trusted_devices t`,
    where: [isOwn(caller)],
  })

/** Ends the trust in one device of the caller; null: in all. */
export const deleteTrust = (caller: Caller, id: number | null) => sql<{ id: number }>`
  delete from public.trusted_devices t
   where ${isOwn(caller)} and t.id = coalesce(${id}::bigint, t.id) returning t.id`
