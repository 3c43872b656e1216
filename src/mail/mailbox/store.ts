import { moment } from '../../db/moment.ts'
import { type Sql, sql } from '../../db/sql.ts'
import type { Letter } from '../letter.ts'

export const insertLetter = ({ to, subject, text, html }: Letter): Sql => sql`
  insert into public.mailbox_letters (recipient, subject, text, html) values (${to}, ${subject}, ${text}, ${html})`

const lettersMax = 100

/** The newest first; of one recipient, or of all (null). */
export const selectLetters = (to: string | null) => sql<KeptLetter>`
  select l.recipient as to, l.subject, l.text, l.html, ${moment(sql`l.created`)} as created from public.mailbox_letters l
   where ${to}::text is null or lower(l.recipient) = lower(${to}) order by l.id desc limit ${lettersMax}`

export interface KeptLetter extends Letter {
  created: string
}
