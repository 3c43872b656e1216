/** Social apps of the providers in identity-providers.ts, and sign-ins with them. */
import { inject } from 'vitest'
import { createSite, type Site, type TestApp, type User } from './app.ts'
import type { Answered } from './identity-providers.ts'

/** The discovery document of the lying provider by a name: each name is a provider of its own. */
export const serverOf = (name: string): string =>
  `${inject('identityProviders')}/liar/${name}/.well-known/openid-configuration`

/** The body that makes a social app of an OpenID provider. */
export const openIdApp = (providerId: string, server_url: string) => ({
  provider: 'openid_connect',
  provider_id: providerId,
  name: providerId,
  client_id: 'tessera',
  secret: 'right',
  settings: { server_url },
})

type Answer = Awaited<ReturnType<TestApp['request']>>

/** What the lying provider is to answer is in the code itself. */
export const codeFor = (answer: Partial<Answered> = {}): string =>
  Buffer.from(JSON.stringify({ serial: crypto.randomUUID(), ...answer })).toString('base64url')

/** A verified e-mail, as claims of an ID token. */
export const verified = (subject: string, email = `${subject}@example.org`) => ({
  sub: subject,
  email,
  email_verified: true,
})

export interface SocialSite extends Site {
  /** Somebody who may ask where to sign in. */
  member: User
  begin(handle: string, query?: string): Promise<Answer>
  finish(handle: string, body: unknown, headers?: Record<string, string>): Promise<Answer>
  /** The whole way: a code that the lying provider redeems for these claims, and the nonce of the sign-in. */
  signIn(handle: string, claims: Record<string, unknown>, more?: Partial<Answered>): Promise<Answer>
}

/** A site with apps of the lying provider, named by their handles. */
export async function createSocialSite(
  app: TestApp,
  name: string,
  handles: readonly string[],
  settings: Record<string, unknown> = {},
): Promise<SocialSite> {
  const site = await createSite(app, name)
  const member = await app.user(`${name}-member`)
  for (const handle of handles) {
    const body = openIdApp(handle, serverOf(`${name}-${handle}`))
    const made = await app.request('POST', `${site.api}/auth/social-apps/`, {
      token: site.owner.token,
      body: { ...body, settings: { ...body.settings, ...settings } },
    })
    if (made.status !== 201 || !made.body.data.is_configured) throw new Error(JSON.stringify(made.body))
  }
  const begin: SocialSite['begin'] = (handle, query = '') =>
    app.request('GET', `${site.api}/auth/${handle}/redirect/${query}`, { token: member.token })
  const finish: SocialSite['finish'] = (handle, body, headers = {}) =>
    app.request('POST', `${site.api}/auth/${handle}/token/`, { body, headers })
  return {
    ...site,
    member,
    begin,
    finish,
    async signIn(handle, claims, more = {}) {
      const { body } = await begin(handle)
      const asked = new URL(body.authorization_url).searchParams
      const code = codeFor({
        challenge: asked.get('code_challenge') ?? undefined,
        ...more,
        claims: { nonce: asked.get('nonce'), ...claims },
      })
      return finish(handle, { code, state: body.state })
    },
  }
}

/** How often somebody came where nobody should be led. */
export const canaries = async (): Promise<number> =>
  (await fetch(`${inject('identityProviders')}/canary/count`)).json()
