/** Bitbucket. https://support.atlassian.com/bitbucket-cloud/docs/use-oauth-on-bitbucket-cloud/ */
import * as z from 'zod'
import { addressAt, optionalPart, optionalText, person, subject } from './oauth.ts'
import type { OAuthProvider } from './provider.ts'

const profile = z.object({ uuid: subject, username: optionalText, display_name: optionalText })
const emails = z.object({
  values: z.array(z.object({ email: z.string(), is_primary: z.boolean(), is_confirmed: z.boolean() })),
})

/** The provider. Its e-mail addresses are not in the profile but in a separate list. */
export const bitbucket: OAuthProvider = {
  protocol: 'oauth2',
  code: 'bitbucket',
  label: 'Bitbucket',
  scope: ['account', 'email'],
  authMethod: 'client_secret_basic',
  endpoints: (server) => ({
    authorization: addressAt('https://bitbucket.org/site/oauth2/authorize', server),
    token: addressAt('https://bitbucket.org/site/oauth2/access_token', server),
    profile: addressAt('https://api.bitbucket.org/2.0/user', server),
    emails: addressAt('https://api.bitbucket.org/2.0/user/emails', server),
  }),
  async read(get, endpoints) {
    const { uuid, username, display_name } = profile.parse(await get(endpoints.profile))
    const all = await optionalPart(async () => emails.parse(await get(endpoints.emails as string)).values)
    const primary = all?.find((email) => email.is_primary) ?? all?.[0]
    return person({
      subject: uuid,
      email: primary?.email,
      emailVerified: primary?.is_confirmed ?? false,
      firstName: display_name ?? '',
      username,
    })
  },
}
