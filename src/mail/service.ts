/** Sends letters. I7. They are sent from the queue: what fails is tried again there. */
import type { Letter } from './letter.ts'
import { sendByCloudflare } from './transports/cloudflare.ts'
import { keepInMailbox } from './transports/mailbox.ts'
import { sendBySmtp } from './transports/smtp.ts'
import { MailFailure, type Sender, type Transport } from './transports/transport.ts'

export { type Letter, letterOf, type Wording } from './letter.ts'
export { soon } from './soon.ts'
export type { Sender } from './transports/transport.ts'

const transports: ReadonlyMap<string, Transport> = new Map([
  ['cloudflare', sendByCloudflare],
  ['smtp', sendBySmtp],
  ['mailbox', keepInMailbox],
])

/** Throws when the letter was not taken, for the log to say why. */
export async function sendLetter(sender: Sender, letter: Letter): Promise<void> {
  const transport = transports.get(sender.config.EMAIL_TRANSPORT ?? '')
  if (!transport) throw new MailFailure('EMAIL_TRANSPORT is not set')
  await transport(sender, letter)
}

/** The address of a page of this service, for a letter: of what is configured, never of what a request says of itself. */
export function publicUrl({ config }: Sender, path: string): string {
  const base = config.PUBLIC_URL ?? (config.BASE_DOMAIN ? new URL(`https://${config.BASE_DOMAIN}`) : undefined)
  if (!base) throw new MailFailure('neither PUBLIC_URL nor BASE_DOMAIN is set, so that no link can be written')
  return new URL(path, base).href
}
