/** The request and response bodies of signing up. */
import { z } from 'zod'
import { newPassword } from '../../access/password-rule.ts'
import { email, personName } from '../../users/schema.ts'
import { linkToken } from '../password/schema.ts'

/** The body that signs up. */
export const signUpInput = z.strictObject({
  email: email.describe('The e-mail address of the new account. A link is mailed there.'),
  password: newPassword.describe('The password of the new account.'),
  first_name: personName.default('').describe('The first name.'),
  last_name: personName.default('').describe('The last name.'),
})
export type SignUpInput = z.output<typeof signUpInput>

/** The body that finishes a sign-up. */
export const signUpConfirmation = z.strictObject({
  token: linkToken,
  password: z.string().min(1).max(1024).describe('The password that was chosen when signing up.'),
})
export type SignUpConfirmation = z.infer<typeof signUpConfirmation>
