/** The answer to a sign-in that waits for a second factor. */
import { z } from 'zod'

/** What a sign-in can be finished with. */
const factors = ['totp', 'passkey', 'recovery_code'] as const
export type Factor = (typeof factors)[number]

/** The seconds in which a sign-in has to be finished. */
export const challengeSeconds = 300

/** The body of the 403. */
export const factorRequired = z
  .object({
    detail: z.string().describe('What is needed.'),
    challenge: z.string().meta({ format: 'uuid', description: 'The sign-in that waits. It works once.' }),
    factors: z.array(z.enum(factors)).describe('What the account can finish the sign-in with, at this host.'),
    expires_in: z.int().describe('Seconds until the sign-in has to be finished.'),
  })
  .meta({ id: 'FactorRequired', description: 'The sign-in waits for a second factor.' })
