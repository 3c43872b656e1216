/** The request and response bodies of accounts. T7. */
import * as z from 'zod'
import { newPassword } from '../../kernel/access/password-rule.ts'
import { identities } from '../../kernel/http/fixed-members.ts'
import { type ListForm, listQuery } from '../../kernel/http/lists/list.ts'
import { id, timestamp, uuid } from '../../kernel/http/openapi/bodies.ts'
import { activeFilter } from '../../kernel/http/params.ts'
import { withFixed, withReadOnly } from '../../kernel/http/with-read-only.ts'
import { storedAddress } from '../../kernel/lib/mail-address.ts'
import { isPathSegment, pathSegmentRule } from '../../kernel/lib/path-segment.ts'

/** The orders and the search of the list. */
export const listForm = {
  orderings: ['username', 'email', 'first_name', 'last_name', 'date_joined', 'last_login', 'id'],
  ordering: 'username',
  searched: 'the user name, the e-mail or the names',
} as const satisfies ListForm

/** A user name. `me` is reserved: it stands for the caller in paths. */
export const username = z
  .string()
  .overwrite(storedAddress)
  .refine((name) => name.toLowerCase() !== 'me', 'This name is reserved.')
  .refine(isPathSegment, pathSegmentRule)
  .regex(/^[\w.@+-]{1,150}$/, 'A user name has at most 150 characters: letters, digits and @ . + - _.')
/** An e-mail address. The domain can be international: it is stored as Punycode. */
export const email = z
  .string()
  .trim()
  .overwrite(storedAddress)
  .max(254)
  // Only ASCII: in lower case, other letters can become somebody else's address.
  .regex(/^[\x21-\x3f\x41-\x7e]{1,64}@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+$/, 'An e-mail address is required.')
/** A first or last name. */
export const personName = z
  .string()
  .trim()
  .max(150)
  .regex(/^\P{C}*$/u, 'A name must not contain control characters.')

/** The query string of the list. */
export const usersQuery = listQuery(listForm, activeFilter)
export type UsersQuery = z.infer<typeof usersQuery>

/** An account as clients see it. */
export const user = z
  .object({
    id: id.describe('The id of the account.'),
    uuid: uuid.describe('The UUID of the account.'),
    username: z.string().describe('The user name, which is unique and cannot be changed.'),
    email: z.string().describe('The e-mail address.'),
    first_name: z.string().describe('The first name.'),
    last_name: z.string().describe('The last name.'),
    full_name: z.string().describe('The first and last name.'),
    is_active: z.boolean().describe('True if the account can sign in.'),
    is_superuser: z.boolean().describe('True if the account has all permissions on the platform.'),
    date_joined: timestamp.describe('When the account was created.'),
    last_login: timestamp.nullable().describe('When the account last signed in. Null if it never did.'),
  })
  .meta({ id: 'User', description: 'An account.' })
export type User = z.infer<typeof user>

/** What no change of an account changes. */
export const fixedOfUser = {
  ...identities,
  username: 'If it is the e-mail address, it changes with `email`. Otherwise, create another account.',
  full_name: 'Change `first_name` and `last_name`.',
  is_superuser: 'Operators of the service make superusers.',
}

/** The body that creates an account. */
export const userInput = withReadOnly(
  {
    username,
    email,
    password: newPassword.describe('The password.'),
    first_name: personName.default(''),
    last_name: personName.default(''),
  },
  user,
)
  // Otherwise a sign-in with an e-mail could find another account that has this e-mail as its name.
  .refine(
    (input) => !input.username.includes('@') || input.username.toLowerCase() === input.email.toLowerCase(),
    {
      path: ['username'],
      error: 'A user name with an @ must be the e-mail of the same account.',
    },
  )
export type UserInput = z.infer<typeof userInput>

/** The body that changes an account. The user name cannot change, because it is part of paths. */
export const userChange = withFixed(
  fixedOfUser,
  {
    email: email.optional(),
    password: newPassword
      .optional()
      .describe('The new password. It ends all sessions and revokes all tokens.'),
    first_name: personName.optional(),
    last_name: personName.optional(),
    is_active: z.boolean().optional(),
  },
  user,
)
export type UserChange = z.infer<typeof userChange>

/** An account to create for a person whom another service has identified. It has no password. */
export interface ExternalUser {
  uuid: string
  email: string
  firstName: string
  lastName: string
  /** The user names that the account can have, the best one first. The first one that is free is used. */
  usernames: readonly string[]
}
