/** The SQL of the e-mails of functions. */
import type { mails } from '../../../drizzle/tenant/mails.ts'
import { type LetterSender, senderColumns } from '../../identity/mail/service.ts'
import { columnsOf, of } from '../../kernel/db/columns.ts'
import { type Sql, sql } from '../../kernel/db/sql.ts'
import { type List, selectPage } from '../../kernel/http/lists/list.ts'
import type { KeptMail } from '../../runtime/functions/service.ts'
import { listForm, type MailsQuery } from './schema.ts'

const m = of<typeof mails>('m')

export const list: List<typeof listForm> = {
  ...listForm,
  columns: { created_at: sql`m.created_at` },
  last: sql`m.id`,
  texts: [sql`m.recipient`, sql`m.subject`],
}

/** Selects a page of the e-mails of the site. */
export const selectMails = (query: MailsQuery) =>
  selectPage(list, query, {
    columns: columnsOf(
      m('id', 'invocation_id as invocation', 'number', 'function_slug', 'app_slug as app', 'recipient as to'),
      m('subject', 'text', 'html', 'reply_to', 'state', 'reason'),
      m.times('created_at', 'sent_at'),
    ),
    from: sql`_mails m`,
    bytes: sql`tessera.text_bytes(m.text) + coalesce(tessera.text_bytes(m.html), 0)`,
    where: [
      ...(query.state === undefined ? [] : [sql`m.state = ${query.state}`]),
      ...(query.function_slug === undefined ? [] : [sql`m.function_slug = ${query.function_slug}`]),
    ],
  })

/** An e-mail that is sent now. */
export interface PreparedMail extends KeptMail {
  invocation_id: number
  function_id: number
  app_slug: string
  recipient: string
  subject: string
  text: string
  html: string | null
  reply_to: string | null
}

/** Decides whether an e-mail is sent now: public.prepare_mail. Returns no row if not. */
export const prepareMail = (siteId: number, id: number, budget: number) => sql<PreparedMail>`
  select m.id, m.invocation_id, m.function_id, m.app_slug, m.recipient, m.subject, m.text, m.html, m.reply_to
    from public.prepare_mail(${siteId}, ${id}, ${budget}) m`

/** The site of an e-mail, and the organization that has it sent. */
export interface MailSite extends LetterSender {
  site: string
  site_slug: string
  /** Whether the reader is one of the people of the site, and has proved the address. */
  is_known: boolean
}

/** Selects the site of an e-mail that `prepareMail` has returned in the same transaction. */
export const selectMailSite = (siteId: number, id: number) => sql<MailSite>`
  select coalesce(s.branding ->> 'name', s.name) as site, s.slug as site_slug,
         exists (select from public.people_of(s.id) p join public.users u on u.id = p.user_id
                  where u.email = lower(m.recipient) and u.email_verified_at is not null
                    and p.kind <> 'visit' and not p.blocked) as is_known,
         ${senderColumns(sql`m.recipient`)}
    from tenant._mails m join public.sites s on s.id = m.site_id
    join public.organizations o on o.id = s.organization_id
   where m.site_id = ${siteId} and m.id = ${id}`

/** Notes that an e-mail was sent. */
export const markSent = (siteId: number, id: number): Sql => sql`
  update tenant._mails m set state = 'sent', sent_at = now(), reason = null
   where m.site_id = ${siteId} and m.id = ${id}`

/** How long an e-mail waits after each attempt that has failed. After the last one it is dropped. */
const pauses: readonly string[] = ['1 minute', '10 minutes', '1 hour', '6 hours', '24 hours']

/** Notes why an e-mail was not accepted. `isFinal`: it is dropped without another attempt. */
export const noteFailure = (siteId: number, id: number, reason: string, isFinal: boolean): Sql => sql`
  update tenant._mails m
     set reason = ${reason}, due_at = now() + coalesce((${pauses}::interval[])[m.attempts], '0'),
         state = case when ${isFinal} or m.attempts > ${pauses.length} then 'dropped' else m.state end
   where m.site_id = ${siteId} and m.id = ${id} and m.state = 'waiting'`

/**
 * Selects e-mails of active sites that are due, of each site in turn: `prepareMail` lets only one message
 * send each.
 */
export const selectDue = sql<{ site_id: number; id: number }>`
  select m.site_id, m.id
    from (select d.site_id, d.id, d.due_at,
                 row_number() over (partition by d.site_id order by d.due_at) as turn
            from tenant._mails d join public.sites s on s.id = d.site_id and s.is_active
           where d.state = 'waiting' and d.due_at <= now()) m
   order by m.turn, m.due_at limit 100`
