/** The SQL of signing up. */
import type { TenantLocator } from '../../../kernel/context.ts'
import { type Sql, sql } from '../../../kernel/db/sql.ts'
import { type UserRow, userColumns } from '../../users/service.ts'
import { newPasskeySql, type PasskeyToAdd } from '../passkeys/store.ts'
import type { NewKey } from '../passkeys/verify.ts'

/** The site's settings for a sign-up with an address, and whether an account has the address. */
export interface TermsRow {
  sign_up: 'closed' | 'invited' | 'open'
  takes_address: boolean
  /** Whether the request itself creates the account, because the site does not require a verified address. */
  is_immediate: boolean
}

/** Selects the settings of a request's site for a sign-up with an address. */
export const selectTerms = ({ host, slug }: TenantLocator, email: string) => sql<TermsRow>`
  select s.sign_up, public.takes_address(s, ${email}) as takes_address,
         s.sign_up = 'open' and not s.require_verified_email and not public.is_address_taken(${email}, 0)
           as is_immediate
    from public.sites s where s.slug = public.site_at(${host}, ${slug})`

/** A person who signs up. */
interface Person {
  email: string
  username: string
  passwordHash: string
  first_name: string
  last_name: string
}

/**
 * Stores a sign-up with the id of its e-mail: public.begin_sign_up. `isNew` creates the account at once if
 * the site does not require a verified address. `event` puts the event of `made.account` into the outbox.
 */
export const begin = (
  { host, slug }: TenantLocator,
  id: string,
  { email, username, passwordHash, first_name, last_name }: Person,
  { isNew, event }: { isNew: boolean; event: Sql },
): Sql => sql`
  with made as (
    select public.begin_sign_up(${host}, ${slug}, ${id},
      row(${email}, ${username}, ${passwordHash}, ${first_name}, ${last_name})::public.new_person, ${isNew})
      as account)
  select ${event} as event from made where (made.account).id is not null`

/** A sign-up that waits for its link. */
interface WaitingRow {
  email: string
  password_hash: string
  first_name: string
  last_name: string
  /** Whether the account was created at once. */
  has_account: boolean
}

/** Selects a sign-up at the site of a request by its link. */
export const selectWaiting = ({ host, slug }: TenantLocator, tokenHash: string) => sql<WaitingRow>`
  select e.recipient as email, w.password_hash, w.first_name, w.last_name,
         e.user_id is not null as has_account
    from public.account_emails e
    join public.sign_ups w on w.id = e.id
    join public.sites s on s.id = e.site_id
   where e.token_hash = ${tokenHash} and e.kind = 'sign-up' and e.expires_at > now()
     and w.passkey is null and s.slug = public.site_at(${host}, ${slug})`

/**
 * Completes a sign-up: public.finish_sign_up. `event` puts the event of `finished.account` into the outbox.
 * Returns no row for a link that is no longer valid.
 */
export const finish = ({ host, slug }: TenantLocator, tokenHash: string, username: string, event: Sql) =>
  sql<UserRow>`
  with finished as (
    select public.finish_sign_up(${host}, ${slug}, ${tokenHash}, ${username}) as account)
  select ${userColumns}, ${event} as event from finished, lateral (select (finished.account).*) u
   where u.id is not null`

/**
 * Stores a sign-up with a passkey: public.begin_passkey_sign_up. `handle` is the UUID of the future account.
 */
export const beginWithPasskey = (
  { host, slug }: TenantLocator,
  id: string,
  { email, first_name, last_name, handle, passkey }: PasskeyPerson,
): Sql => sql`
  select public.begin_passkey_sign_up(${host}, ${slug}, ${id},
    row(${email}, null, null, ${first_name}, ${last_name})::public.new_person, ${handle},
    ${newPasskeySql(passkey)})`

interface PasskeyPerson extends Pick<Person, 'email' | 'first_name' | 'last_name'> {
  handle: string
  passkey: Omit<PasskeyToAdd, 'hashes' | 'notice'>
}

/** A sign-up with a passkey that waits for its link. */
interface PasskeyWaitingRow extends Pick<WaitingRow, 'email' | 'first_name' | 'last_name'>, NewKey {
  handle: string
  rp_id: string
}

/** Selects a sign-up with a passkey at the site of a request by its link. */
export const selectWaitingWithPasskey = ({ host, slug }: TenantLocator, tokenHash: string) =>
  sql<PasskeyWaitingRow>`
  select e.recipient as email, w.first_name, w.last_name, w.handle, k.rp_id,
         k.credential_id as "credentialId", k.public_key as "publicKey", k.counter
    from public.account_emails e
    join public.sign_ups w on w.id = e.id
    join public.sites s on s.id = e.site_id,
         lateral jsonb_populate_record(null::public.new_passkey, w.passkey) k
   where e.token_hash = ${tokenHash} and e.kind = 'sign-up' and e.expires_at > now()
     and w.passkey is not null and s.slug = public.site_at(${host}, ${slug})`

/**
 * Completes a sign-up with a passkey: public.finish_passkey_sign_up. `event` puts the event of
 * `finished.account` into the outbox. Returns no row for a link that is no longer valid.
 */
export const finishWithPasskey = (
  { host, slug }: TenantLocator,
  tokenHash: string,
  { username, counter, hashes }: { username: string; counter: number; hashes: readonly string[] },
  event: Sql,
) => sql<UserRow & { has_codes: boolean }>`
  with finished as (
    select f.account, f.has_codes
      from public.finish_passkey_sign_up(${host}, ${slug}, ${tokenHash}, ${username}, ${counter},
                                         ${hashes}::text[]) f)
  select ${userColumns}, finished.has_codes, ${event} as event
    from finished, lateral (select (finished.account).*) u
   where u.id is not null`
