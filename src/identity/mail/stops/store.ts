/** The SQL of the mailboxes that want no e-mails of an organization. */
import { type Sql, sql } from '../../../kernel/db/sql.ts'
import type { Stop } from '../letter-sender.ts'

/** The organization of a stop, and whether its e-mails are stopped. */
export interface StopRow {
  organization: string
  slug: string
  isStopped: boolean
}

/** Selects the organization of a stop. No row if it no longer exists. */
export const selectStop = ({ organizationId, mailbox }: Stop) => sql<StopRow>`
  select o.name as organization, o.slug,
         exists (select from public.letter_stops x
                  where x.organization_id = o.id and x.mailbox = ${mailbox}) as "isStopped"
    from public.organizations o where o.id = ${organizationId}`

/** Stops the e-mails of an organization to a mailbox. */
export const insertStop = ({ organizationId, mailbox }: Stop): Sql => sql`
  insert into public.letter_stops (organization_id, mailbox)
  select o.id, ${mailbox} from public.organizations o where o.id = ${organizationId}
  on conflict do nothing`

/** Allows them again. */
export const deleteStop = ({ organizationId, mailbox }: Stop): Sql => sql`
  delete from public.letter_stops x where x.organization_id = ${organizationId} and x.mailbox = ${mailbox}`

/** Deletes the rows of e-mails that no longer limit others. */
export const deleteOldLetters: Sql = sql`
  delete from public.letters where admitted_at < now() - interval '1 day'`
