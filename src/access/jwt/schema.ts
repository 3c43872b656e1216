/** What goes in and out of /api/auth/jwt. A1, A2. */
import { z } from 'zod'

export const signInInput = z.strictObject({
  /** A user name or an e-mail. */
  username: z.string().min(1).max(254),
  password: z.string().min(1).max(1024),
})
export type SignInInput = z.infer<typeof signInInput>

const token = z.string().min(1).max(4096)

export const refreshInput = z.strictObject({ refresh: token })
export const verifyInput = z.strictObject({ token })

/** A1. */
export const tokenPair = z
  .object({
    access: z.string(),
    refresh: z.string(),
    token_type: z.literal('Bearer'),
    expires_in: z.int().meta({ description: 'Seconds until the access token expires.' }),
  })
  .meta({ id: 'TokenPair' })
export type TokenPair = z.infer<typeof tokenPair>

export const jsonWebKeySet = z.object({ keys: z.array(z.record(z.string(), z.string())) }).meta({ id: 'JsonWebKeySet' })

export const nothing = z.object({})
