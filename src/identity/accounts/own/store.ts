/** The SQL of the caller's own account. */

import type { users } from '../../../../drizzle/platform/accounts.ts'
import type { Caller } from '../../../kernel/context.ts'
import { callerSql } from '../../../kernel/db/caller.ts'
import { columnsOf, computed, of } from '../../../kernel/db/columns.ts'
import { isoTimestamp } from '../../../kernel/db/iso-timestamp.ts'
import { type Sql, sql } from '../../../kernel/db/sql.ts'
import { type UserRow, userColumns } from '../../users/service.ts'
import type { OwnAccount, OwnChange, PlannedDeletion } from './schema.ts'

const u = of<typeof users>('u')

/** A row that is selected with `ownColumns`. */
export type OwnRow = UserRow & Omit<OwnAccount, keyof UserRow | 'full_name'>

const ownColumns = columnsOf(
  userColumns,
  u('preferred_language'),
  computed<Pick<OwnRow, 'email_verified' | 'pending_email'>>({
    email_verified: sql`u.email_verified_at is not null`,
    pending_email: sql`(select public.shown_address(e.recipient) from public.account_emails e
    where e.user_id = u.id and e.kind = 'change-email' and e.expires_at > now()
    order by e.wanted_at desc limit 1)`,
  }),
  u.times('deletes_at'),
)

/** Selects the caller's account. */
export const selectOwn = ({ userId }: Caller) =>
  sql`select ${ownColumns} from public.users u where u.id = ${userId}`

/** Changes the names and the language. `event` puts the event of `changed.account` into the outbox. */
export const updateOwn = ({ userId }: Caller, change: OwnChange, event: Sql): Sql => sql`
  with changed as (
    update public.users u
       set first_name = coalesce(${change.first_name ?? null}, u.first_name),
           last_name = coalesce(${change.last_name ?? null}, u.last_name),
           preferred_language = case when ${change.preferred_language === undefined}
                                     then u.preferred_language else ${change.preferred_language ?? null} end
     where u.id = ${userId}
    returning u as account)
  select ${event} as event from changed`

/** Forgets a new address that waits for its confirmation. */
export const forgetPendingEmail = ({ userId }: Caller): Sql => sql`
  delete from public.account_emails e where e.user_id = ${userId} and e.kind = 'change-email'`

/**
 * Plans the deletion of the account in seven days: public.plan_deletion. Returns no row for the only owner of
 * an organization. `notice` is the id of the e-mail to the owner.
 */
export const planDeletion = ({ userId }: Caller, notice: string) => sql<PlannedDeletion>`
  select ${isoTimestamp(sql`p.deletes_at`)} as deletes_at
    from (select public.plan_deletion(${userId}, ${notice}) as deletes_at) p where p.deletes_at is not null`

/** Keeps an account whose deletion was planned. */
export const keepAccount = ({ userId }: Caller): Sql => sql`
  update public.users u set deletes_at = null where u.id = ${userId} and u.deletes_at is not null`

/** Selects the caller's stored data except the account itself, as JSON: public.export_account. */
export const selectExport = (caller: Caller) => sql<{ data: Record<string, unknown> }>`
  select public.export_account(${callerSql(caller)}) as data`

/** Selects the addresses of the accounts whose time has come, and the languages that their owners prefer. */
export const selectPlanned = sql<{ address: string; language: string }>`
  select u.email as address, u.preferred_language as language from public.users u
   where u.deletes_at < now() and u.preferred_language is not null`

/** Deletes the accounts whose time has come: public.delete_planned_accounts. */
export const deletePlanned: Sql = sql`select public.delete_planned_accounts(100)`

/** Selects the notices about the accounts that were deleted in the same transaction. */
export const selectDeletionNotices = sql<{ notice: string; address: string }>`
  select e.id as notice, e.recipient as address from public.account_emails e
   where e.kind = 'account-deleted' and e.sent_at is null and e.wanted_at = now()`
