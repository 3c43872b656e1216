/**
 * Sends the e-mails of functions from the queue: by the mail server of the secret MAIL, or else by the
 * service in its own frame, which says who has it sent.
 */
import * as z from 'zod'
import {
  LetterName,
  lettersFor,
  MailFailure,
  renderEmail,
  sendBySmtpServer,
  sendEmail,
  senderOf,
} from '../../identity/mail/service.ts'
import { openDatabase } from '../../kernel/db/client.ts'
import { sql } from '../../kernel/db/sql.ts'
import { countEmail, judgeUseOf, logReached } from '../../kernel/db/use.ts'
import { configOf, type Env } from '../../kernel/env.ts'
import { requirePublicHost } from '../../kernel/outgoing/fetch.ts'
import { queueMails, type SendMail, selectSiteKeys } from '../../runtime/functions/service.ts'
import { readForRun } from '../../secrets/entries/service.ts'
import * as store from './store.ts'

const deadlineMs = 10_000

/** A value of the type smtp-credentials. */
const ownServer = z
  .object({
    host: z.string(),
    port: z.int().default(465),
    username: z.string().default(''),
    password: z.string().default(''),
    use_tls: z.boolean().default(true),
    from: z.string().optional(),
  })
  .transform((server) => ({ ...server, from: server.from ?? server.username }))
  .refine(({ from }) => from.includes('@'))

/** Reads the mail server of a secret. Throws MailFailure for one that cannot send. */
function serverOf(value: unknown) {
  const server = ownServer.safeParse(value)
  if (server.success) return server.data
  throw new MailFailure(
    'The secret MAIL needs a "host", and the address of the sender as "from" or "username".',
  )
}

/** Sends an e-mail, unless it was sent already or may not leave. Throws if it is not accepted. */
export async function sendMail(env: Env, { siteId, id }: SendMail): Promise<void> {
  const sender = { env, config: configOf(env) }
  const database = openDatabase(sender.config)
  const { mail, site, keys } = await database.batch(
    {
      mail: store.prepareMail(siteId, id, sender.config.EMAILS_CAUSED_PER_DAY),
      site: store.selectMailSite(siteId, id),
      keys: selectSiteKeys(sql`${siteId}`),
    },
    deadlineMs,
  )
  if (!mail.first || !site.first) return
  const { app_slug: app, function_id: functionId, invocation_id: invocationId, recipient } = mail.first
  try {
    const run = { app, functionId, invocationId }
    const [secret] = await readForRun(sender.config, { siteId, keys: keys.all }, ['MAIL'], run)
    const letters = lettersFor(null)
    const cause = await senderOf(sender, letters, site.first)
    const { subject, text, html, reply_to } = mail.first
    if (secret) {
      const server = serverOf(secret.value)
      await requirePublicHost(sender.config, server.host)
      const signed = `${text}\n\n--\n${cause.text}\n${cause.stopUrl}`
      const email = { to: recipient, subject, text: signed, html: html ?? '', stopUrl: cause.stopUrl }
      await sendBySmtpServer(server, email, reply_to)
    } else {
      const name = LetterName.forAnybody(site.first.site, site.first.site_slug)
      const content = {
        subject: `${LetterName.forAnybody(subject, `${name}`)}`,
        paragraphs: text.split(/\n{2,}/),
        footer: letters.byFunction({ site: name }),
        sender: cause,
        language: letters.language,
        site: name,
      }
      await sendEmail(sender, renderEmail(recipient, content))
    }
  } catch (error) {
    const reason = error instanceof Error ? error.message.slice(0, 200) : 'unknown'
    await database.batch({ noted: store.noteFailure(siteId, id, reason) }, deadlineMs)
    throw error
  }
  const { told } = await database.batch(
    {
      marked: store.markSent(siteId, id),
      counted: countEmail(site.first.site_slug),
      told: judgeUseOf(site.first.site_slug),
    },
    deadlineMs,
  )
  logReached(told.all)
}

/** Queues the e-mails that wait and never reached the queue. */
export async function sweepMails(env: Env): Promise<void> {
  const { due } = await openDatabase(configOf(env)).batch({ due: store.selectDue }, deadlineMs)
  for (const [siteId, rows] of Map.groupBy(due.all, ({ site_id }) => site_id))
    await queueMails(env, siteId, rows)
}
