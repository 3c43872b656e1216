/** The query string and the response bodies of sign-ins. */
import * as z from 'zod'
import { type ListForm, listQuery } from '../../../kernel/http/lists/list.ts'
import { timestamp, uuid } from '../../../kernel/http/openapi/bodies.ts'

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
    kind: z.enum(['tokens', 'session']).describe('Whether it consists of tokens or of a browser session.'),
    device: z
      .string()
      .nullable()
      .describe('The program and the operating system, such as `Firefox on Linux`. Null: unknown.'),
    country: z.string().nullable().describe('The country of the sign-in, as a code of two letters.'),
    created: timestamp.describe('The time of the sign-in.'),
    last_used_at: timestamp.describe('When the sign-in was last used, to the minute.'),
    expires_at: timestamp.describe('When the sign-in ends unless it is used again.'),
    is_current: z.boolean().describe('True for the sign-in of this request.'),
  })
  .meta({ id: 'SignIn', description: 'A sign-in: its tokens, or a session.' })
export type SignIn = z.infer<typeof signIn>
