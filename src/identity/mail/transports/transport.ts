/** The interface of transports, which send e-mails out of the service. I7. */
import type { Config, Env } from '../../../kernel/env.ts'
import type { Email } from '../email.ts'

/** Sends an e-mail. Throws MailFailure if it was not accepted. */
export type Transport = (sender: Sender, email: Email) => Promise<void>

/** The variables and bindings that a transport needs. */
export interface Sender {
  env: Env
  config: Config
}

/**
 * An e-mail was not accepted. The message is logged: it must not quote an address or any text of the e-mail.
 */
export class MailFailure extends Error {
  /** Whether another attempt would fail in the same way. */
  readonly isFinal: boolean

  constructor(message: string, isFinal = false) {
    super(message)
    this.isFinal = isFinal
  }
}

/** Returns an e-mail as servers take it, with the headers by which a mail program stops such e-mails. */
export const asMessage = ({ subject, text, html, stopUrl }: Omit<Email, 'to'>) => ({
  ...{ subject, text, html },
  ...(stopUrl === undefined
    ? {}
    : {
        headers: {
          'List-Unsubscribe': `<${stopUrl}>`,
          'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
        },
      }),
})
