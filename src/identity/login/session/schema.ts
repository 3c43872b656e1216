/** The response body of /api/auth/session. */
import * as z from 'zod'
import { tokenPair } from '../../../kernel/access/jwt/schema.ts'
import { user } from '../../users/schema.ts'

/** The account of a new session. */
export const sessionStarted = z.object({ user: user.describe('The account that signed in.') })

/** The access token of a session. */
export const sessionToken = tokenPair
  .omit({ refresh: true })
  .meta({ id: 'SessionToken', description: 'An access token that ends with the session.' })
export type SessionToken = z.infer<typeof sessionToken>
