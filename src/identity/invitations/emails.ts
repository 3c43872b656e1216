/**
 * Sends the e-mails of invitations from the queue. The row of an invitation records that an e-mail is due, so
 * that a scheduled task finds e-mails that never reached the queue. A message has only ids and a language.
 * The code in the link is created when the e-mail is sent.
 */
import { openDatabase } from '../../kernel/db/client.ts'
import { configOf, type Env } from '../../kernel/env.ts'
import { fullName } from '../../kernel/lib/full-name.ts'
import type { Language } from '../../kernel/lib/languages.ts'
import { sha256 } from '../../kernel/lib/sha256.ts'
import { LetterName, lettersFor, publicUrl, renderEmail, sendEmail, senderOf } from '../mail/service.ts'
import * as store from './store.ts'

/** A queue message: send the e-mail of an invitation. */
export interface SendInvitation {
  kind: 'send-invitation'
  email: store.RequestedEmail
  /** The language of the request that caused it, for recipients without a preferred language. */
  language?: Language | null
}

/** A queue message: tell the owner of an account that an invitation has changed the password. */
export interface SendPasswordNotice {
  kind: 'send-password-notice'
  invitationId: number
  language?: Language | null
}

const deadlineMs = 10_000

/** Queues the e-mail of an invitation. */
export const queueInvitation = (
  env: Env,
  { id, mailVersion }: store.RequestedEmail,
  language: Language | null,
): Promise<unknown> =>
  env.JOBS.send({ kind: 'send-invitation', email: { id, mailVersion }, language } satisfies SendInvitation)

/** Queues the notice that an invitation has changed a password. */
export const queuePasswordNotice = (
  env: Env,
  invitationId: number,
  language: Language | null,
): Promise<unknown> =>
  env.JOBS.send({ kind: 'send-password-notice', invitationId, language } satisfies SendPasswordNotice)

/** Returns the hash of the code in an invitation's link. Only the hash is stored. */
export const codeHash = (code: string): string => sha256(`invitation ${code}`)

/**
 * Sends the e-mail of an invitation, unless it was sent, or has been requested again since. A new code
 * replaces the code of an earlier e-mail, so that only the newest link is valid. An e-mail that
 * public.admit_letter does not admit is dropped, and nobody is told; it waits while the organization has no
 * budget. Throws MailFailure if the e-mail is not accepted.
 */
export async function sendInvitation(env: Env, { email, language }: SendInvitation): Promise<void> {
  const config = configOf(env)
  const database = openDatabase(config)
  const code = Buffer.from(crypto.getRandomValues(new Uint8Array(18))).toString('base64url')
  const { due } = await database.batch(
    {
      admitted: store.admitEmail(email, config.EMAILS_CAUSED_PER_DAY),
      due: store.setCode(email, codeHash(code)),
    },
    deadlineMs,
  )
  if (!due.first) return
  const { to, uuid, isKnown, first_name, last_name, preferred, ...causing } = due.first
  const sender = { env, config }
  const organization = LetterName.forAnybody(causing.organization, causing.slug)
  const inviterName = fullName({ first_name: first_name ?? '', last_name: last_name ?? '' })
  const inviter = LetterName.forAnybody(inviterName, '')
  const url = publicUrl(sender, `/invitations/${uuid}/?code=${code}`)
  const letters = lettersFor(preferred, language)
  const text = isKnown ? letters.invitations.toExistingUser : letters.invitations.toNewUser
  const content = {
    ...text({ organization, inviter, url }),
    language: letters.language,
    sender: await senderOf(sender, letters, causing),
  }
  await sendEmail(sender, renderEmail(to, content))
  await database.batch({ marked: store.markEmail(email, 'sent') }, deadlineMs)
}

/** Marks an e-mail as failed after the last attempt. The invitation stays pending and can be sent again. */
export async function markInvitationFailed(env: Env, { email }: SendInvitation): Promise<void> {
  await openDatabase(configOf(env)).batch({ marked: store.markEmail(email, 'failed') }, deadlineMs)
}

/** Sends the notice that an invitation has changed the password of an account, unless it was sent. I6. */
export async function sendPasswordNotice(
  env: Env,
  { invitationId, language }: SendPasswordNotice,
): Promise<void> {
  const config = configOf(env)
  const database = openDatabase(config)
  const { notice } = await database.batch({ notice: store.selectNotice(invitationId) }, deadlineMs)
  if (!notice.first) return
  const { to, organization, preferred } = notice.first
  const letters = lettersFor(preferred, language)
  const details = { organization: LetterName.forMember(organization) }
  const content = { ...letters.invitations.passwordReplaced(details), language: letters.language }
  await sendEmail({ env, config }, renderEmail(to, content))
  await database.batch({ marked: store.markNotice(invitationId, 'sent') }, deadlineMs)
}

/** Marks a notice as failed after the last attempt. */
export async function markNoticeFailed(env: Env, { invitationId }: SendPasswordNotice): Promise<void> {
  await openDatabase(configOf(env)).batch({ marked: store.markNotice(invitationId, 'failed') }, deadlineMs)
}

/** The minutes after which an e-mail is overdue: longer than the queue retries. */
const overdueMinutes = 15

/** Queues e-mails and notices that are due but never reached the queue. */
export async function queueOverdueEmails(env: Env): Promise<void> {
  const { emails, notices } = await openDatabase(configOf(env)).batch(
    {
      emails: store.selectOverdue(overdueMinutes),
      notices: store.selectOverdueNotices(overdueMinutes),
    },
    deadlineMs,
  )
  for (const email of emails.all) await queueInvitation(env, email, null)
  for (const { id } of notices.all) await queuePasswordNotice(env, id, null)
}
