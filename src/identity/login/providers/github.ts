/** GitHub and GitHub Enterprise Server. https://docs.github.com/apps/oauth-apps */
import * as z from 'zod'
import { addressAt, optionalPart, optionalText, person, subject } from './oauth.ts'
import { wellKnownPath } from './openid.ts'
import type { OAuthProvider } from './provider.ts'

const profile = z.object({ id: subject, login: optionalText, name: optionalText, email: optionalText })
const emails = z.array(z.object({ email: z.string(), primary: z.boolean(), verified: z.boolean() }))

/** The provider. The API of an Enterprise Server has the same host as its pages. */
export const github: OAuthProvider = {
  protocol: 'oauth2',
  code: 'github',
  label: 'GitHub',
  scope: ['read:user', 'user:email'],
  serverProblem: ({ pathname }) =>
    pathname.endsWith(wellKnownPath)
      ? 'The server_url of GitHub is the address of an Enterprise Server, not of a discovery document.'
      : undefined,
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
    const { id, login, name, email } = profile.parse(await get(endpoints.profile))
    const all = await optionalPart(async () => emails.parse(await get(endpoints.emails as string)))
    const primary = all?.find((one) => one.primary) ?? all?.[0]
    return person({
      subject: id,
      email: primary?.email ?? email,
      emailVerified: primary?.verified ?? false,
      firstName: name ?? '',
      username: login,
    })
  },
}
