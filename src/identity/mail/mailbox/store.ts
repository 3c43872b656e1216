/** The e-mails of the local mailbox. */
import { isoTimestamp } from '../../../kernel/db/iso-timestamp.ts'
import { type Sql, sql } from '../../../kernel/db/sql.ts'
import type { Email } from '../email.ts'

/** Stores an e-mail. */
export const insertEmail = ({ to, subject, text, html }: Email): Sql => sql`
  insert into public.mailbox_letters (recipient, subject, text, html)
  values (${to}, ${subject}, ${text}, ${html})`

const emailsMax = 100

/** Selects the newest e-mails: those to one recipient, in any case, or (null) all. */
export const selectEmails = (to: string | null) => sql<StoredEmail>`
  select l.recipient as to, l.subject, l.text, l.html, ${isoTimestamp(sql`l.created`)} as created
    from public.mailbox_letters l
   where ${to}::text is null or lower(l.recipient) = lower(${to}) order by l.id desc limit ${emailsMax}`

/** An e-mail in the mailbox. `created` is an ISO 8601 time. */
export interface StoredEmail extends Email {
  created: string
}
