/** The SQL of verifying e-mail addresses. */
import type { RequestContext } from '../../../kernel/context.ts'
import { callerOf } from '../../../kernel/db/caller.ts'
import { type Sql, sql } from '../../../kernel/db/sql.ts'
import type { VerifiedAddress } from './schema.ts'

/**
 * Confirms an address by a link: public.confirm_email. `notice` is the id of the e-mail to the former
 * address. `event` puts the event of `confirmed.account` into the outbox. Returns no row for a link that is
 * not valid.
 */
export const confirm = (ctx: RequestContext, tokenHash: string, notice: string, event: Sql) =>
  sql<VerifiedAddress>`
  with confirmed as (select public.confirm_email(${tokenHash}, ${callerOf(ctx)}, ${notice}) as account)
  select public.shown_address(u.email) as email, u.password_hash is not null as has_password,
         ${event} as event
    from confirmed, lateral (select (confirmed.account).*) u
   where u.id is not null`

/** Selects the notice to the former address. Returns no row if the address was not changed. */
export const hasNotice = (notice: string) => sql<{ id: string }>`
  select e.id from public.account_emails e where e.id = ${notice}`
