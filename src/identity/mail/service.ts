/** Sends e-mails. The queue calls this module, and retries failures. I7. */
import type { Email } from './email.ts'
import { sendByCloudflare } from './transports/cloudflare.ts'
import { storeInMailbox } from './transports/local-mailbox.ts'
import { sendBySmtp } from './transports/smtp.ts'
import { MailFailure, type Sender, type Transport } from './transports/transport.ts'

export { queueAfterAnswer, queueEmail, type SendAccountEmail, selectNotices } from './account-emails.ts'
export { renderEmail } from './email.ts'
export { finishInBackground } from './finish-in-background.ts'
export { LetterName } from './letter-name.ts'
export { type LetterSender, senderColumns, senderOf } from './letter-sender.ts'
export { lettersFor } from './letters/letters.ts'
export { publicUrl } from './public-url.ts'
export { sendBySmtpServer } from './transports/smtp.ts'
export { MailFailure } from './transports/transport.ts'

const transports: ReadonlyMap<string, Transport> = new Map([
  ['cloudflare', sendByCloudflare],
  ['smtp', sendBySmtp],
  ['mailbox', storeInMailbox],
])

/**
 * Sends an e-mail by the transport that EMAIL_TRANSPORT names. Throws MailFailure if the variable is not set,
 * or if the transport does not accept the e-mail.
 */
export async function sendEmail(sender: Sender, email: Email): Promise<void> {
  const transport = transports.get(sender.config.EMAIL_TRANSPORT ?? '')
  if (!transport) throw new MailFailure('EMAIL_TRANSPORT is not set')
  await transport(sender, email)
}
