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
  withSender,
} from '../../identity/mail/service.ts'
import { openDatabase } from '../../kernel/db/client.ts'
import { sql } from '../../kernel/db/sql.ts'
import { countEmail, judgeUseOf, logReached } from '../../kernel/db/use.ts'
import { type Config, configOf, type Env } from '../../kernel/env.ts'
import { describeFailure, log } from '../../kernel/lib/log.ts'
import { OutgoingFailure } from '../../kernel/outgoing/failure.ts'
import { requirePublicHost } from '../../kernel/outgoing/fetch.ts'
import { functionMail, queueMails, type SendMail, selectSiteKeys } from '../../runtime/functions/service.ts'
import { readForRun } from '../../secrets/entries/service.ts'
import * as store from './store.ts'

const deadlineMs = 10_000
const strangerReason =
  'Without a mail server of its own, a site sends only to people of the site who have proved their ' +
  'address: create the secret MAIL of the type smtp-credentials.'

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

/** The ports of mail servers. */
const ports: readonly number[] = [465, 587, 2525]

/**
 * Reads the mail server of a secret, with the host to connect to. Throws MailFailure for one that cannot
 * send, OutgoingFailure for a host that is not public.
 */
async function serverOf(config: Config, value: unknown) {
  const server = ownServer.safeParse(value)
  if (!server.success)
    throw new MailFailure(
      'The secret MAIL needs a "host", and the address of the sender as "from" or "username".',
    )
  const { host, port, use_tls } = server.data
  if (!config.ALLOW_PRIVATE_HOSTS && !(use_tls && ports.includes(port)))
    throw new MailFailure(`The secret MAIL needs "use_tls" and one of the ports ${ports.join(', ')}.`)
  return { ...server.data, host: await requirePublicHost(config, host) }
}

/** Tells whether an e-mail still has the form of an e-mail of a function. */
const isInForm = ({ recipient: to, subject, text, html, reply_to }: store.PreparedMail): boolean =>
  functionMail.safeParse({ to, subject, text, html: html ?? undefined, reply_to: reply_to ?? undefined })
    .success

/** Returns what the managers of the site may read about a failure, and whether it is final. */
const told = (error: unknown): [reason: string, isFinal: boolean] => {
  if (error instanceof MailFailure) return [error.message, error.isFinal]
  if (error instanceof OutgoingFailure) return ['the host of the mail server is not a public one', false]
  return ['The service could not send it.', false]
}

/**
 * Sends an e-mail, unless it was sent already or may not leave. A failure is noted, and the sweep queues the
 * e-mail again after a pause.
 */
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
    if (!isInForm(mail.first)) throw new MailFailure('It is not in the form of an e-mail.', true)
    const run = { app, functionId, invocationId }
    const [secret] = await readForRun(sender.config, { siteId, keys: keys.all }, ['MAIL'], run)
    const letters = lettersFor(null)
    const cause = await senderOf(sender, letters, site.first, secret !== undefined)
    const { subject, text, html, reply_to } = mail.first
    if (secret) {
      const server = await serverOf(sender.config, secret.value)
      const signed = `${text}\n\n--\n${cause.text}\n${cause.stopUrl}`
      const rich = html === null ? '' : withSender(html, cause)
      const email = { to: recipient, subject, text: signed, html: rich, stopUrl: cause.stopUrl }
      await sendBySmtpServer(server, email, reply_to)
    } else if (!site.first.is_known) {
      throw new MailFailure(strangerReason, true)
    } else {
      const name = LetterName.forAnybody(site.first.site, site.first.site_slug)
      const content = {
        subject: `${LetterName.ofSubject(subject, `${name}`)}`,
        paragraphs: text.split(/\n{2,}/),
        footer: letters.byFunction({ site: name }),
        sender: cause,
        language: letters.language,
        site: name,
      }
      await sendEmail(sender, renderEmail(recipient, content))
    }
  } catch (error) {
    const [reason, isFinal] = told(error)
    await database.batch({ noted: store.noteFailure(siteId, id, reason, isFinal) }, deadlineMs)
    log({ level: 'warn', mail: id, site: siteId, ...describeFailure(error, false) })
    return
  }
  const { reached } = await database.batch(
    {
      marked: store.markSent(siteId, id),
      counted: countEmail(site.first.site_slug),
      reached: judgeUseOf(site.first.site_slug),
    },
    deadlineMs,
  )
  logReached(reached.all)
}

/** Queues the e-mails that wait and never reached the queue. */
export async function sweepMails(env: Env): Promise<void> {
  const { due } = await openDatabase(configOf(env)).batch({ due: store.selectDue }, deadlineMs)
  for (const [siteId, rows] of Map.groupBy(due.all, ({ site_id }) => site_id))
    await queueMails(env, siteId, rows)
}
