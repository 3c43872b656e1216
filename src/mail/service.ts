/** Sends e-mails. The queue calls this module, and retries failures. I7. */
import type { Email } from './email.ts'
import { sendByCloudflare } from './transports/cloudflare.ts'
import { storeInMailbox } from './transports/local-mailbox.ts'
import { sendBySmtp } from './transports/smtp.ts'
import { MailFailure, type Sender, type Transport } from './transports/transport.ts'

export { renderEmail } from './email.ts'
export { finishInBackground } from './finish-in-background.ts'
export { lettersFor } from './letters/letters.ts'

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

/**
 * Returns the address of one of the service's own pages, for a link in an e-mail. It uses the configuration,
 * because the host of a request can be forged. Throws MailFailure if neither PUBLIC_URL nor BASE_DOMAIN is
 * set.
 */
export function publicUrl({ config }: Sender, path: string): string {
  const { PUBLIC_URL, BASE_DOMAIN } = config
  const base = PUBLIC_URL ?? (BASE_DOMAIN ? new URL(`https://${BASE_DOMAIN}`) : undefined)
  if (!base) throw new MailFailure('neither PUBLIC_URL nor BASE_DOMAIN is set: there is no host for links')
  return new URL(path, base).href
}
