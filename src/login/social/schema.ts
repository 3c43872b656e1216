/** What goes in and out of signing in through a provider. S4, S5. */
import { z } from 'zod'
import { tokenPair } from '../../access/jwt/schema.ts'
import { user } from '../../users/schema.ts'

const redirectUri = z.string().max(2000)

export const redirectQuery = z.object({
  redirect_uri: redirectUri.optional().meta({
    description: "Where the provider sends the browser back to: an address of this host or of a domain of the site. Omitted: the site's own page.",
  }),
})

export const redirect = z
  .object({
    authorization_url: z.string().meta({ format: 'uri', description: 'Where the browser goes to sign in.' }),
    state: z.string().describe('What the provider sends back beside the code.'),
  })
  .meta({ id: 'AuthorizationRedirect', description: 'Where a sign-in begins.' })

export const codeInput = z.strictObject({
  code: z.string().min(1).max(4096).describe('The authorization code of the provider.'),
  state: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .meta({ description: 'Omitted: that of the cookie which began the sign-in; without one, the code is exchanged without PKCE.' }),
  redirect_uri: redirectUri.optional().describe('The address that the code was sent to, where another one than usual was asked for.'),
  iss: z.string().max(2000).optional().meta({ description: 'As the provider sent it beside the code (RFC 9207).' }),
})

/** S7. */
export const confirmationRequired = z
  .object({
    detail: z.string().describe('What has to be done.'),
    confirmation: z.uuid().meta({ description: 'What the mailed code is sent with, within ten minutes.' }),
  })
  .meta({ id: 'ConfirmationRequired', description: 'The sign-in has to be confirmed by a mailed code.' })

export const confirmationInput = z.strictObject({
  confirmation: z.uuid().describe('The `confirmation` of the answer that asked for the code.'),
  code: z.string().min(1).max(40).describe('The code of the letter.'),
})

export const signedInSocially = tokenPair
  .extend({ user: user.describe('The account that signed in.') })
  .meta({ id: 'TokenPairAndUser', description: 'An access token and a refresh token, and whose they are.' })
