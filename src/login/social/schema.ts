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

export const redirect = z.object({ authorization_url: z.string().meta({ format: 'uri' }), state: z.string() }).meta({ id: 'AuthorizationRedirect' })

export const codeInput = z.strictObject({
  code: z.string().min(1).max(4096),
  state: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .meta({ description: 'Omitted: that of the cookie which began the sign-in; without one, the code is exchanged without PKCE.' }),
  redirect_uri: redirectUri.optional(),
  iss: z.string().max(2000).optional().meta({ description: 'As the provider sent it beside the code (RFC 9207).' }),
})

/** S7. */
export const confirmationRequired = z
  .object({ detail: z.string(), confirmation: z.uuid().meta({ description: 'What the mailed code is sent with, within ten minutes.' }) })
  .meta({ id: 'ConfirmationRequired' })

export const confirmationInput = z.strictObject({
  confirmation: z.uuid(),
  code: z.string().min(1).max(40),
})

export const signedInSocially = tokenPair.extend({ user }).meta({ id: 'TokenPairAndUser' })
