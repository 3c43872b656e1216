/** Social apps of the providers in identity-providers.ts, and sign-ins with them. */
import { inject } from 'vitest'
import { createSite, type Site, type TestApp, type User } from './app.ts'
import type { Answered } from './identity-providers.ts'

/** Returns the discovery URL of the lying provider with a name. Each name is a separate provider. */
export const serverOf = (name: string): string =>
  `${inject('identityProviders')}/liar/${name}/.well-known/openid-configuration`

/** Returns the body that creates a social app of an OpenID provider. */
export const openIdApp = (providerId: string, server_url: string) => ({
  provider: 'openid_connect',
  provider_id: providerId,
  name: providerId,
  client_id: 'tessera',
  secret: 'right',
  settings: { server_url },
})

type Answer = Awaited<ReturnType<TestApp['request']>>

/** Returns a code that contains the response of the lying provider. */
export const codeFor = (answer: Partial<Answered> = {}): string =>
  Buffer.from(JSON.stringify({ serial: crypto.randomUUID(), ...answer })).toString('base64url')

/** Returns the claims of an ID token with a verified e-mail. */
export const verified = (subject: string, email = `${subject}@example.org`) => ({
  sub: subject,
  email,
  email_verified: true,
})

export interface SocialSite extends Site {
  /** A user who may request the URL of a sign-in. */
  member: User
  begin(handle: string, query?: string): Promise<Answer>
  finish(handle: string, body: unknown, headers?: Record<string, string>): Promise<Answer>
  /**
   * Signs in from start to end with a code that the lying provider exchanges for these claims, and the nonce
   * of the sign-in.
   */
  signIn(handle: string, claims: Record<string, unknown>, more?: Partial<Answered>): Promise<Answer>
}

/** Creates a site with apps of the lying provider, named by their handles. */
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

/** Returns the number of requests to the path that must never be reached. */
export const canaries = async (): Promise<number> =>
  (await fetch(`${inject('identityProviders')}/canary/count`)).json()
