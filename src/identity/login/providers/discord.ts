/** Discord. https://discord.com/developers/docs/topics/oauth2 */
import * as z from 'zod'
import { addressAt, optionalText, person, subject } from './oauth.ts'
import type { OAuthProvider } from './provider.ts'

const profile = z.object({
  id: subject,
  username: optionalText,
  global_name: optionalText,
  email: optionalText,
  verified: z.boolean().nullish(),
})

export const discord: OAuthProvider = {
  protocol: 'oauth2',
  code: 'discord',
  label: 'Discord',
  scope: ['identify', 'email'],
  authMethod: 'client_secret_post',
  endpoints: (server) => ({
    authorization: addressAt('https://discord.com/oauth2/authorize', server),
    token: addressAt('https://discord.com/api/oauth2/token', server),
    profile: addressAt('https://discord.com/api/users/@me', server),
  }),
  async read(get, endpoints) {
    const { id, username, global_name, email, verified } = profile.parse(await get(endpoints.profile))
    return person({
      subject: id,
      email,
      emailVerified: verified === true,
      firstName: global_name ?? '',
      username,
    })
  },
}
