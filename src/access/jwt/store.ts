/**
 * The SQL of refresh tokens. The tokens of one sign-in are a family, of which only one token can be used. A2.
 */
import type { RequestContext } from '../../context.ts'
import { wakeMs } from '../../db/breaker.ts'
import { callerSql } from '../../db/caller.ts'
import type { Database } from '../../db/database.ts'
import { type Sql, sql } from '../../db/sql.ts'
import type { Claims } from '../signed-tokens.ts'

const deadlineMs = wakeMs

/**
 * Makes `next` the current token of its family. Returns false, and revokes the family, if `used` was not the
 * current one.
 */
export async function rotate(ctx: RequestContext, used: Claims, next: Claims): Promise<boolean> {
  const rotation = sql<{ rotated: boolean }>`
    select public.rotate_refresh(${used.family ?? used.id}, ${callerSql(used)}, ${used.id}, ${next.id},
                                 ${next.expiresAt.toISOString()}, ${used.issuedAt.toISOString()})
        as rotated`
  const answers = await ctx.database.batch({ rotation, notes: ctx.afterCommit.selectNotes }, deadlineMs)
  // Callers that are cached may belong to a family that was revoked.
  await ctx.afterCommit.handle(ctx, answers.notes.one)
  return answers.rotation.one.rotated
}

/** Revokes the family of a refresh token. A family is stored when its first token is used or revoked. */
export async function revoke(
  ctx: RequestContext,
  { userId, id, family = id, expiresAt }: Claims,
): Promise<void> {
  const revocation = sql`
    insert into public.refresh_families as f (id, user_id, current, revoked_at, expires_at)
    select ${family}, u.id, ${id}, now(), ${expiresAt.toISOString()}
      from public.users u where u.id = ${userId}
    on conflict (id) do update set revoked_at = coalesce(f.revoked_at, now())`
  const answers = await ctx.database.batch({ revocation, notes: ctx.afterCommit.selectNotes }, deadlineMs)
  await ctx.afterCommit.handle(ctx, answers.notes.one)
}

/**
 * Tells whether the token's account may still sign in and, for a refresh token, whether it is the current
 * one.
 */
export async function isLive(database: Database, claims: Claims, isRefresh: boolean): Promise<boolean> {
  const { userId, generation, organizationId = null, id, family } = claims
  const check = sql<{ live: boolean }>`
    select exists (select from public.users u
                    where u.id = ${userId} and u.is_active and u.generation = ${generation}
                      and (${organizationId}::bigint is null or public.opens(${organizationId}, u.id)))
       and not exists (
         select from public.refresh_families f
          where f.id = ${family ?? null}::uuid
            and (f.revoked_at is not null or ${isRefresh} and f.current <> ${id}::uuid)) as live`
  const answers = await database.batch({ check }, deadlineMs)
  return answers.check.one.live
}

/** Deletes the families that expired more than a day ago. */
export const deleteExpiredFamilies: Sql = sql`
  delete from public.refresh_families where expires_at < now() - interval '1 day'`
