/** Whether people can sign in with a social app, and who learns why not. S3. */
import { beforeAll, describe, expect, inject, it } from 'vitest'
import { createSite, type Site, startApp, type TestApp } from '../support/app.ts'
import { openIdApp, serverOf } from '../support/social-login.ts'

let app: TestApp
let site: Site

const google = { provider: 'google', name: 'Google', client_id: 'google-client', secret: 'google-secret' }

const ask = (method: string, path: string, body?: unknown) =>
  app.request(method, `${site.api}/auth/social-apps/${path}`, {
    token: site.owner.token,
    ...(body === undefined ? {} : { body }),
  })

beforeAll(async () => {
  app = (await startApp()).with({ ALLOW_PRIVATE_HOSTS: 'true' })
  site = await createSite(app, 'asked')
})

describe('is_configured', () => {
  it.each(['google', 'github'])(
    'of %s is true while the hosted service does not respond',
    async (provider) => {
      const { id } = (await ask('POST', '', { ...google, provider })).body.data
      expect((await ask('GET', `${id}/`)).body.is_configured).toBe(true)
      await ask('DELETE', `${id}/`)
    },
  )

  const dead = 'http://127.0.0.1:9'
  const servers = inject('identityProviders')
  const hosted = (provider: string, server_url: string) => ({ ...google, provider, settings: { server_url } })
  it.each<[string, object, boolean, string | null, string?]>([
    [
      'no discovery document',
      openIdApp('reason', `${servers}/none/.well-known/openid-configuration`),
      false,
      'The address of the discovery document answers 404.',
    ],
    [
      'another issuer',
      openIdApp('reason', serverOf('other-issuer')),
      false,
      'The discovery document names another issuer than its own address: "https://accounts.example.com".',
    ],
    [
      'shared secrets',
      openIdApp('reason', serverOf('only-shared')),
      false,
      'The provider supports no accepted signing algorithm.',
    ],
    ['a dead GitLab', hosted('gitlab', dead), false, 'The server does not respond.'],
    ['a dead GitHub Enterprise', hosted('github', dead), false, 'The server does not respond.'],
    [
      'a GitLab without a discovery document',
      hosted('gitlab', `${servers}/none`),
      false,
      'The address of the discovery document answers 404.',
    ],
    [
      'SAML without metadata',
      { ...google, provider: 'saml', provider_id: 'reason' },
      false,
      'The app has no metadata of the provider.',
    ],
    [
      'a wrong secret',
      { ...openIdApp('reason', serverOf('good')), secret: 'wrong' },
      true,
      null,
      'The provider rejects the client_id or the secret.',
    ],
    ['nothing wrong', openIdApp('reason', serverOf('good')), true, null],
  ])('and the reason are told to the owner alone: %s', async (_what, body, configured, reason, checked) => {
    const made = await ask('POST', '', body)
    const { id } = made.body.data
    const problem = reason === null ? {} : { problem: reason }
    expect([made.status, made.body]).toEqual([
      201,
      { success: true, message: expect.any(String), data: expect.any(Object), ...problem },
    ])
    expect(made.body.data.is_configured).toBe(configured)
    const patched = await ask('PATCH', `${id}/`, { name: 'Renamed' })
    expect([patched.body.data.is_configured, patched.body.problem ?? null]).toEqual([configured, reason])

    const check = await ask('POST', `${id}/check/`, undefined)
    expect([check.status, check.body]).toEqual([
      200,
      { success: true, is_configured: configured && checked === undefined, problem: checked ?? reason },
    ])
    const shown = (await ask('GET', `${id}/`)).body
    expect([shown.is_configured, Object.hasOwn(shown, 'problem')]).toEqual([check.body.is_configured, false])
    const list = await app.request('GET', `${site.api}/auth/social-apps/`)
    expect(list.text).not.toContain('problem')
    await ask('DELETE', `${id}/`)
  })
})
