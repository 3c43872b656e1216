/** What providers of plain OAuth 2 have in common. */
import { z } from 'zod'
import type { Person } from './provider.ts'

/** An id as APIs write it: a number or a text; always the same text for us. */
export const subject = z.union([z.string().min(1), z.int()]).transform(String)

export const optionalText = z
  .string()
  .nullish()
  .transform((value) => value?.trim() || undefined)

/** Addresses of a self-hosted instance are those of the hosted service, at another host. */
export const at = (url: string, server: string | undefined): string =>
  server === undefined ? url : `${server.replace(/\/+$/, '')}${new URL(url).pathname}${new URL(url).search}`

/** A name that is not divided is the first name. */
export const person = (known: { subject: string } & Partial<Person>): Person => ({
  email: undefined,
  emailVerified: false,
  firstName: '',
  lastName: '',
  username: undefined,
  ...known,
})
