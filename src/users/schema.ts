/** What goes into an account, and what is seen of it. T7. */
import { z } from 'zod'
import { newPassword } from '../access/password-rule.ts'
import { listQuery } from '../http/lists/list.ts'
import { id, timestamp, uuid } from '../http/openapi/bodies.ts'
import { activeFilter } from '../http/params.ts'
import { returnable } from '../http/returnable.ts'
import { isPathSegment, pathSegmentRule } from '../lib/path-segment.ts'
import { list } from './store.ts'

/** `me` is a word of the API's own paths. */
export const username = z
  .string()
  .refine((name) => name !== 'me', 'This name is reserved.')
  .refine(isPathSegment, pathSegmentRule)
  .regex(/^[\w.@+-]{1,150}$/, 'A user name has up to 150 letters, digits and @ . + - _.')
export const email = z
  .string()
  .trim()
  .max(254)
  // Of ASCII alone: other letters can become those of somebody else's address in lower case.
  .regex(/^[\x21-\x3f\x41-\x7e]{1,64}@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+$/, 'An e-mail address is required.')
export const personName = z
  .string()
  .trim()
  .max(150)
  .regex(/^\P{C}*$/u, 'A name has no control characters.')

export const usersQuery = listQuery(list, activeFilter)
export type UsersQuery = z.infer<typeof usersQuery>

export const user = z
  .object({
    id: id.describe('The id of the account.'),
    uuid: uuid.describe('The UUID of the account.'),
    username: z.string().describe('The user name, which is unique and cannot be changed.'),
    email: z.string().describe('The e-mail address.'),
    first_name: z.string().describe('The first name.'),
    last_name: z.string().describe('The last name.'),
    full_name: z.string().describe('First and last name.'),
    is_active: z.boolean().describe('Whether the account can sign in.'),
    is_superuser: z.boolean().describe('Whether the account may do everything on the platform.'),
    date_joined: timestamp.describe('When the account was created.'),
    last_login: timestamp.nullable().describe('When the account last signed in; null: never.'),
  })
  .meta({ id: 'User', description: 'An account.' })
export type User = z.infer<typeof user>

export const userInput = returnable(
  { username, email, password: newPassword.describe('The password.'), first_name: personName.default(''), last_name: personName.default('') },
  user,
)
  // Whoever signs in by an e-mail would be taken for whoever has it as a name.
  .refine((input) => !input.username.includes('@') || input.username.toLowerCase() === input.email.toLowerCase(), {
    path: ['username'],
    error: 'A user name with an @ is the e-mail of the account itself.',
  })
export type UserInput = z.infer<typeof userInput>

/** The user name stays: it stands in addresses. */
export const userChange = returnable(
  {
    email: email.optional(),
    password: newPassword.optional().describe('The new password. It ends all sessions and tokens.'),
    first_name: personName.optional(),
    last_name: personName.optional(),
    is_active: z.boolean().optional(),
  },
  user,
)
export type UserChange = z.infer<typeof userChange>

/** Somebody whom another service has named. */
export interface Person {
  uuid: string
  email: string
  firstName: string
  lastName: string
  /** Which user names would do, the best first. */
  usernames: readonly string[]
}
