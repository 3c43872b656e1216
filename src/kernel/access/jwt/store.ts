/**
 * The SQL of refresh tokens. The tokens of one sign-in are a family, of which only one token can be used. A2.
 */
import type { RequestContext } from '../../context.ts'
import { wakeMs } from '../../db/breaker.ts'
import { callerSql } from '../../db/caller.ts'
import type { Database } from '../../db/database.ts'
import { isoTimestamp } from '../../db/iso-timestamp.ts'
import { type Sql, sql } from '../../db/sql.ts'
import type { Claims } from '../signed-tokens.ts'

const deadlineMs = wakeMs

/**
 * Makes `next` the current token of its family, and returns it: public.rotate_refresh. If `used` was the
 * current one until a moment ago, returns its unused successor with the id and the expiry that it has.
 * Otherwise returns undefined and revokes the family. A9
 */
export async function rotate(ctx: RequestContext, used: Claims, next: Claims): Promise<Claims | undefined> {
  const rotation = sql<{ token: string; expires_at: string } | { token: null; expires_at: null }>`
    select r.token, ${isoTimestamp(sql`r.expires_at`)} as expires_at
      from public.rotate_refresh(${used.family ?? used.id}, ${callerSql(used)}, ${used.id}, ${next.id},
                                 ${next.expiresAt.toISOString()}, ${used.issuedAt.toISOString()}) r`
  const answers = await ctx.database.batch({ rotation, notes: ctx.afterCommit.selectNotes }, deadlineMs)
  // Callers that are cached may belong to a family that was revoked.
  await ctx.afterCommit.handle(ctx, answers.notes.one)
  const { token, expires_at } = answers.rotation.one
  return token === null ? undefined : { ...next, id: token, expiresAt: new Date(expires_at) }
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
  const { userId, generation, id, family } = claims
  const check = sql<{ live: boolean }>`
    select exists (select from public.users u
                    where u.id = ${userId} and u.is_active and u.generation = ${generation}
                      and public.counts(${callerSql(claims)}))
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
