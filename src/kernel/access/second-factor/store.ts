/** The SQL of sign-ins that wait for a second factor. */
import { isoTimestamp } from '../../db/iso-timestamp.ts'
import { type Sql, sql } from '../../db/sql.ts'
import type { Identity } from '../tokens.ts'
import { challengeSeconds, type Factor } from './schema.ts'

/** Stores a sign-in that waits. */
export const insertChallenge = (
  id: string,
  { userId, generation, organizationId, host, methods = [] }: Identity,
): Sql => sql`
  insert into public.sign_in_challenges (id, user_id, generation, organization_id, host, methods, expires_at)
  values (${id}, ${userId}, ${generation}, ${organizationId ?? null}, ${host ?? null}, ${methods}::text[],
          now() + make_interval(secs => ${challengeSeconds}))`

/**
 * Selects the factors with which an account can finish a sign-in. `rpId` is the host of passkeys. Null:
 * passkeys do not work there.
 */
export const selectFactors = (userId: number, rpId: string | null) => sql<{ factor: Factor }>`
  select f.factor
    from (values (1, 'totp', exists (select from public.totp_secrets t
                                      where t.user_id = ${userId} and t.confirmed_at is not null)),
                 (2, 'passkey', exists (select from public.passkeys k
                                         where k.user_id = ${userId} and k.rp_id = ${rpId}
                                           and k.organization_id is null)),
                 (3, 'recovery_code', exists (select from public.recovery_codes r
                                               where r.user_id = ${userId}))) f (place, factor, has)
   where f.has order by f.place`

/** Selects whether the sign-ins of an account need a second factor: public.has_factor. */
export const hasFactor = (userId: Sql): Sql => sql`public.has_factor(${userId})`

/**
 * Selects when the second factor of an account was used in the browser that has one of these tokens, and
 * stores that the browser was used now. Returns no row if the account does not trust it.
 */
export const useTrust = ({ userId, generation }: Identity, hashes: readonly string[]) => sql<{
  created: string
}>`
  update public.trusted_devices t set last_used_at = now() from public.users u
   where t.user_id = ${userId} and t.hash = any (${hashes}::text[]) and t.expires_at > now()
     and u.id = t.user_id and u.generation = ${generation}
  returning ${isoTimestamp(sql`t.created`)} as created`

/** Deletes expired rows: unfinished sign-ins and passkey challenges, and trusted devices. */
export const deleteExpiredChallenges: Sql = sql`
  with waiting as (delete from public.sign_in_challenges where expires_at < now()),
       unsigned as (delete from public.passkey_challenges where expires_at < now()),
       trusted as (delete from public.trusted_devices where expires_at < now())
  select`
