/** The query string and the response bodies of sign-ins. */
import { z } from 'zod'
import { type ListForm, listQuery } from '../../http/lists/list.ts'
import { timestamp, uuid } from '../../http/openapi/bodies.ts'

/** The orders and the search of the list. */
export const listForm = {
  orderings: ['created', 'last_used_at', 'expires_at'],
  ordering: '-last_used_at',
  searched: 'the device or the country',
} as const satisfies ListForm

/** The query string of the list. */
export const signInsQuery = listQuery(listForm, {})

/** A sign-in as its owner sees it. */
export const signIn = z
  .object({
    id: uuid.describe('The id of the sign-in.'),
    kind: z.enum(['tokens', 'session']).describe('Whether it has tokens, or a session in a browser.'),
    device: z
      .string()
      .nullable()
      .describe('The program and the system, as `Firefox on Linux`. Null: not known.'),
    country: z.string().nullable().describe('The country that the sign-in came from, as two letters.'),
    created: timestamp.describe('When the account was signed in.'),
    last_used_at: timestamp.describe('When the sign-in was last used, to the minute.'),
    expires_at: timestamp.describe('When the sign-in ends if it is not used.'),
    is_current: z.boolean().describe('True for the sign-in of this request.'),
  })
  .meta({ id: 'SignIn', description: 'A sign-in: the tokens that came of it, or a session.' })
export type SignIn = z.infer<typeof signIn>
