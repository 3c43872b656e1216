/** The port through which e-mails leave the service. I7. */
import type { Config, Env } from '../../env.ts'
import type { Email } from '../email.ts'

/** Hands an e-mail over. Throws MailFailure if it was not accepted. */
export type Transport = (sender: Sender, email: Email) => Promise<void>

/** The variables and bindings that a transport needs. */
export interface Sender {
  env: Env
  config: Config
}

/**
 * An e-mail was not accepted. The message is logged: it must not quote an address or any text of the e-mail.
 */
export class MailFailure extends Error {}
