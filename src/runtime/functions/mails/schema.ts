/** The e-mails of functions, as the code of a function hands them over. It can be any JSON. */
import * as z from 'zod'

const mailsMax = 100
/** A single address: it can name no other recipient, and no header. */
const address = z
  .string()
  .max(254)
  .regex(/^[^\s@<>,;:"()[\]\\\p{C}]+@[^\s@<>,;:"()[\]\\\p{C}]+$/u)

const functionMail = z.object({
  to: address,
  subject: z.string().min(1).max(200),
  text: z.string().min(1).max(100_000),
  html: z.string().max(200_000).optional(),
  reply_to: address.optional(),
})
/** An e-mail of a function. */
export type FunctionMail = z.output<typeof functionMail>

export const functionMails = z.array(functionMail).max(mailsMax).default([])

/** Returns the e-mail with texts that Postgres can store, and a subject of one line. */
export const storable = ({ subject, text, html, ...mail }: FunctionMail): FunctionMail => ({
  ...mail,
  subject: asStored(subject)
    .replace(/[\p{C}\s]+/gu, ' ')
    .trim(),
  text: asStored(text),
  ...(html === undefined ? {} : { html: asStored(html) }),
})

const asStored = (text: string): string => text.toWellFormed().replaceAll('\0', '\ufffd')
