/**
 * Providers that deviate from the standards: what is forgiven because the ID token proves the person all the
 * same, and what is not.
 */
import { beforeAll, describe, expect, it } from 'vitest'
import { type Step, stepFailed } from '../../src/identity/login/exchange/errors.ts'
import { microsoft } from '../../src/identity/login/providers/microsoft.ts'
import { startApp, type TestApp } from '../support/app.ts'
import { type Answered, otherAlgorithms } from '../support/identity-providers.ts'
import { createSocialSite, openIdApp, type SocialSite, serverOf, verified } from '../support/social-login.ts'

let app: TestApp
let site: SocialSite

/** The names of providers whose discovery documents deviate. */
const deviating = ['algorithms', 'nulls']

beforeAll(async () => {
  app = (await startApp()).with({ ALLOW_PRIVATE_HOSTS: 'true' })
  site = await createSocialSite(app, 'deviating', ['plain'])
  for (const name of deviating) {
    const body = openIdApp(name, serverOf(name))
    const made = await app.request('POST', `${site.api}/auth/social-apps/`, { token: site.owner.token, body })
    expect([name, made.status, made.body.data.is_configured]).toEqual([name, 201, true])
  }
})

/** The e-mail of the account that a sign-in opens. */
const opened = async (handle: string, claims: Record<string, unknown>, more?: Partial<Answered>) => {
  const { status, body } = await site.signIn(handle, claims, more)
  return [status, body.user?.email ?? body.detail]
}

describe('forgiven is', () => {
  it.each(otherAlgorithms)('an ID token that is signed with %s', async (alg) => {
    const subject = `signed-${alg.toLowerCase()}`
    expect(await opened('algorithms', verified(subject), { header: { alg, kid: alg } })).toEqual([
      200,
      `${subject}@example.org`,
    ])
  })

  it.each([
    ['EdDSA', 'Ed25519'],
    ['Ed25519', 'EdDSA'],
    ['Ed25519', 'Ed25519'],
  ])('an ID token that is signed with %s by a key for %s, which are one algorithm', async (alg, kid) => {
    const subject = `edwards-${alg}-${kid}`.toLowerCase()
    expect(await opened('algorithms', verified(subject), { header: { alg, kid } })).toEqual([
      200,
      `${subject}@example.org`,
    ])
  })

  it.each<[string, Partial<Answered>]>([
    ['fails', { userinfoStatus: 500 }],
    ['rejects the token', { userinfoStatus: 403 }],
    ['has no subject', { userinfo: { sub: null, email: 'other@example.org' } }],
  ])('a UserInfo that %s: the claims of the ID token count alone', async (what, more) => {
    const sub = `info-${what.replaceAll(' ', '-')}`
    const email = `${sub}@example.org`
    expect(await opened('plain', { sub, email }, more)).toEqual([200, email])
    expect(await opened('plain', { sub }, more)).toEqual([200, email])
  })

  it('the text "true" for email_verified', async () => {
    const known = await app.user('known-by-text')
    const claims = { sub: 'text', email: 'known-by-text@example.org', email_verified: 'true' }
    expect((await site.signIn('plain', claims)).body.user).toMatchObject({ id: known.id })
  })

  it.each<[string, Record<string, unknown>]>([
    ['null', { refresh_token: null, scope: null, expires_in: null, error: null }],
    ['a list of scopes', { scope: ['openid', 'email'] }],
    ['an expiry that is not a number', { expires_in: 'soon' }],
    ['no type', { token_type: null }],
  ])('a token response with %s', async (what, tokens) => {
    const subject = `tokens-${what.replaceAll(' ', '-')}`
    expect(await opened('plain', verified(subject), { tokens })).toEqual([200, `${subject}@example.org`])
  })

  it('null in the discovery document', async () => {
    expect(await opened('nulls', verified('nulls'))).toEqual([200, 'nulls@example.org'])
  })

  it('a subject with a space, which counts', async () => {
    const first = await site.signIn('plain', verified('ada byron', 'spaced@example.org'))
    const second = await site.signIn('plain', verified('ada byron ', 'spaced-too@example.org'))
    expect([first.body.user.email, second.body.user.email]).toEqual([
      'spaced@example.org',
      'spaced-too@example.org',
    ])
    const again = await site.signIn('plain', verified('ada byron', 'moved@example.org'))
    expect(again.body.user.id).toBe(first.body.user.id)
  })
})

describe('not forgiven is', () => {
  it.each<[string, Step, Record<string, unknown>, Partial<Answered>]>([
    [
      'a UserInfo of another subject',
      'user_info',
      { sub: 'a', email: 'a@example.org' },
      { userinfo: { sub: 'b' } },
    ],
    ['a subject of spaces', 'subject', verified('  ', 'a@example.org'), {}],
    [
      'an algorithm that the document does not list',
      'id_token',
      verified('a'),
      { header: { alg: 'ES384', kid: 'ES384' } },
    ],
    ['an ID token without a signature', 'id_token', verified('a'), { signature: 'none' }],
  ])('%s: the step %s fails', async (_what, step, claims, more) => {
    expect(await opened('plain', claims, more)).toEqual([400, Object(stepFailed(step).body).detail])
  })

  it.each([
    ['a', 'false'],
    ['b', 'True'],
    ['c', '1'],
    ['d', 1],
    ['e', null],
  ])('the e-mail of an existing account, doubted-%s, with %j for email_verified', async (name, value) => {
    await app.user(`doubted-${name}`)
    const claims = { sub: `doubted-${name}`, email: `doubted-${name}@example.org`, email_verified: value }
    expect((await site.signIn('plain', claims)).status).toBe(400)
  })
})

describe('the issuer of Microsoft', () => {
  const server = 'https://login.microsoftonline.com'
  const id = 'aaaaaaaa-bbbb-4ccc-8ddd-eeeeeeeeeeee'
  const other = 'ffffffff-bbbb-4ccc-8ddd-eeeeeeeeeeee'
  const consumers = '9188040d-6c67-4c5b-b112-36a304b66dad'

  it.each([
    ['common', '{tenantid}', true],
    ['organizations', '{tenantid}', true],
    ['consumers', consumers, true],
    ['contoso.example', id, true],
    [id, id, true],
    [id, other, false],
    [id, '{tenantid}', false],
    ['consumers', id, false],
    ['consumers', '{tenantid}', false],
    ['contoso.example', '{tenantid}', false],
    ['contoso.example', `${id}/v2.0/${id}`, false],
    ['constructor', '{tenantid}', false],
  ])('of %s can be that of %s: %s', (tenant, named, isIssuer) => {
    const discovery = `${server}/${tenant}/v2.0/.well-known/openid-configuration`
    expect(microsoft.isIssuer(`${server}/${named}/v2.0`, discovery)).toBe(isIssuer)
    expect(microsoft.isIssuer(`https://attacker.example/${named}/v2.0`, discovery)).toBe(false)
  })
})
