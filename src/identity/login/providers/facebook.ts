/** Facebook. https://developers.facebook.com/docs/facebook-login */
import * as z from 'zod'
import { addressAt, optionalText, person, subject } from './oauth.ts'
import type { OAuthProvider } from './provider.ts'

const profile = z.object({
  id: subject,
  email: optionalText,
  first_name: optionalText,
  last_name: optionalText,
})

/** The provider. It does not say whether an e-mail is verified. */
export const facebook: OAuthProvider = {
  protocol: 'oauth2',
  code: 'facebook',
  label: 'Facebook',
  scope: ['email', 'public_profile'],
  authMethod: 'client_secret_post',
  endpoints: (server) => ({
    authorization: addressAt('https://www.facebook.com/v23.0/dialog/oauth', server),
    token: addressAt('https://graph.facebook.com/v23.0/oauth/access_token', server),
    profile: addressAt('https://graph.facebook.com/v23.0/me?fields=id,email,first_name,last_name', server),
  }),
  async read(get, endpoints) {
    const { id, email, first_name, last_name } = profile.parse(await get(endpoints.profile))
    return person({ subject: id, email, firstName: first_name ?? '', lastName: last_name ?? '' })
  },
}
