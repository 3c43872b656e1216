/** Sign-ins with a certified OpenID provider, from discovery to UserInfo. S3–S5, S7. */
import { beforeAll, describe, expect, inject, it } from 'vitest'
import { createSite, type Site, startApp, type TestApp } from '../support/app.ts'
import { openIdApp } from '../support/social-login.ts'
import { walkThrough } from '../support/walk.ts'

let app: TestApp
let site: Site
const issuer = inject('certifiedProvider')

beforeAll(async () => {
  app = (await startApp()).with({ ALLOW_PRIVATE_HOSTS: 'true' })
  site = await createSite(app, 'certified')
  const body = {
    ...openIdApp('certified', `${issuer}/.well-known/openid-configuration`),
    secret: 'certified-secret',
  }
  const made = await app.request('POST', `${site.api}/auth/social-apps/`, { token: site.owner.token, body })
  expect([made.status, made.body.data.is_configured]).toEqual([201, true])
})

const begin = () => app.request('GET', `${site.api}/auth/certified/redirect/`, { token: site.owner.token })
const finish = (body: unknown) => app.request('POST', `${site.api}/auth/certified/token/`, { body })

describe('a sign-in by the API', () => {
  it('gets 200 with the account that the provider names', async () => {
    const { body } = await begin()
    const back = await walkThrough(body.authorization_url, 'ada')
    expect([back.searchParams.get('state'), back.searchParams.get('iss')]).toEqual([body.state, issuer])
    const code = back.searchParams.get('code')
    const { status, body: signedIn } = await finish({ code, state: body.state, iss: issuer })
    expect([status, signedIn.user]).toEqual([
      200,
      expect.objectContaining({
        username: 'ada',
        email: 'ada@example.org',
        first_name: 'Ada',
        last_name: 'Example',
      }),
    ])
    expect((await app.request('GET', '/api/users/me/', { token: signedIn.access })).body.username).toBe('ada')

    // A code works once, and only for its own sign-in.
    const again = await begin()
    for (const sent of [{ code, state: again.body.state }, { code }]) {
      expect(await finish(sent)).toMatchObject({
        status: 400,
        body: { detail: expect.stringContaining('rejected the authorization code'), code: 'provider_failed' },
      })
    }
  })

  it('does not open an existing account by an unverified e-mail', async () => {
    await app.user('unproven')
    const { body } = await begin()
    const back = await walkThrough(body.authorization_url, 'unproven')
    const answer = await finish({ code: back.searchParams.get('code'), state: body.state })
    expect([answer.status, answer.body.detail]).toEqual([
      400,
      expect.stringContaining('does not say that the e-mail is verified'),
    ])
  })

  it('rejects the code of another sign-in, because its verifier differs', async () => {
    const [one, two] = [await begin(), await begin()]
    const back = await walkThrough(one.body.authorization_url, 'eve')
    expect((await finish({ code: back.searchParams.get('code'), state: two.body.state })).status).toBe(400)
  })
})
