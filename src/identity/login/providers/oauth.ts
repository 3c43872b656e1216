/** Helpers that providers of plain OAuth 2 share. */
import * as z from 'zod'
import type { Person } from './provider.ts'

/** Reads an identifier that an API writes as a number or a string. Returns a string. */
export const subject = z.union([z.string().min(1), z.int()]).transform(String)

/** Reads an optional string. Returns undefined for null, and if it is empty after trimming. */
export const optionalText = z
  .string()
  .nullish()
  .transform((value) => value?.trim() || undefined)

/**
 * Reads an optional part of a person's profile. Returns undefined if the API refuses it, because the token
 * may lack the scope. The sign-in goes on: the part is not needed to identify the person.
 */
export const optionalPart = async <Part>(read: () => Promise<Part>): Promise<Part | undefined> =>
  read().catch(() => undefined)

/** Changes an address of the hosted service to the same address on a self-hosted instance. */
export const addressAt = (url: string, server: string | undefined): string =>
  server === undefined ? url : `${server.replace(/\/+$/, '')}${new URL(url).pathname}${new URL(url).search}`

/** Completes a person with empty values. Pass an undivided name as `firstName`. */
export const person = (known: { subject: string } & Partial<Person>): Person => ({
  email: undefined,
  emailVerified: false,
  firstName: '',
  lastName: '',
  username: undefined,
  ...known,
})
