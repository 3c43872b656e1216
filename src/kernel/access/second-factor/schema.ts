/** The answer to a sign-in that waits for a second factor. */
import * as z from 'zod'
import { errorCode } from '../../http/openapi/bodies.ts'

/** The methods with which a sign-in can be completed. */
const factors = ['totp', 'passkey', 'recovery_code'] as const
export type Factor = (typeof factors)[number]

/** The seconds in which a sign-in has to be finished. */
export const challengeSeconds = 300

/** The body of the 403. */
export const factorRequired = z
  .object({
    detail: z.string().describe('What is needed.'),
    code: errorCode,
    challenge: z
      .string()
      .meta({ format: 'uuid', description: 'The unfinished sign-in. A challenge works once.' }),
    factors: z.array(z.enum(factors)).describe('The second factors of the account that work on this host.'),
    expires_in: z.int().describe('The number of seconds until the challenge expires.'),
  })
  .meta({ id: 'FactorRequired', description: 'The sign-in needs a second factor.' })
