/** E-mails in the local mailbox, and the jobs that send them, which a test passes to the Worker. */
import { createMessageBatch } from 'cloudflare:test'
import worker from '../../src/worker.ts'
import type { TestApp } from './app.ts'

/** Runs one job, like the queue. `app` has EMAIL_TRANSPORT=mailbox. */
async function runJob(app: TestApp, body: unknown, queue = 'tessera-jobs'): Promise<void> {
  const batch = createMessageBatch(queue, [
    { id: crypto.randomUUID(), timestamp: new Date(), attempts: 1, body },
  ])
  await worker.queue(batch, app.env)
}

interface KeptLetter {
  subject: string
  text: string
  html: string
}

/** Returns the e-mails to an address, the newest first. */
export const lettersTo = (app: TestApp, address: string): Promise<KeptLetter[]> =>
  app.sql<KeptLetter>(
    'select subject, text, html from mailbox_letters where lower(recipient) = lower($1) order by id desc',
    [address],
  )

/** Forgets the e-mails that limit how many a mailbox gets, for tests about other things. */
export const forgetSentLetters = (app: TestApp) => app.sql('delete from letters')

/** Sends the newest e-mail of an invitation. Returns the code in its link. */
export async function invitationCode(
  app: TestApp,
  invitation: { id: number; invitee_identifier: string },
): Promise<string> {
  const [row] = await app.sql<{ mail_version: number }>(
    'select mail_version from invitations where id = $1',
    [invitation.id],
  )
  await app.sql(`update invitations set mail = 'wanted' where id = $1`, [invitation.id])
  await runJob(app, {
    kind: 'send-invitation',
    email: { id: invitation.id, mailVersion: row?.mail_version },
  })
  const [letter] = await lettersTo(app, invitation.invitee_identifier)
  return /[?&]code=([\w-]+)/.exec(letter?.text ?? '')?.[1] as string
}

/** Sends the e-mail of a confirmation to the address of the account. Returns its code. */
export async function confirmationCode(app: TestApp, confirmation: string): Promise<string> {
  const [row] = await app.sql<{ email: string }>(
    'select u.email from confirmations c join users u on u.id = c.user_id where c.id = $1',
    [confirmation],
  )
  await runJob(app, { kind: 'send-code', confirmation })
  const [letter] = await lettersTo(app, row?.email ?? '')
  return /\b\d{8}\b/.exec(letter?.text ?? '')?.[0] as string
}

/** Sends an e-mail about an account, like the queue. */
export const sendAccountEmail = (app: TestApp, id: string): Promise<void> =>
  runJob(app, { kind: 'send-account-email', id })

/** Sends the due e-mails about accounts, one after another. */
export async function sendAccountEmails(app: TestApp): Promise<void> {
  const due = await app.sql<{ id: string }>(
    'select id from account_emails where sent_at is null order by wanted_at, id',
  )
  for (const { id } of due) await sendAccountEmail(app, id)
}

/** Sends the due e-mails. Returns the token in the link of the newest e-mail to an address. */
export async function linkTokenOf(app: TestApp, address: string): Promise<string> {
  await sendAccountEmails(app)
  const [letter] = await lettersTo(app, address)
  return /[?&]token=([\w-]+)/.exec(letter?.text ?? '')?.[1] as string
}
