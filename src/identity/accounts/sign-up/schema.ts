/** The request and response bodies of signing up. */
import * as z from 'zod'
import { newPassword } from '../../../kernel/access/password-rule.ts'
import { email, personName, user } from '../../users/schema.ts'
import { newRecoveryCodes } from '../factors/schema.ts'
import { passkeyAnswer, passkeyInput } from '../passkeys/schema.ts'
import { linkToken } from '../password/schema.ts'

const person = {
  email: email.describe('The e-mail address of the new account. A link is mailed there.'),
  first_name: personName.default('').describe('The first name.'),
  last_name: personName.default('').describe('The last name.'),
}

/** The body that signs up. */
export const signUpInput = z.strictObject({
  ...person,
  password: newPassword.describe('The password of the new account.'),
})
export type SignUpInput = z.output<typeof signUpInput>

/** The body that finishes a sign-up. */
export const signUpConfirmation = z.strictObject({
  token: linkToken,
  password: z.string().min(1).max(1024).describe('The password that was chosen when signing up.'),
})
export type SignUpConfirmation = z.infer<typeof signUpConfirmation>

/** The body that requests the options of a passkey to sign up with. */
export const passkeySignUpStart = z.strictObject(person)
export type PasskeySignUpStart = z.output<typeof passkeySignUpStart>

/** The body that signs up with a passkey that the browser has created. */
export const passkeySignUp = passkeyInput.extend(person)
export type PasskeySignUp = z.output<typeof passkeySignUp>

/** The body that finishes a sign-up with a passkey. */
export const passkeySignUpConfirmation = passkeyAnswer.extend({ token: linkToken })
export type PasskeySignUpConfirmation = z.output<typeof passkeySignUpConfirmation>

export const signedUpByPasskey = newRecoveryCodes.extend({ user: user.describe('The new account.') }).meta({
  id: 'SignedUpByPasskey',
  description: 'The new account with its recovery codes, which are shown only once.',
})
export type SignedUpByPasskey = z.infer<typeof signedUpByPasskey>
