/** What goes in and out of /api/auth/jwt. A1, A2. */
import { z } from 'zod'

export const signInInput = z.strictObject({
  /** A user name or an e-mail. */
  username: z.string().min(1).max(254).describe('The user name or the e-mail address.'),
  password: z.string().min(1).max(1024).describe('The password.'),
})
export type SignInInput = z.infer<typeof signInInput>

const token = z.string().min(1).max(4096)

export const refreshInput = z.strictObject({ refresh: token.describe('The refresh token, which works once.') })
export const verifyInput = z.strictObject({ token: token.describe('An access or refresh token.') })

/** A1. */
export const tokenPair = z
  .object({
    access: z.string().describe('The access token, which requests carry in the header Authorization.'),
    refresh: z.string().describe('The refresh token, which gets the next pair, once.'),
    token_type: z.literal('Bearer').describe('The scheme of the header Authorization.'),
    expires_in: z.int().meta({ description: 'Seconds until the access token expires.' }),
  })
  .meta({ id: 'TokenPair', description: 'An access token and a refresh token.' })
export type TokenPair = z.infer<typeof tokenPair>

export const jsonWebKeySet = z
  .object({ keys: z.array(z.record(z.string(), z.string())).describe('The keys, as JSON Web Keys.') })
  .meta({ id: 'JsonWebKeySet', description: 'The public keys that access tokens are verified with.' })

export const nothing = z.object({})
