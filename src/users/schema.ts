/** What goes into an account, and what is seen of it. T7. */
import { z } from 'zod'
import { newPassword } from '../access/password-rule.ts'
import { id, timestamp, uuid } from '../http/openapi/bodies.ts'

/** `me` is a word of the API's own paths. */
export const username = z
  .string()
  .refine((name) => name !== 'me', 'This name is reserved.')
  .regex(/^[\w.@+-]{1,150}$/, 'A user name has up to 150 letters, digits and @ . + - _.')
export const email = z
  .string()
  .trim()
  .max(254)
  .regex(/^[^\s@]{1,64}@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+$/, 'An e-mail address is required.')
const name = z.string().trim().max(150)

export const userInput = z.strictObject({
  username,
  email,
  password: newPassword,
  first_name: name.default(''),
  last_name: name.default(''),
})
export type UserInput = z.infer<typeof userInput>

export const userChange = z.strictObject({
  email: email.optional(),
  password: newPassword.optional(),
  first_name: name.optional(),
  last_name: name.optional(),
  is_active: z.boolean().optional(),
})
export type UserChange = z.infer<typeof userChange>

export const user = z
  .object({
    id,
    uuid,
    username: z.string(),
    email: z.string(),
    first_name: z.string(),
    last_name: z.string(),
    full_name: z.string(),
    is_active: z.boolean(),
    is_superuser: z.boolean(),
    date_joined: timestamp,
    last_login: timestamp.nullable(),
  })
  .meta({ id: 'User' })
export type User = z.infer<typeof user>

/** Somebody whom another service has named. */
export interface Person {
  uuid: string
  email: string
  /** Whether that service knows that the e-mail is theirs. */
  emailVerified: boolean
  firstName: string
  lastName: string
  /** Which user names would do, the best first. */
  usernames: readonly string[]
}
