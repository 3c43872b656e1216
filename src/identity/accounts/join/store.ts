/** The SQL of joining a site with an account. */
import type { Caller, TenantLocator } from '../../../kernel/context.ts'
import { type Sql, sql } from '../../../kernel/db/sql.ts'
import type { TermsRow } from '../sign-up/store.ts'

/** The caller's account, and what the site says about its joining. */
interface CandidateRow extends Pick<TermsRow, 'sign_up' | 'takes_address'> {
  username: string
  email: string
  first_name: string
  last_name: string
  /** Whether it has joined or signed up at the site already. */
  has_joined: boolean
  /** Whether the site takes a sign-up with its address. */
  is_admitted: boolean
  /** Whether the site requires a verified address, and that of the account is not. */
  lacks_proof: boolean
  /** Whether the sign-in counts in the site's organization, and the site does not keep the person out. */
  may_join: boolean
}

/** Selects the caller's account with the terms of a request's site. */
export const selectCandidate = (
  { host, slug }: TenantLocator,
  { userId, organizationId }: Caller,
) => sql<CandidateRow>`
  select u.username, u.email, u.first_name, u.last_name, s.sign_up,
         public.takes_address(s, u.email) as takes_address, public.takes_sign_up(s, u.email) as is_admitted,
         s.require_verified_email and u.email_verified_at is null as lacks_proof,
         coalesce(${organizationId ?? null}::bigint, s.organization_id) = s.organization_id
           and g.blocked_at is null as may_join, g.joined_at is not null as has_joined
    from public.users u join public.sites s on s.slug = public.site_at(${host}, ${slug})
    left join public.site_guests g on g.user_id = u.id and g.site_id = s.id
   where u.id = ${userId}`

/** A site that the caller may join, by the name that its pages show. */
export interface JoinableSite {
  name: string
}

/**
 * Selects the site of a request, if the caller's account does not belong to it and its address could sign up
 * there.
 */
export const selectJoinable = (
  { host, slug }: TenantLocator,
  { userId, organizationId }: Caller,
) => sql<JoinableSite>`
  select coalesce(s.branding ->> 'name', s.name) as name
    from public.users u join public.sites s on s.slug = public.site_at(${host}, ${slug})
   where u.id = ${userId} and public.takes_sign_up(s, u.email)
     and coalesce(${organizationId ?? null}::bigint, s.organization_id) = s.organization_id
     and not exists (select from public.people_of(s.id) p
                      where p.user_id = u.id and (p.kind <> 'visit' or p.blocked))`

/**
 * Makes the caller's account belong to a request's site: public.join_site. `event` puts the event of
 * `joined.account` into the outbox, if it did not belong there before.
 */
export const join = (
  { host, slug }: TenantLocator,
  { userId, organizationId }: Caller,
  event: Sql,
): Sql => sql`
  with joined as (
    select public.join_site(${host}, ${slug}, ${userId}, ${organizationId ?? null}) as account)
  select ${event} as event from joined where (joined.account).id is not null`
