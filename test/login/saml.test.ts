/** Signing in by SAML. S3–S7. */
import { beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '../support/app.ts'
import { createSamlSite, requestIn, type SamlSite, type Started } from '../support/saml-provider.ts'

let app: TestApp
let site: SamlSite

const get = (path: string, headers: Record<string, string> = {}) =>
  app.request('GET', path.startsWith('http') ? path : `/sites/saml${path}`, { headers })

/** Follows the address that a response was answered with, in the browser that has started the sign-in. */
const follow = (answer: Awaited<ReturnType<typeof get>>, { cookie }: Pick<Started, 'cookie'>) =>
  get(answer.headers.get('location') ?? '', { cookie })
const user = (email: string) => app.sql('select * from users where lower(email) = lower($1)', [email])

beforeAll(async () => {
  app = await startApp()
  site = await createSamlSite(app, 'saml')
})

describe('a sign-in that starts at the site', () => {
  it('the browser is sent to the provider with a request, in one round trip', async () => {
    const started = await site.start()
    expect(started.address.origin + started.address.pathname).toBe('https://id.example.org/sso')
    expect([...started.address.searchParams.keys()]).toEqual(['SAMLRequest', 'RelayState'])
    expect(started.address.searchParams.get('RelayState')).toBe(started.state)
    expect(await requestIn(started.address)).toMatch(/^<samlp:AuthnRequest /)
  })

  it('a signed response signs the browser in and leads it to the requested path', async () => {
    const started = await site.start('corp', '/sites/saml/inside')
    const answer = await site.post({
      SAMLResponse: site.field(started, {
        attributes: { email: 'ada@corp.example', givenName: 'Ada', sn: 'Byron' },
      }),
      RelayState: started.state,
    })
    expect([answer.status, answer.text]).toEqual([303, ''])
    const finished = await follow(answer, started)
    expect([finished.status, finished.headers.get('location')]).toEqual([303, '/sites/saml/inside'])
    expect(finished.headers.getSetCookie().some((cookie) => cookie.startsWith('sessionid='))).toBe(true)
    expect(await user('ada@corp.example')).toMatchObject([{ first_name: 'Ada', last_name: 'Byron' }])
  })

  it('ECDSA', async () => {
    const started = await site.start('corp', '/sites/saml/inside')
    const { keys } = await import('../support/saml-provider.ts')
    const answer = await site.post({
      SAMLResponse: site.field(
        started,
        {},
        { key: keys.ecdsa, algorithm: 'http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha256' },
      ),
      RelayState: started.state,
    })
    expect([answer.status, answer.text]).toEqual([303, ''])
  })
})
