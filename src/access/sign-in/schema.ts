/** What goes in and out of signing in with a password. A1. */
import { z } from 'zod'

export const signInInput = z.strictObject({
  /** A user name or an e-mail. */
  username: z.string().min(1).max(254),
  password: z.string().min(1).max(1024),
})
export type SignInInput = z.infer<typeof signInInput>
