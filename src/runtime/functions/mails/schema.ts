/** The e-mails of functions, as the code of a function hands them over. It can be any JSON. */
import * as z from 'zod'
import { storableText } from '../../../kernel/lib/storable.ts'

const mailsMax = 100
/** A single address: it can name no other recipient, and no header. */
const address = z
  .string()
  .max(254)
  .regex(/^[^\s@<>,;:"()[\]\\\p{C}]+@[^\s@<>,;:"()[\]\\\p{C}]+$/u)

export const functionMail = z.object({
  to: address,
  subject: z.string().min(1).max(200),
  text: z.string().min(1).max(100_000),
  html: z.string().max(200_000).optional(),
  reply_to: address.optional(),
})
/** An e-mail of a function. */
export type FunctionMail = z.output<typeof functionMail>

/** The bytes of all e-mails of a run. */
const bytesMax = 512 * 1024

/** Returns the e-mails of a run in the form in which they are stored, or a sentence on why none is accepted. */
export function readMails(sent: readonly unknown[]): FunctionMail[] | string {
  if (sent.length > mailsMax) return `A run sends at most ${mailsMax} e-mails.`
  const mails: FunctionMail[] = []
  for (const one of sent) {
    const { data } = functionMail.safeParse(one)
    if (!data) return `E-mail ${mails.length + 1} of the run is not in the expected form.`
    mails.push(stored(data))
  }
  if (new TextEncoder().encode(JSON.stringify(sent)).length > bytesMax)
    return 'The e-mails of the run have more than 512 KiB.'
  return mails
}

/** Returns the e-mail with texts that Postgres can store, and a subject of one line. */
const stored = ({ subject, text, html, ...mail }: FunctionMail): FunctionMail => ({
  ...mail,
  subject: storableText(subject)
    .replace(/[\p{C}\s]+/gu, ' ')
    .trim(),
  text: storableText(text),
  ...(html === undefined ? {} : { html: storableText(html) }),
})
