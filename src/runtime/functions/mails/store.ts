/** The SQL that keeps the e-mails of runs that have succeeded. */
import { type Sql, sql } from '../../../kernel/db/sql.ts'
import type { FunctionMail } from './schema.ts'

/** An attempt that has ended, with its e-mails. */
interface Ended {
  /** The id of the invocation. */
  id: number
  attempt: number
  status: string
  mails?: readonly FunctionMail[] | undefined
}

/** An e-mail that was kept, for the queue. */
export interface KeptMail {
  id: number
}

/**
 * Keeps the e-mails of attempts that have succeeded, in the transaction that records the attempts, after
 * them. An e-mail is kept once for its invocation and number. Undefined: there are none.
 */
export function insertMails(ended: readonly Ended[]): Sql<KeptMail> | undefined {
  const rows = ended.flatMap(({ id, attempt, status, mails = [] }) =>
    status === 'SUCCESS'
      ? mails.map((mail, index) => ({ ...mail, invocation: id, attempt, number: index + 1 }))
      : [],
  )
  if (rows.length === 0) return undefined
  return sql<KeptMail>`
    insert into _mails (invocation_id, number, function_id, function_slug, app_slug, recipient, subject, text,
                        html, reply_to, due_at)
    select i.id, m.number, i.function_id, i.function_slug, a.slug, m."to", m.subject, m.text, m.html,
           m.reply_to, now() + interval '2 minutes'
      from json_to_recordset(${JSON.stringify(rows)}::json) as m (
             invocation bigint, attempt integer, number integer, "to" text, subject text, text text,
             html text, reply_to text)
      join _invocations i on i.id = m.invocation and i.attempts = m.attempt and i.status = 'SUCCESS'
      join _functions f on f.id = i.function_id join _apps a on a.id = f.app_id
    on conflict on constraint _mails_invocation_id_number_key do nothing
    returning id`
}
