/** The SQL of passwords. */
import type { Caller } from '../../../kernel/context.ts'
import type { Sql } from '../../../kernel/db/sql.ts'
import { sql } from '../../../kernel/db/sql.ts'

/** The texts of an account that must not be its password. */
interface OwnTexts {
  username: string
  email: string
  first_name: string
  last_name: string
}

const ownTexts = sql`u.username, u.email, u.first_name, u.last_name`

/** The data of an account that is needed before its password is hashed. */
interface PasswordRow extends OwnTexts {
  password_hash: string | null
}

/** Selects the caller's password. */
export const selectOwn = ({ userId }: Caller) => sql<PasswordRow>`
  select u.password_hash, ${ownTexts} from public.users u where u.id = ${userId}`

/** Selects the account whose password a link can set. Returns no row for a link that is not valid. */
export const selectByToken = (tokenHash: string) => sql<OwnTexts>`
  select ${ownTexts} from public.account_emails e join public.users u on u.id = e.user_id
   where e.token_hash = ${tokenHash} and e.kind in ('reset-password', 'account-created')
     and e.expires_at > now()
     and u.is_active and lower(u.email) = lower(e.recipient)`

/** Returns the texts of a row. */
export const textsOf = ({ username, email, first_name, last_name }: OwnTexts): string[] => [
  username,
  email,
  first_name,
  last_name,
]

/** The account after the change. */
export interface ChangedRow {
  id: number
  generation: number
}

/**
 * Runs a function that returns the changed account. `event` puts the event of `changed.account` into the
 * outbox.
 */
const changedBy = (call: Sql, event: Sql) => sql<ChangedRow>`
  with changed as (select ${call} as account)
  select u.id, u.generation, ${event} as event from changed, lateral (select (changed.account).*) u
   where u.id is not null`

interface NewPassword {
  passwordHash: string
  /** The id of the e-mail that tells the owner. */
  notice: string
  event: Sql
}

/**
 * Changes the caller's password: public.change_password. Returns no row if the password is no longer
 * `present`.
 */
export const change = ({ userId }: Caller, present: string, { passwordHash, notice, event }: NewPassword) =>
  changedBy(sql`public.change_password(${userId}, ${present}, ${passwordHash}, ${notice})`, event)

/** Sets a password by a link: public.reset_password. Returns no row for a link that is not valid. */
export const reset = (tokenHash: string, { passwordHash, notice, event }: NewPassword) =>
  changedBy(sql`public.reset_password(${tokenHash}, ${passwordHash}, ${notice})`, event)
