/**
 * Sends the e-mails about soft limits from the queue. Rows record which e-mails are due, so that none is
 * lost.
 */
import { openDatabase } from '../../../../kernel/db/client.ts'
import { configOf, type Env } from '../../../../kernel/env.ts'
import { LetterName, lettersFor, publicUrl, renderEmail, sendEmail } from '../../../mail/service.ts'
import * as store from './store.ts'

/** A queue message: tell a user that a site has reached a soft limit. */
export interface SendLimitNotice {
  kind: 'send-limit-notice'
  notice: store.NoticeKey
}

const deadlineMs = 10_000
/** The limit of `sendBatch`. */
const noticesMax = 100

/** Queues the e-mails that are due, and deletes the rows of earlier months. */
export async function queueLimitNotices(env: Env): Promise<void> {
  const { due } = await openDatabase(configOf(env)).batch(
    { due: store.claimNotices(noticesMax), deleted: store.deleteOldNotices },
    deadlineMs,
  )
  const messages = due.all.map((notice): { body: SendLimitNotice } => ({
    body: { kind: 'send-limit-notice', notice },
  }))
  if (messages.length > 0) await env.JOBS.sendBatch(messages)
}

/** Sends an e-mail, unless it was sent already. Throws MailFailure if it is not accepted. */
export async function sendLimitNotice(env: Env, { notice }: SendLimitNotice): Promise<void> {
  const config = configOf(env)
  const database = openDatabase(config)
  const { found } = await database.batch({ found: store.selectNotice(notice) }, deadlineMs)
  if (!found.first) return
  const { to, preferred, ...row } = found.first
  // The reader manages the site.
  const names = { site: LetterName.forMember(row.site), organization: LetterName.forMember(row.organization) }
  const sender = { env, config }
  const url = publicUrl(sender, '/console/')
  // No request caused the e-mail, so it is in the account's preferred language, or else in English.
  const letters = lettersFor(preferred)
  const content = { ...letters.softLimitReached({ ...row, ...names, url }), language: letters.language }
  await sendEmail(sender, renderEmail(to, content))
  await database.batch({ marked: store.markNotice(notice) }, deadlineMs)
}
