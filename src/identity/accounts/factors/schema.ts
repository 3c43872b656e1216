/** The request and response bodies of second factors. */
import * as z from 'zod'
import { tokenPair } from '../../../kernel/access/jwt/schema.ts'
import { count, errorDetail, timestamp } from '../../../kernel/http/openapi/bodies.ts'

/** The second factors of an account. */
export const ownFactors = z
  .object({
    totp: z
      .object({ created: timestamp.describe('When it was turned on.') })
      .nullable()
      .describe('The authenticator app. Null: turned off.'),
    passkeys: count.describe('The number of passkeys.'),
    recovery_codes: count.describe('The number of unused recovery codes.'),
    is_required: z.boolean().describe('True if every sign-in needs a second factor.'),
  })
  .meta({ id: 'OwnFactors', description: 'The second factors of the caller.' })
export type OwnFactors = z.infer<typeof ownFactors>

/** The secret for an authenticator app. */
export const newTotp = z
  .object({
    secret: z.string().describe('The secret in Base32, to be typed into an authenticator app.'),
    uri: z.string().meta({
      format: 'uri',
      description: 'The secret as an `otpauth` address, for a QR code.',
    }),
  })
  .meta({ id: 'NewTotp', description: 'A secret for an authenticator app. It is shown once.' })
export type NewTotp = z.infer<typeof newTotp>

/** The body with the first code of an app. */
export const totpConfirmation = z.strictObject({
  code: z
    .string()
    .regex(/^\d{6}$/, 'A code has six digits.')
    .describe('The code that the authenticator app shows now.'),
})

const recoveryCodes = z
  .array(z.string())
  .describe('Recovery codes, which work once each. Only this response shows them.')

export const newRecoveryCodes = z
  .object({ recovery_codes: recoveryCodes })
  .meta({ id: 'NewRecoveryCodes', description: 'New recovery codes. Earlier ones no longer work.' })
export type NewRecoveryCodes = z.infer<typeof newRecoveryCodes>

/** The result of turning on a second factor. */
export const turnedOn = z
  .object({
    recovery_codes: recoveryCodes.describe(
      'Ten recovery codes if this is the first factor of the account, otherwise none. Only this response ' +
        'shows them.',
    ),
    tokens: tokenPair.describe('New tokens, because the change has ended all earlier ones.'),
  })
  .meta({ id: 'FactorTurnedOn', description: 'The result of turning on a second factor.' })
export type TurnedOn = z.infer<typeof turnedOn>

/** The body that finishes a sign-in with a code. */
export const codeAnswer = z.strictObject({
  challenge: z.uuid().describe('The challenge from the answer to the sign-in.'),
  code: z.string().trim().min(1).max(64).describe('The code of the authenticator app, or a recovery code.'),
})
export type CodeAnswer = z.infer<typeof codeAnswer>

/** Whether to trust this browser for some days. */
export const trustsDevice = {
  trust_device: z
    .boolean()
    .default(false)
    .describe('Whether to trust this browser for TRUSTED_DEVICE_DAYS, with a cookie.'),
}

/** The body that finishes the sign-in of a browser with a code. */
export const sessionCodeAnswer = codeAnswer.extend(trustsDevice)

/** The 500 without the master key that encrypts the secret of an authenticator app. */
export const keysUnavailable = { body: errorDetail, description: 'The master keys are missing or wrong' }
