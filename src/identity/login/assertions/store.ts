/** The SQL of SAML responses. */
import type { TenantLocator } from '../../../kernel/context.ts'
import { type Sql, sql } from '../../../kernel/db/sql.ts'
import { sha256 } from '../../../kernel/lib/sha256.ts'
import type { NewAttempt, ProviderIdentity } from '../exchange/attempt.ts'

/** An attempt that waits for the response of the provider. */
export interface WaitingAttempt {
  nonce: string
  redirectUri: string
}

/** Selects the attempt of a state that waits for a response. */
export const selectAttempt = (handle: string, state: string) => sql<WaitingAttempt>`
  select t.nonce, t.redirect_uri as "redirectUri"
    from _social_attempts t join _social_apps a on a.id = t.social_app_id
   where t.state = ${sha256(state)} and a.handle = ${handle} and t.code_hash is null
     and t.expires_at > now()`

/** The seconds within which a browser must return with the code. */
const codeSeconds = 120

/** The content of a response, under the hash of the code that completes the sign-in. */
export interface KeptResponse {
  codeHash: string
  identity: ProviderIdentity
}

/**
 * Stores a response in the attempt that waits for it. Returns no row if the attempt has ended in the
 * meantime.
 */
export const keepResponse = (state: string, { codeHash, identity }: KeptResponse) => sql<{ kept: boolean }>`
  update _social_attempts t
     set code_hash = ${codeHash}, identity = ${JSON.stringify(identity)}::jsonb,
         expires_at = least(t.expires_at, now() + make_interval(secs => ${codeSeconds}))
   where t.state = ${sha256(state)} and t.code_hash is null and t.expires_at > now()
  returning true as kept`

/** Stores an attempt that has begun at the provider, with its response. */
export const beginWithResponse = (
  appId: number,
  { state, nonce, codeVerifier, redirectUri, next }: NewAttempt,
  { codeHash, identity }: KeptResponse,
) => sql<{ kept: boolean }>`
  insert into _social_attempts (state, social_app_id, nonce, code_verifier, redirect_uri, next,
                                code_hash, identity, is_unsolicited, expires_at)
  values (${sha256(state)}, ${appId}, ${nonce}, ${codeVerifier}, ${redirectUri}, ${next},
          ${codeHash}, ${JSON.stringify(identity)}::jsonb, true,
          now() + make_interval(secs => ${codeSeconds}))
  returning true as kept`

/** An assertion that is used now. */
interface UsedAssertion {
  tenant: TenantLocator
  appId: number
  id: string
  /** Milliseconds since 1970. */
  endsAt: number
}

/** The constraint that fails for an assertion that was used before. */
export const usedBefore = 'saml_assertions_pkey'

/** Stores that an assertion is used. Violates `usedBefore` if it was used before. Runs as the service. */
export const useAssertion = ({ tenant, appId, id, endsAt }: UsedAssertion): Sql => sql`
  insert into public.saml_assertions (site_id, social_app_id, id_hash, expires_at)
  select s.id, ${appId}, ${sha256(id)}, ${new Date(endsAt).toISOString()}::timestamptz
    from public.sites s where s.slug = public.site_at(${tenant.host}, ${tenant.slug})`

export const deleteEndedAssertions: Sql = sql`
  delete from public.saml_assertions a where a.expires_at < now()`
