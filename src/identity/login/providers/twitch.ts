/** Twitch. https://dev.twitch.tv/docs/authentication */
import * as z from 'zod'
import { addressAt, optionalText, person, subject } from './oauth.ts'
import type { OAuthProvider } from './provider.ts'

const profile = z.object({
  data: z.tuple([
    z.object({ id: subject, login: optionalText, display_name: optionalText, email: optionalText }),
  ]),
})

/** The provider. It shows only verified e-mails. */
export const twitch: OAuthProvider = {
  protocol: 'oauth2',
  code: 'twitch',
  label: 'Twitch',
  scope: ['user:read:email'],
  authMethod: 'client_secret_post',
  endpoints: (server) => ({
    authorization: addressAt('https://id.twitch.tv/oauth2/authorize', server),
    token: addressAt('https://id.twitch.tv/oauth2/token', server),
    profile: addressAt('https://api.twitch.tv/helix/users', server),
  }),
  headers: (clientId) => ({ 'client-id': clientId }),
  async read(get, endpoints) {
    const [{ id, login, display_name, email }] = profile.parse(await get(endpoints.profile)).data
    return person({
      subject: id,
      email,
      emailVerified: email !== undefined,
      firstName: display_name ?? '',
      username: login,
    })
  },
}
