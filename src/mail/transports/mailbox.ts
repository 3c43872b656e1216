/** The local mailbox: letters are kept, and read at /_dev/mailbox/. */
import { wakeMs } from '../../db/breaker.ts'
import { openDatabase } from '../../db/client.ts'
import { insertLetter } from '../mailbox/store.ts'
import type { Transport } from './transport.ts'

const deadlineMs = wakeMs

export const keepInMailbox: Transport = async ({ config }, letter) => {
  await openDatabase(config).batch({ kept: insertLetter(letter) }, deadlineMs)
}
