/** The transport for development: e-mails are stored, and shown at /_dev/mailbox/. */
import { wakeMs } from '../../../kernel/db/breaker.ts'
import { openDatabase } from '../../../kernel/db/client.ts'
import { insertEmail } from '../mailbox/store.ts'
import type { Transport } from './transport.ts'

const deadlineMs = wakeMs

/** Stores an e-mail in the local mailbox. */
export const storeInMailbox: Transport = async ({ config }, email) => {
  await openDatabase(config).batch({ stored: insertEmail(email) }, deadlineMs)
}
