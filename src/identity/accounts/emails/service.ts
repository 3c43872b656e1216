/**
 * Sends e-mails about accounts from the queue. A row records that an e-mail is due, so that a scheduled task
 * finds e-mails that never reached the queue. A message has only the id of the row, and a language. The token
 * of a link is created when the e-mail is sent, and the database stores its hash.
 */
import type { RequestContext } from '../../../kernel/context.ts'
import { openDatabase } from '../../../kernel/db/client.ts'
import { asAnonymous } from '../../../kernel/db/platform.ts'
import { countEmail, judgeUseOf, logReached } from '../../../kernel/db/use.ts'
import { configOf, type Env } from '../../../kernel/env.ts'
import {
  LetterName,
  lettersFor,
  publicUrl,
  queueAfterAnswer,
  queueEmail,
  renderEmail,
  type SendAccountEmail,
  sendEmail,
  senderOf,
} from '../../mail/service.ts'
import type { EmailKind, LinkKind } from './schema.ts'
import * as store from './store.ts'
import { tokenHash } from './token-hash.ts'

export { queueAfterAnswer, queueEmail, type SendAccountEmail } from '../../mail/service.ts'

const deadlineMs = 10_000
const tokenBytes = 24

/** The page that opens the link of an e-mail. Notices have no link. */
const pages: Readonly<Partial<Record<EmailKind, string>>> = {
  'reset-password': '/accounts/password/reset/confirm/',
  'verify-email': '/accounts/email/verify/confirm/',
  'change-email': '/accounts/email/verify/confirm/',
  'account-created': '/accounts/password/reset/confirm/',
  'sign-up': '/accounts/sign-up/confirm/',
  'sign-up-passkey': '/accounts/sign-up/passkey/',
  'sign-up-known': '/accounts/password/reset/',
}

/**
 * Requests an e-mail with a link for the account of an address. The work and the answer are the same if no
 * account has the address, because the queue looks for the account after the answer. Takes one round trip.
 */
export async function requestLink(ctx: RequestContext, kind: LinkKind, recipient: string): Promise<void> {
  const { id, wanted } = newLink(ctx, kind, recipient, null)
  await asAnonymous(ctx, 'write', { wanted })
  queueAfterAnswer(ctx, id)
}

/**
 * Returns the id of an e-mail with a link, for `queueAfterAnswer`, and the statement that stores that it is
 * due. `userId` is the account that gets another address; null: the account with the address of the
 * recipient.
 */
export function newLink(ctx: RequestContext, kind: LinkKind, recipient: string, userId: number | null) {
  const id = crypto.randomUUID()
  return { id, wanted: store.insertLink({ id, kind, recipient, userId }, ctx.tenant) }
}

/**
 * Sends an e-mail, unless it was sent already or there is nothing to send. A new token replaces the one of an
 * earlier attempt. Throws MailFailure if the e-mail is not accepted.
 */
export async function sendAccountEmail(env: Env, { id, language }: SendAccountEmail): Promise<void> {
  const sender = { env, config: configOf(env) }
  const database = openDatabase(sender.config)
  const token = Buffer.from(crypto.getRandomValues(new Uint8Array(tokenBytes))).toString('base64url')
  const { email, causing, named, preferred, reached } = await database.batch(
    {
      reached: store.selectReached(id),
      named: store.selectSiteName(id),
      causing: store.selectSender(id),
      email: store.prepare(id, tokenHash(token), sender.config.EMAILS_CAUSED_PER_DAY),
      preferred: store.selectPreferredLanguage(id),
    },
    deadlineMs,
  )
  // Links wait until the limit is raised. Notices of changes are always sent, because they warn the owner.
  if (!email.first || (reached.first && pages[email.first.kind] !== undefined)) return
  const { kind, recipient, username, site } = email.first
  const page = pages[kind]
  const mount = site === null ? '' : `/sites/${site}`
  const query = kind === 'sign-up-known' ? '' : `?token=${token}`
  const url = page === undefined ? '' : publicUrl(sender, `${mount}${page}${query}`)
  const letters = lettersFor(preferred.first?.language, language)
  // The reader may be a stranger to whoever has chosen the names.
  const content = {
    ...letters.accounts[kind]({ username: LetterName.forAnybody(username ?? '', recipient), url }),
    language: letters.language,
    site: named.first?.name ? LetterName.forAnybody(named.first.name, named.first.slug) : undefined,
    sender: causing.first && (await senderOf(sender, letters, causing.first)),
  }
  await sendEmail(sender, renderEmail(recipient, content))
  const { told } = await database.batch(
    { marked: store.markSent(id), counted: countEmail(site), told: judgeUseOf(site) },
    deadlineMs,
  )
  logReached(told.all)
}

/** The minutes after which an e-mail is overdue: longer than the queue usually takes. */
const overdueMinutes = 5

/** Queues e-mails that are due but never reached the queue, and deletes those that have expired. */
export async function sweepAccountEmails(env: Env): Promise<void> {
  const { overdue } = await openDatabase(configOf(env)).batch(
    { deleted: store.deleteExpired, overdue: store.selectOverdue(overdueMinutes) },
    deadlineMs,
  )
  for (const { id } of overdue.all) await queueEmail(env, id, null)
}
