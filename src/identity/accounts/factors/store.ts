/** The SQL of second factors. */
import { hasFactor } from '../../../kernel/access/second-factor/store.ts'
import type { NewTrust } from '../../../kernel/access/trust-responses.ts'
import type { Caller } from '../../../kernel/context.ts'
import { callerSql } from '../../../kernel/db/caller.ts'
import { isoTimestamp } from '../../../kernel/db/iso-timestamp.ts'
import { type Sql, sql } from '../../../kernel/db/sql.ts'
import type { Method } from '../../../kernel/lib/sign-in-methods.ts'
import type { AccountText } from '../../../secrets/account-texts/service.ts'

/** A statement that fails with TS403 for a sign-in that is valid in one organization only. */
export const requirePlatformSignIn = (caller: Caller): Sql =>
  sql`select public.require_platform_sign_in(${callerSql(caller)})`

/** Selects the second factors of the caller's account. */
export const selectOwn = ({ userId }: Caller) => sql<{
  totp: string | null
  passkeys: number
  recovery_codes: number
  is_required: boolean
}>`
  select (select ${isoTimestamp(sql`t.confirmed_at`)} from public.totp_secrets t
           where t.user_id = ${userId} and t.confirmed_at is not null) as totp,
         (select count(*)::integer from public.passkeys k where k.user_id = ${userId}) as passkeys,
         (select count(*)::integer from public.recovery_codes r where r.user_id = ${userId})
           as recovery_codes,
         ${hasFactor(sql`${userId}::bigint`)} as is_required`

/** The data that is needed before a factor is added. */
export interface BeforeAdding {
  uuid: string
  username: string
  email: string
  full_name: string
  /** Whether a factor may be added: public.may_add_factor. */
  may_add: boolean
  has_totp: boolean
  /** The proofs of master keys, by kid. */
  proofs: Record<string, string> | null
}

/** Selects the data that is needed before a factor is added to the caller's account. */
export const selectBeforeAdding = ({ userId }: Caller) => sql<BeforeAdding>`
  select u.uuid, u.username, u.email, trim(u.first_name || ' ' || u.last_name) as full_name,
         public.may_add_factor(u) as may_add,
         exists (select from public.totp_secrets t
                  where t.user_id = u.id and t.confirmed_at is not null) as has_totp,
         (select json_object_agg(m.kid, m.proof) from public.master_keys m) as proofs
    from public.users u where u.id = ${userId}`

/**
 * Stores a secret that is not confirmed yet, and replaces an earlier one. Returns no row if the account has
 * an authenticator app by now.
 */
export const insertSecret = (
  { userId }: Caller,
  { masterKid, stored, proof }: AccountText & { proof: string },
) => sql<{ user_id: number }>`
  with key as (
    insert into public.master_keys (kid, proof) values (${masterKid}, ${proof})
    on conflict do nothing)
  insert into public.totp_secrets as t (user_id, secret, master_kid)
  values (${userId}, ${stored}, ${masterKid})
  on conflict (user_id) do update
     set secret = excluded.secret, master_kid = excluded.master_kid, created = now()
   where t.confirmed_at is null
  returning t.user_id`

/** Selects the secret that waits for its first code. */
export const selectPending = ({ userId }: Caller) => sql<AccountText>`
  select t.master_kid as "masterKid", t.secret as stored from public.totp_secrets t
   where t.user_id = ${userId} and t.confirmed_at is null and t.created > now() - interval '15 minutes'`

/** The account after a factor was added. */
export interface AddedRow {
  generation: number
  has_codes: boolean
}

/** Turns on the authenticator app: public.confirm_totp. */
export const confirmTotp = (
  { userId }: Caller,
  { stored, step, hashes, notice }: { stored: string; step: number; hashes: string[]; notice: string },
) => sql<AddedRow>`
  select c.generation, c.has_codes
    from public.confirm_totp(${userId}, ${stored}, ${step}, ${hashes}::text[], ${notice}) c`

/** Removes the authenticator app, or a passkey: public.remove_factor. */
export const removeFactor = ({ userId, session }: Caller, passkey: number | null, notice: string) => sql<{
  outcome: 'removed' | 'missing' | 'last'
}>`
  select public.remove_factor(${userId}, ${session ?? null}, ${passkey}, ${notice}) as outcome`

/**
 * Replaces the recovery codes of an account with a second factor. Returns no row for an account without one.
 * The caller must lock the account before, because a statement does not see codes that are added while it
 * waits for its own lock.
 */
export const replaceCodes = ({ userId }: Caller, hashes: string[], notice: string) => sql<{ id: number }>`
  with account as (
    select u.id, u.email from public.users u
     where u.id = ${userId} and ${hasFactor(sql`u.id`)}
  ), deleted as (
    delete from public.recovery_codes r using account where r.user_id = account.id
  ), noticed as (
    insert into public.account_emails (id, kind, recipient, user_id)
    select ${notice}, 'factors-changed', account.email, account.id from account
  )
  insert into public.recovery_codes (hash, user_id)
  select h, account.id from account, unnest(${hashes}::text[]) h
  returning user_id as id`

/** The data that a code is compared with. */
export interface AttemptRow {
  user_id: number
  secret: string | null
  master_kid: string | null
  blocked_seconds: number | null
}

/**
 * Counts an attempt to finish a sign-in: public.attempt_challenge. `domain`: the tenant's host of the
 * request.
 */
export const attempt = (challenge: string, domain: string | null) => sql<AttemptRow>`
  select user_id, secret, master_kid, blocked_seconds
    from public.attempt_challenge(${challenge}, ${domain})`

/** A sign-in that is finished. */
export interface FinishedRow {
  user_id: number
  generation: number
  organization_id: number | null
  methods: Method[]
  read_at: string
}

/** The proof that completes a sign-in. */
interface Finish {
  isTotp: boolean
  step: number | undefined
  recoveryHash: string
  trust: NewTrust | null
}

/**
 * Completes a sign-in: public.finish_challenge. Returns no row if the code is wrong. `trust`: trust the
 * browser from now on.
 */
export const finish = (challenge: string, { isTotp, step, recoveryHash, trust }: Finish) =>
  sql<FinishedRow>`
  select c.user_id, c.generation, c.organization_id, c.methods, clock_timestamp()::text as read_at,
         ${trustDevice(sql`c.user_id`, trust)}
    from public.finish_challenge(${challenge}, ${isTotp}, ${step ?? null}, ${recoveryHash}) c`

/** A column that trusts the browser in which an account's second factor was used: public.trust_device. */
export const trustDevice = (userId: Sql, trust: NewTrust | null): Sql =>
  trust === null
    ? sql`null as trusted`
    : sql`public.trust_device(${userId}, ${trust.hash}, ${trust.device}, ${trust.country},
                              ${trust.days})::text as trusted`
