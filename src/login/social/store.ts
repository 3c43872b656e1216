import type { TenantLocator } from '../../context.ts'
import { type Sql, sql } from '../../db/sql.ts'
import { sha256 } from '../../lib/hash.ts'
import { type UserRow, userColumns } from '../../users/service.ts'
import type { Attempt, NewAttempt } from '../exchange/authorize.ts'
import { columns, type SocialAppRow } from '../social-apps/store.ts'
import { attemptSeconds } from './attempts.ts'

/** The app that paths name so, and the sign-in that begins with it. Sign-ins that nobody finished go, some at a time. */
export const beginAttempt = (handle: string, { state, nonce, codeVerifier, redirectUri, next }: NewAttempt) => sql<SocialAppRow>`
  with app as (
    select ${columns} from _social_apps a where a.handle = ${handle}
  ), expired as (
    delete from _social_attempts t where t.state in (
      select x.state from _social_attempts x where x.expires_at < now() limit 100 for update skip locked)
  ), begun as (
    insert into _social_attempts (state, social_app_id, nonce, code_verifier, redirect_uri, next, expires_at)
    select ${sha256(state)}, app.id, ${nonce}, ${codeVerifier}, ${redirectUri}, ${next}, now() + make_interval(secs => ${attemptSeconds}) from app
  )
  select * from app`

/** Ends a sign-in, once: of any number that try to, one gets it. No row for an expired one, or one with another app. */
export const endAttempt = (handle: string, state: string | null) => sql<Attempt>`
  with ended as (
    delete from _social_attempts t using _social_apps a
     where t.state = ${state === null ? null : sha256(state)} and a.id = t.social_app_id and a.handle = ${handle}
    returning t.nonce, t.code_verifier as "codeVerifier", t.redirect_uri as "redirectUri", t.next, t.expires_at
  )
  select nonce, "codeVerifier", "redirectUri", next from ended where expires_at > now()`

export const selectByHandle = (handle: string) => sql<SocialAppRow>`select ${columns} from _social_apps a where a.handle = ${handle}`

export const noteIssuer = (id: number, revision: number, issuer: string): Sql => sql`
  update _social_apps a set issuer = ${issuer} where a.id = ${id} and a.revision = ${revision}`

/** These run before the tenant is entered, as the service. */
export const isHostOfSite = ({ host, slug }: TenantLocator, other: string, base: string | null) => sql<{ is_own: boolean }>`
  select public.is_host_of_site(${host}, ${slug}, ${other}, ${base}) as is_own`

interface Identity {
  tenant: TenantLocator
  appId: number
  issuer: string
  subject: string
}

const identity = ({ tenant, appId, issuer, subject }: Identity) => sql`${tenant.host}, ${tenant.slug}, ${appId}, ${issuer}, ${subject}`

/** One row: the outcome; and of whoever is signed in, the account, its generation, and the organization of the provider. */
export interface SignInRow extends UserRow {
  outcome: string
  generation: number
  organization_id: number
}

const signedIn = (call: Sql) => sql<SignInRow>`
  select s.outcome, s.p_organization as organization_id, u.generation, ${userColumns} from ${call} s, lateral (select (s.p_account).*) u`

/** See public.sign_in_socially. `confirmation`: the id of the confirmation that it may ask for. */
export const signIn = (who: Identity, email: string | null, trusted: boolean, confirmation: string) =>
  signedIn(sql`public.sign_in_socially(${identity(who)}, ${email}, ${trusted}, ${confirmation})`)

/** See public.confirm_social_account. */
export const confirm = ({ host, slug }: TenantLocator, confirmation: string, codeHash: string) =>
  signedIn(sql`public.confirm_social_account(${host}, ${slug}, ${confirmation}, ${codeHash})`)

/** What the letter with the code needs; with a new code, of which the database keeps the hash. No row for a confirmation that has ended. */
export const writeCode = (confirmation: string, codeHash: string) => sql<{ to: string; organization: string; site: string }>`
  update public.confirmations c set code_hash = ${codeHash}
    from public.users u, public.sites s, public.organizations o
   where c.id = ${confirmation} and c.expires_at > now() and u.id = c.user_id and s.id = c.site_id and o.id = s.organization_id
  returning u.email as "to", o.name as organization, s.name as site`

export const deleteExpiredConfirmations: Sql = sql`delete from public.confirmations where expires_at < now() - interval '1 hour'`

/** See public.link_social_account. */
export const linkAccount = (who: Identity, userUuid: string, vouched: boolean) => sql<{ organization_id: number }>`
  select public.link_social_account(${identity(who)}, ${userUuid}, ${vouched}) as organization_id`
