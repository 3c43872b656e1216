/** The SQL of e-mails about accounts. */
import type { TenantLocator } from '../../../kernel/context.ts'
import { type Sql, sql } from '../../../kernel/db/sql.ts'
import { thisMonth } from '../../../kernel/db/use.ts'
import { type LetterSender, senderColumns } from '../../mail/service.ts'
import type { EmailKind, LinkKind } from './schema.ts'

/** A requested link. */
interface WantedLink {
  id: string
  kind: LinkKind
  recipient: string
  /**
   * The account that gets another address. Null: the account is the one with the address of the recipient.
   */
  userId: number | null
}

/**
 * Stores that an e-mail with a link is to be sent. It does not look for the account, so that the work is the
 * same if there is none.
 */
export const insertLink = (
  { id, kind, recipient, userId }: WantedLink,
  { host, slug }: TenantLocator,
): Sql => sql`
  insert into public.account_emails (id, kind, recipient, user_id, site_id)
  values (${id}, ${kind}, ${recipient}, ${userId},
          (select s.id from public.sites s where s.slug = public.site_at(${host}, ${slug})))`

/** The content and the recipient of an e-mail. */
export interface PreparedEmail {
  kind: EmailKind
  recipient: string
  /** Null if the account no longer exists. */
  username: string | null
  /** The slug of the site whose page opens the link. Null: the service's own page. */
  site: string | null
}

/**
 * Prepares an e-mail: public.prepare_account_email. Returns no row if nothing is to be sent now. `budget`:
 * how many e-mails an organization may cause in a day.
 */
export const prepare = (id: string, tokenHash: string, budget: number) => sql<PreparedEmail>`
  select kind, recipient, username, site from public.prepare_account_email(${id}, ${tokenHash}, ${budget})`

/** Selects the organization that has caused an e-mail. No row if none has. */
export const selectSender = (id: string) => sql<LetterSender>`
  select ${senderColumns(sql`e.recipient`)}
    from public.account_emails e join public.organizations o on o.id = e.organization_id where e.id = ${id}`

/** Selects a row if the e-mail's site has reached its monthly limit of e-mails. */
export const selectReached = (id: string) => sql<{ id: number }>`
  select s.id from public.account_emails e join public.sites s on s.id = e.site_id
   where e.id = ${id} and (s.exceeded #>> '{emails,month}')::date = ${thisMonth}`

/** Selects the display name of an e-mail's site. No row if the e-mail has no site. */
export const selectSiteName = (id: string) => sql<{ name: string | null; slug: string }>`
  select s.branding ->> 'name' as name, s.slug
    from public.account_emails e join public.sites s on s.id = e.site_id where e.id = ${id}`

/**
 * Selects the preferred language of an e-mail's account, after the e-mail was prepared. For a sign-up with a
 * taken address, it is that of the existing account.
 */
export const selectPreferredLanguage = (id: string) => sql<{ language: string | null }>`
  select coalesce(u.preferred_language, k.preferred_language) as language
    from public.account_emails e
    left join public.users u on u.id = e.user_id
    left join public.users k on e.user_id is null and lower(k.email) = lower(e.recipient)
   where e.id = ${id}`

/** Stores that an e-mail was sent. The row of a link stays until the link is used or expires. */
export const markSent = (id: string): Sql => sql`
  update public.account_emails e set sent_at = now() where e.id = ${id}`

/** Selects the e-mails that were not sent within some minutes. */
export const selectOverdue = (minutes: number) => sql<{ id: string }>`
  select e.id from public.account_emails e
   where e.sent_at is null and e.expires_at > now()
     and e.wanted_at < now() - make_interval(mins => ${minutes})
   order by e.wanted_at limit 100`

/** Deletes the e-mails whose link has expired, or that could not be sent. */
export const deleteExpired: Sql = sql`delete from public.account_emails where expires_at < now()`
