/** The request and response bodies of passwords. */
import * as z from 'zod'
import { newPassword } from '../../../kernel/access/password-rule.ts'
import { email } from '../../users/schema.ts'

/** The body that changes the caller's password. */
export const passwordChange = z.strictObject({
  current_password: z.string().min(1).max(1024).describe('The current password.'),
  password: newPassword.describe(
    'The new password. It ends all sessions and revokes all tokens and API keys.',
  ),
})
export type PasswordChange = z.infer<typeof passwordChange>

/** The body that requests a link. */
export const linkRequest = z.strictObject({ email: email.describe('The e-mail address of the account.') })

export const linkToken = z.string().min(1).max(100).describe('The token of the link. It works once.')

/** The body that sets a password by a mailed link. */
export const passwordReset = z.strictObject({
  token: linkToken,
  password: newPassword.describe(
    'The new password. It ends all sessions and revokes all tokens and API keys.',
  ),
})
export type PasswordReset = z.infer<typeof passwordReset>

/** The result, as a sentence for users. */
export const done = z.object({ detail: z.string().describe('The result, as a sentence.') })
