/** Zoom. https://developers.zoom.us/docs/integrations/oauth/ */
import * as z from 'zod'
import { addressAt, optionalText, person, subject } from './oauth.ts'
import type { OAuthProvider } from './provider.ts'

const profile = z.object({
  id: subject,
  email: optionalText,
  first_name: optionalText,
  last_name: optionalText,
  verified: z.int().nullish(),
})

/** The provider. `verified` is 1 for a verified e-mail. */
export const zoom: OAuthProvider = {
  protocol: 'oauth2',
  code: 'zoom',
  label: 'Zoom',
  scope: ['user:read:user'],
  authMethod: 'client_secret_basic',
  endpoints: (server) => ({
    authorization: addressAt('https://zoom.us/oauth/authorize', server),
    token: addressAt('https://zoom.us/oauth/token', server),
    profile: addressAt('https://api.zoom.us/v2/users/me', server),
  }),
  async read(get, endpoints) {
    const { id, email, first_name, last_name, verified } = profile.parse(await get(endpoints.profile))
    return person({
      subject: id,
      email,
      emailVerified: verified === 1,
      firstName: first_name ?? '',
      lastName: last_name ?? '',
    })
  },
}
