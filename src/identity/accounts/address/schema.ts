/** The request and response bodies of verifying an e-mail address. */
import * as z from 'zod'
import { linkToken } from '../password/schema.ts'

/** The body that confirms an address by a mailed link. */
export const addressConfirmation = z.strictObject({ token: linkToken })

/** The address that is verified now. */
export const verifiedAddress = z
  .object({
    email: z.string().describe('The verified e-mail address.'),
    has_password: z
      .boolean()
      .describe('False if the account has no password. A password that somebody else had set was removed.'),
  })
  .meta({ id: 'VerifiedAddress', description: 'An e-mail address that was verified.' })
export type VerifiedAddress = z.infer<typeof verifiedAddress>
