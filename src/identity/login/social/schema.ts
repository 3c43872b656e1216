/** The request and response bodies of signing in through a provider. S4, S5. */
import * as z from 'zod'
import { tokenPair } from '../../../kernel/access/jwt/schema.ts'
import { errorCode, id } from '../../../kernel/http/openapi/bodies.ts'
import { user } from '../../users/schema.ts'

const redirectUri = z.string().max(2000)

/** The query string that starts a sign-in. */
export const redirectQuery = z.object({
  redirect_uri: redirectUri.optional().meta({
    description:
      'The address that the provider sends the browser back to. ' +
      "It must belong to this host or to a domain of the site. Default: the site's own callback page.",
  }),
})

/** The address that starts a sign-in. */
export const redirect = z
  .object({
    authorization_url: z.string().meta({ format: 'uri', description: 'The address to send the browser to.' }),
    state: z.string().describe('The state that the provider sends back with the code.'),
  })
  .meta({ id: 'AuthorizationRedirect', description: 'The start of a sign-in through a provider.' })

/** The body that redeems a code. */
export const codeInput = z.strictObject({
  code: z.string().min(1).max(4096).describe('The authorization code from the provider.'),
  state: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .meta({
      description:
        'The state from the provider. Default: the newest state in the cookie of this browser. ' +
        'Without either, the code is exchanged without PKCE.',
    }),
  redirect_uri: redirectUri
    .optional()
    .describe('The redirect URI of the authorization request, if it was not the default one.'),
  iss: z
    .string()
    .max(2000)
    .optional()
    .meta({ description: 'The `iss` parameter that the provider sent with the code (RFC 9207).' }),
})

/** The body that starts linking a provider. */
export const linkInput = z.strictObject({
  redirect_uri: redirectQuery.shape.redirect_uri,
  next: z.string().max(2000).optional().meta({
    description: "The path where the site's own callback page sends the browser afterwards. Default: `/`.",
  }),
})

/** The body that finishes linking a provider. */
export const linkCodeInput = codeInput.extend({
  state: z.string().min(1).max(200).describe('The state from the provider.'),
})

/** The response to linking a provider. */
export const linkedProvider = z
  .object({ id: id.describe('The id of the link, as in the list of your providers.') })
  .meta({ id: 'LinkedProvider', description: "The provider that was linked to the caller's account." })

/** The body of the 403 that asks for a mailed code. S7. */
export const confirmationRequired = z
  .object({
    detail: z.string().describe('The reason, and what to do.'),
    code: errorCode,
    confirmation: z
      .uuid()
      .meta({ description: 'The id to send with the mailed code. It is valid for ten minutes.' }),
  })
  .meta({ id: 'ConfirmationRequired', description: 'The sign-in must be confirmed with a mailed code.' })

/** The body that confirms a sign-in. */
export const confirmationInput = z.strictObject({
  confirmation: z.uuid().describe('The `confirmation` from the response that asked for the code.'),
  code: z.string().min(1).max(40).describe('The code from the e-mail.'),
})

/** The response to a sign-in. */
export const signedInSocially = tokenPair
  .extend({
    user: user.describe('The account that signed in.'),
    ended: z
      .array(z.enum(['password', 'api_keys', 'sessions', 'providers']))
      .optional()
      .describe(
        'What ended, because somebody else may have made it: the provider has confirmed the e-mail for the ' +
          'first time. Omitted: nothing.',
      ),
  })
  .meta({ id: 'TokenPairAndUser', description: 'An access token and a refresh token with their account.' })
