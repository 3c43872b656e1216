/** The SQL of signing in through a provider. */
import { hasFactor } from '../../../kernel/access/second-factor/store.ts'
import type { Caller, TenantLocator } from '../../../kernel/context.ts'
import { callerSql } from '../../../kernel/db/caller.ts'
import { type Sql, sql } from '../../../kernel/db/sql.ts'
import { sha256 } from '../../../kernel/lib/sha256.ts'
import { type UserRow, userColumns } from '../../users/service.ts'
import type { EndedAttempt, NewAttempt } from '../exchange/attempt.ts'
import { columns, type SocialAppRow } from '../social-apps/store.ts'
import { attemptSeconds } from './attempts-cookie.ts'

/** The user who links a provider: an account, and the sign-in that made the request. */
export interface Linker {
  userId: number
  session: string
}

/** The attempt that a request may complete, and its caller. `linker` is null without a sign-in. */
export interface Finisher {
  kinds: 'sign-in' | 'link' | 'both'
  linker: Linker | null
}

/**
 * Returns the app of a handle and stores an attempt to sign in with it. Also deletes up to 100 expired
 * attempts. The database stores only the hash of the state. `linker` is the user who links the provider;
 * null: the attempt signs in.
 */
export const beginAttempt = (
  handle: string,
  { state, nonce, codeVerifier, redirectUri, next }: NewAttempt,
  linker: Linker | null,
) => sql<SocialAppRow>`
  with app as (
    select ${columns} from _social_apps a where a.handle = ${handle}
  ), expired as (
    update _social_attempts t set is_gone = true where t.state in (
      select x.state from _social_attempts x where x.expires_at < now() limit 100 for update skip locked)
  ), begun as (
    insert into _social_attempts (state, social_app_id, nonce, code_verifier, redirect_uri, next,
                                  link_user_id, link_sign_in, expires_at)
    select ${sha256(state)}, app.id, ${nonce}, ${codeVerifier}, ${redirectUri}, ${next},
           ${linker?.userId ?? null}::bigint, ${linker?.session ?? null}::uuid,
           now() + make_interval(secs => ${attemptSeconds})
      from app
  )
  select * from app`

/**
 * Deletes an attempt and returns it. If several requests do this at once, only one gets it. Returns no row if
 * the attempt has expired, belongs to another app or person, or is of another kind.
 */
export const endAttempt = (handle: string, state: string | null, { kinds, linker }: Finisher) => sql<
  EndedAttempt & { isLink: boolean; isUnsolicited: boolean }
>`
  with ended as (
    update _social_attempts t set is_gone = true from _social_apps a
     where t.state = ${state === null ? null : sha256(state)}
       and a.id = t.social_app_id and a.handle = ${handle}
       and case when t.link_user_id is null then ${kinds !== 'link'}
           else ${kinds !== 'sign-in'} and t.link_user_id = ${linker?.userId ?? null}::bigint
            and t.link_sign_in = ${linker?.session ?? null}::uuid end
    returning t.nonce, t.code_verifier as "codeVerifier", t.redirect_uri as "redirectUri", t.next,
              t.link_user_id is not null as "isLink", t.is_unsolicited as "isUnsolicited",
              t.code_hash as "codeHash", t.identity, t.expires_at
  )
  select nonce, "codeVerifier", "redirectUri", next, "isLink", "isUnsolicited", "codeHash", identity
    from ended where expires_at > now()`

/** Selects the app of a handle. */
export const selectByHandle = (handle: string) =>
  sql<SocialAppRow>`select ${columns} from _social_apps a where a.handle = ${handle}`

/** Selects whether a host belongs to the request's site. `base` is BASE_DOMAIN. Runs as the service. */
export const isHostOfSite = ({ host, slug }: TenantLocator, other: string, base: string | null) => sql<{
  is_own: boolean
}>`
  select public.is_host_of_site(${host}, ${slug}, ${other}, ${base}) as is_own`

/** A person at a provider, by the social app of a site. */
export interface Identity {
  tenant: TenantLocator
  appId: number
  issuer: string
  subject: string
}

const identityRow = ({ tenant, appId, issuer, subject }: Identity) =>
  sql`row(${tenant.host}, ${tenant.slug}, ${appId}, ${issuer}, ${subject}, ${tenant.domain})
        ::public.social_identity`

/** An account that a sign-in has found, its generation, and the provider's organization. */
interface SignedIn extends UserRow {
  generation: number
  organization_id: number
}

/** The result of a sign-in with the outcome 'signed in'. */
export interface SignedInRow extends SignedIn {
  outcome: 'signed in'
  has_factor: boolean
  read_at: string
  /** What the first attachment has ended; null or empty if nothing. S10. */
  ended: Ended[] | null
}

/** A kind of credential that a first attachment can end. */
export type Ended = 'password' | 'api_keys' | 'sessions' | 'providers'

/** The result of any other sign-in. */
type RefusedRow = Pick<SignedInRow, 'has_factor' | 'read_at' | 'ended'> & {
  outcome: 'unknown' | 'closed' | 'inactive' | 'untrusted' | 'forbidden' | 'confirm' | 'wrong' | 'gone'
} & { [Name in keyof SignedIn]: SignedIn[Name] | null }

const signInBy = (call: Sql) => sql<SignedInRow | RefusedRow>`
  select s.outcome, s.organization_id, array_to_json(s.ended) as ended, u.generation,
         ${hasFactor(sql`u.id`)} as has_factor,
         clock_timestamp()::text as read_at, ${userColumns}
    from ${call} s, lateral (select (s.account).*) u`

/** A person whom a provider has identified. */
export interface SocialSignIn {
  identity: Identity
  /** Undefined if the provider named none that an account can have. */
  email: string | undefined
  /** True if the e-mail may open an existing account: the provider or the app's settings vouch for it. */
  isTrusted: boolean
  /** The id of the confirmation that the sign-in creates if the account has to be confirmed first. */
  confirmation: string
}

/** Signs in to the account of an identity or e-mail: public.sign_in_socially. Runs as the service. */
export const signIn = ({ identity, email, isTrusted, confirmation }: SocialSignIn) =>
  signInBy(sql`
    public.sign_in_socially(${identityRow(identity)}, ${email ?? null}, ${isTrusted}, ${confirmation})`)

/** Ends a confirmation with the hash of its code: public.confirm_social_account. Runs as the service. */
export const confirm = ({ host, slug, domain }: TenantLocator, confirmation: string, codeHash: string) =>
  signInBy(sql`public.confirm_social_account(${host}, ${slug}, ${domain}, ${confirmation}, ${codeHash})`)

/**
 * Stores the hash of a new code, and returns the data for its e-mail: the recipient, and the names of the
 * organization and the site. Returns no row if the confirmation has ended.
 */
export const writeCode = (confirmation: string, codeHash: string) => sql<{
  to: string
  organization: string
  organizationSlug: string
  site: string
  siteSlug: string
  preferred: string | null
}>`
  update public.confirmations c set code_hash = ${codeHash}
    from public.users u, public.sites s, public.organizations o
   where c.id = ${confirmation} and c.expires_at > now()
     and u.id = c.user_id and s.id = c.site_id and o.id = s.organization_id
     and exists (select from public.letters l where l.reference = ${referenceOf(confirmation)})
  returning u.email as "to", o.name as organization, o.slug as "organizationSlug", s.name as site,
            s.slug as "siteSlug", u.preferred_language as preferred`

/** The name of the e-mail of a confirmation in public.letters. */
const referenceOf = (confirmation: string): string => `confirmation ${confirmation}`

/** Counts the e-mail with the code of a confirmation: public.admit_letter. */
export const admitCode = (confirmation: string): Sql => sql`
  select public.admit_letter(${referenceOf(confirmation)}, 'asked', u.email, null, null)
    from public.confirmations c join public.users u on u.id = c.user_id
   where c.id = ${confirmation} and c.expires_at > now()`

/** Deletes the confirmations that expired more than an hour ago. */
export const deleteExpiredConfirmations: Sql = sql`
  delete from public.confirmations where expires_at < now() - interval '1 hour'`

/** Links an identity to an account: public.link_social_account. Returns the organization of the provider. */
export const linkAccount = (identity: Identity, userUuid: string, isTrusted: boolean) => sql<{
  organization_id: number
}>`
  select public.link_social_account(${identityRow(identity)}, ${userUuid}, ${isTrusted})
      as organization_id`

/**
 * Links an identity to the caller's account: public.link_own_social_account. `notice` is the id of the e-mail
 * that tells the owner.
 */
export const linkOwn = (identity: Identity, caller: Caller, notice: string) => sql<{ outcome: string }>`
  select public.link_own_social_account(${identityRow(identity)}, ${callerSql(caller)}, ${notice}) as outcome`

/** Selects the link of an identity, after `linkOwn`. */
export const selectLink = ({ tenant, appId, issuer, subject }: Identity, { userId }: Caller) => sql<{
  id: number
}>`
  select a.id from public.social_accounts a join public.sites s on s.id = a.site_id
   where s.slug = public.site_at(${tenant.host}, ${tenant.slug}) and a.social_app_id = ${appId}
     and a.issuer = ${issuer} and a.subject = ${subject} and a.user_id = ${userId}`
