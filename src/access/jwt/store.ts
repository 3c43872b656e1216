import { wakeMs } from '../../db/breaker.ts'
import { callerSql } from '../../db/caller.ts'
import type { Database } from '../../db/client.ts'
import { type Sql, sql } from '../../db/sql.ts'
import type { Claims } from '../signed-tokens.ts'

const deadlineMs = wakeMs

/** Whether a refresh token was the current one of its family, which `next` now is. */
export async function rotate(database: Database, used: Claims, next: Claims): Promise<boolean> {
  const rotation = sql<{ rotated: boolean }>`
    select public.rotate_refresh(${used.family ?? used.id}, ${callerSql(used)}, ${used.id}, ${next.id}, ${next.expiresAt.toISOString()}) as rotated`
  const answers = await database.batch({ rotation }, deadlineMs)
  return answers.rotation.one.rotated
}

/** Revokes the family of a refresh token, whether it was used before or not. */
export async function revoke(database: Database, { userId, id, family = id, expiresAt }: Claims): Promise<void> {
  const revocation = sql`
    insert into public.refresh_families as f (id, user_id, current, revoked_at, expires_at)
    select ${family}, u.id, ${id}, now(), ${expiresAt.toISOString()} from public.users u where u.id = ${userId}
    on conflict (id) do update set revoked_at = coalesce(f.revoked_at, now())`
  await database.batch({ revocation }, deadlineMs)
}

/** Whether the account of a token may sign in, and its tokens were not revoked since. */
export async function isLive(database: Database, claims: Claims): Promise<boolean> {
  const { userId, generation, organizationId = null, id, family } = claims
  const check = sql<{ live: boolean }>`
    select exists (select from public.users u where u.id = ${userId} and u.is_active and u.generation = ${generation}
                      and (${organizationId}::bigint is null or public.opens(${organizationId}, u.id)))
       and not exists (
         select from public.refresh_families f
          where f.id = ${family ?? null}::uuid and (f.revoked_at is not null or f.current <> ${id}::uuid)) as live`
  const answers = await database.batch({ check }, deadlineMs)
  return answers.check.one.live
}

/** Families that ended by themselves are of no more use. */
export const deleteExpiredFamilies: Sql = sql`delete from public.refresh_families where expires_at < now() - interval '1 day'`
