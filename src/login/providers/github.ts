/** GitHub and GitHub Enterprise Server. https://docs.github.com/apps/oauth-apps */
import { z } from 'zod'
import { addressAt, optionalText, person, subject } from './oauth.ts'
import type { OAuthProvider } from './provider.ts'

const profile = z.object({ id: subject, login: z.string(), name: optionalText })
const emails = z.array(z.object({ email: z.string(), primary: z.boolean(), verified: z.boolean() }))

/** The provider. The API of an Enterprise Server has the same host as its pages. */
export const github: OAuthProvider = {
  protocol: 'oauth2',
  code: 'github',
  label: 'GitHub',
  scope: ['read:user', 'user:email'],
  authMethod: 'client_secret_post',
  endpoints(server) {
    const api =
      server === undefined ? 'https://api.github.com' : addressAt('https://api.github.com/api/v3', server)
    return {
      authorization: addressAt('https://github.com/login/oauth/authorize', server),
      token: addressAt('https://github.com/login/oauth/access_token', server),
      profile: `${api}/user`,
      emails: `${api}/user/emails`,
    }
  },
  async read(get, endpoints) {
    const { id, login, name } = profile.parse(await get(endpoints.profile))
    const all = emails.parse(await get(endpoints.emails as string))
    const primary = all.find((email) => email.primary) ?? all[0]
    return person({
      subject: id,
      email: primary?.email,
      emailVerified: primary?.verified ?? false,
      firstName: name ?? '',
      username: login,
    })
  },
}
