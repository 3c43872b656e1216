/** The request and response bodies of /api/auth/jwt. A1, A2. */
import type { JWK } from 'jose'
import * as z from 'zod'

/** The body that signs in with a password. */
export const signInInput = z.strictObject({
  username: z.string().min(1).max(254).describe('The user name or the e-mail address.'),
  password: z.string().min(1).max(1024).describe('The password.'),
})
export type SignInInput = z.infer<typeof signInInput>

const token = z.string().min(1).max(4096)

/** The body with a refresh token. */
export const refreshInput = z.strictObject({
  refresh: token.describe('The refresh token. It works once.'),
})
/** The body with a token of either kind. */
export const verifyInput = z.strictObject({ token: token.describe('An access or refresh token.') })

/** The response to a sign-in. */
export const tokenPair = z
  .object({
    access: z.string().describe('The access token, for the Authorization header.'),
    refresh: z.string().describe('The refresh token, which can be exchanged once for a new pair.'),
    token_type: z.literal('Bearer').describe('The scheme for the Authorization header.'),
    expires_in: z.int().meta({ description: 'Seconds until the access token expires.' }),
  })
  .meta({ id: 'TokenPair', description: 'An access token and a refresh token.' })
export type TokenPair = z.infer<typeof tokenPair>

/** A JSON Web Key Set (RFC 7517). */
export const jsonWebKeySet = z
  .object({
    keys: z
      .array(z.custom<JWK>().meta({ type: 'object', additionalProperties: { type: 'string' } }))
      .describe('The JSON Web Keys.'),
  })
  .meta({ id: 'JsonWebKeySet', description: 'The public keys that verify tokens.' })

/** An empty object. */
export const nothing = z.object({})
