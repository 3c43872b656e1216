/** The SQL of sign-ins of the command line. */
import type { Caller } from '../../../kernel/context.ts'
import { isByPassword } from '../../../kernel/db/caller.ts'
import { sql } from '../../../kernel/db/sql.ts'

/** A sign-in that begins. */
export interface NewSignIn {
  /** The id of the sign-in. It can begin once. */
  id: string
  /** The account that has confirmed. Its session must still be open. */
  by: Caller
  /** The id of the first refresh token. */
  refreshId: string
  expiresAt: Date
  device: string
  country: string | null
}

/**
 * Begins a sign-in. If it has already begun, ends it and returns no row, because somebody else has the code,
 * too. Also returns no row if the account or the session has ended.
 */
export const beginSignIn = ({ id, by, refreshId, expiresAt, device, country }: NewSignIn) => sql<{
  id: string
}>`
  with begun as (
    insert into public.refresh_families as f
      (id, user_id, current, expires_at, generation, organization_id, host, by_password, device, country)
    select ${id}::uuid, u.id, ${refreshId}::uuid, ${expiresAt.toISOString()}::timestamptz, u.generation,
           ${by.organizationId ?? null}::bigint, ${by.host ?? null}, ${isByPassword(by)}, ${device},
           ${country}
      -- Whoever ends sign-ins at the same time has done it by then, or waits until this one is there.
      from (select x.* from public.users x where x.id = ${by.userId} for share) u
     where u.is_active and u.generation = ${by.generation}
       and public.is_open(${by.session ?? null}::uuid) is not false
    -- The update below does not see a sign-in that another request begins at the same time.
    on conflict (id) do update set revoked_at = coalesce(f.revoked_at, now())
    returning f.id, f.revoked_at is null as is_new
  ), ended as (
    update public.refresh_families f set revoked_at = coalesce(f.revoked_at, now())
     where f.id = ${id}::uuid and f.user_id = ${by.userId} and not exists (select from begun)
  )
  select id from begun where is_new`
