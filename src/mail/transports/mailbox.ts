/** The local mailbox: letters are kept, and read at /_dev/mailbox/. */
import { openDatabase } from '../../db/client.ts'
import { insertLetter } from '../mailbox/store.ts'
import type { Transport } from './transport.ts'

const deadlineMs = 5_000

export const keepInMailbox: Transport = async ({ config }, letter) => {
  await openDatabase(config).batch([insertLetter(letter)], deadlineMs)
}
