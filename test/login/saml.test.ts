/** Signing in with SAML. S3–S7. */
import { createVerify } from 'node:crypto'
import { beforeAll, describe, expect, inject, it } from 'vitest'
import { deleteEndedAssertions } from '../../src/identity/login/assertions/store.ts'
import { openDatabase } from '../../src/kernel/db/client.ts'
import { configOf } from '../../src/kernel/env.ts'
import { createSite, startApp, type TestApp } from '../support/app.ts'
import { bareCertificate, metadataOf, providerId, responseOf } from '../support/saml-documents.ts'
import {
  asField,
  certificates,
  createSamlSite,
  keys,
  requestIn,
  type SamlSite,
  type Started,
  sign,
} from '../support/saml-provider.ts'
import { roundTrips } from '../support/secrets.ts'

let app: TestApp
let site: SamlSite

type Answer = Awaited<ReturnType<TestApp['request']>>
const get = (path: string, headers: Record<string, string> = {}) =>
  app.request('GET', path.startsWith('http') ? path : `/sites/saml${path}`, { headers })
const alertOf = (page: string) => /role="alert"[^>]*>([^<]+)</.exec(page)?.[1]
const accounts = (email: string) => app.sql('select * from users where lower(email) = lower($1)', [email])
const hasSession = ({ headers }: Answer) =>
  headers.getSetCookie().some((cookie) => cookie.startsWith('sessionid='))

/** Follows the redirect after a response, in the browser that started the sign-in. */
const follow = (answer: Answer, cookie: string) => get(answer.headers.get('location') ?? '', { cookie })

/** Signs in from start to end in a browser. */
async function signIn(said: Parameters<SamlSite['field']>[1], handle = 'corp') {
  const started = await site.start(handle)
  const document = sign(responseOf({ ...site.answerTo(started, handle), ...said }))
  const answer = await site.post({ SAMLResponse: asField(document), RelayState: started.state }, handle)
  return follow(answer, started.cookie)
}

const ask = (method: string, path: string, body?: unknown) =>
  app.request(method, `${site.api}/auth/social-apps/${path}`, {
    token: site.owner.token,
    ...(body === undefined ? {} : { body }),
  })
const appOf = (provider_id: string, settings: unknown, more = {}) => ({
  provider: 'saml',
  provider_id,
  name: provider_id,
  client_id: site.entityId,
  secret: 'unused',
  settings,
  ...more,
})

beforeAll(async () => {
  app = (await startApp()).with({ ALLOW_PRIVATE_HOSTS: 'true' })
  site = await createSamlSite(app, 'saml')
})

describe('the settings of a SAML app', () => {
  const good = () => metadataOf({ certificates: [certificates.rsa] })

  it.each<[string, () => [unknown, object?], Record<string, string[]>]>([
    [
      'both the metadata and their address',
      () => [{ saml: { metadata: good(), metadata_url: 'https://id.example.org/m' } }],
      { settings: ['Send either saml.metadata or saml.metadata_url.'] },
    ],
    [
      'trust_email',
      () => [{ trust_email: true, saml: { metadata: good() } }],
      {
        settings: [
          'SAML providers cannot have trust_email: an assertion never opens an existing account by its e-mail. ' +
            'Its owner can link the provider.',
        ],
      },
    ],
    [
      'metadata that are no XML',
      () => [{ saml: { metadata: 'id.example.org' } }],
      { settings: ['The document is not one element.'] },
    ],
    [
      'metadata with a DOCTYPE',
      () => [{ saml: { metadata: `<!DOCTYPE x [<!ENTITY y SYSTEM "file:///etc/passwd">]><x>&y;</x>` } }],
      { settings: ['The document has a DOCTYPE, an entity or a CDATA section.'] },
    ],
    [
      'metadata of something else',
      () => [{ saml: { metadata: '<x/>' } }],
      { settings: ['The metadata is not one EntityDescriptor.'] },
    ],
    [
      'metadata that have expired',
      () => [
        {
          saml: {
            metadata: metadataOf({
              certificates: [certificates.rsa],
              more: ' validUntil="2020-01-01T00:00:00Z"',
            }),
          },
        },
      ],
      { settings: ['The metadata has expired: its validUntil has passed.'] },
    ],
    [
      'metadata without a certificate',
      () => [{ saml: { metadata: metadataOf({ certificates: [] }) } }],
      {
        settings: [
          'The metadata has no certificate to sign with whose key is RSA with at least 2048 bits, or ECDSA.',
        ],
      },
    ],
    [
      'metadata that lead elsewhere than to a web server',
      () => [
        {
          saml: {
            metadata: metadataOf({
              certificates: [certificates.rsa],
              services: { 'HTTP-Redirect': 'javascript:alert(1)' },
            }),
          },
        },
      ],
      {
        settings: [
          'The metadata names no SingleSignOnService at a public https address, for HTTP-Redirect or HTTP-POST.',
        ],
      },
    ],
    [
      'signed requests without a private key',
      () => [{ saml: { metadata: good(), sign_requests: true } }],
      {
        secret: [
          'Signed requests need a private key in PEM (PKCS #8): RSA with at least 2048 bits, or ECDSA.',
        ],
      },
    ],
    [
      'signed requests without a certificate',
      () => [{ saml: { metadata: good(), sign_requests: true } }, { secret: keys.rsa }],
      { key: ['Signed requests need the certificate of the private key, in PEM.'] },
    ],
    [
      'the certificate of another key',
      () => [
        { saml: { metadata: good(), sign_requests: true } },
        { secret: keys.rsa, key: certificates.ecdsa },
      ],
      { key: ['The certificate is that of another private key.'] },
    ],
    [
      'the settings of SAML in an app of another provider',
      () => [{ saml: { metadata: good() } }, { provider: 'google' }],
      { settings: ['Only SAML providers have the member saml.'] },
    ],
  ])('return 400 for %s', async (_what, make, body) => {
    const [settings, more] = make()
    const answer = await ask('POST', '', appOf('refused', settings, more))
    expect([answer.status, answer.body]).toEqual([400, body])
  })

  it('return 400 for a private address of metadata', async () => {
    const strict = app.with({ ALLOW_PRIVATE_HOSTS: 'false' })
    const answer = await strict.request('POST', `${site.api}/auth/social-apps/`, {
      token: site.owner.token,
      body: appOf('private', { saml: { metadata_url: 'https://10.0.0.1/metadata' } }),
    })
    expect([answer.status, answer.body]).toEqual([
      400,
      {
        settings: [
          'The saml.metadata_url must be an https address of a public host at port 443, 80, 8080 or 8443.',
        ],
      },
    ])
  })

  it('are complete once the metadata were read, from a URL or from a text', async () => {
    const [there, gone] = ['saml-metadata', 'none'].map((path) => `${inject('identityProviders')}/${path}`)
    const created = await ask('POST', '', appOf('by-address', { saml: { metadata_url: gone } }))
    expect([created.status, created.body.data.is_configured]).toEqual([201, false])
    const path = `${created.body.data.id}/`
    const moved = await ask('PATCH', path, { settings: { saml: { metadata_url: there } } })
    expect([moved.status, moved.body.data.is_configured]).toEqual([200, true])
    const inText = await ask('PATCH', path, { settings: { saml: { metadata: good() } } })
    expect([inText.status, inText.body.data.settings.saml]).toEqual([200, { metadata: good() }])
    const without = await ask('PATCH', path, { settings: {} })
    expect([without.status, without.body.data.is_configured]).toEqual([200, false])
    const begun = await get('/accounts/by-address/login/')
    expect([begun.status, alertOf(begun.text)]).toEqual([
      400,
      'The provider is not configured, or its configuration cannot be read.',
    ])
  })
})

describe('GET /accounts/saml/{provider_id}/metadata/', () => {
  it('returns 404 for an unknown app, and for one of another protocol', async () => {
    await ask('POST', '', { provider: 'google', name: 'Google', client_id: 'a', secret: 'b' })
    for (const handle of ['nobody', 'google'])
      expect((await get(`/accounts/saml/${handle}/metadata/`)).status).toBe(404)
  })

  it('returns the site, the address for responses, and the certificate of signed requests', async () => {
    const answer = await get('/accounts/saml/corp/metadata/')
    expect([answer.status, answer.headers.get('content-type'), roundTrips(answer)]).toEqual([
      200,
      'application/samlmetadata+xml; charset=utf-8',
      1,
    ])
    expect(answer.text).toBe(
      '<?xml version="1.0" encoding="UTF-8"?>\n' +
        '<md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" entityID="https://tessera.example.org/saml">' +
        '<md:SPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol" AuthnRequestsSigned="false" WantAssertionsSigned="true">' +
        '<md:AssertionConsumerService index="0" isDefault="true" Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST" Location="http://localhost/sites/saml/accounts/saml/corp/acs/"/>' +
        '</md:SPSSODescriptor></md:EntityDescriptor>\n',
    )
    await site.addApp('shown', { sign_requests: true }, { secret: keys.rsa, key: certificates.rsa })
    const signed = await get('/accounts/saml/shown/metadata/')
    expect(signed.text).toContain('AuthnRequestsSigned="true"')
    expect(signed.text).toContain(
      `<ds:X509Certificate>${bareCertificate(certificates.rsa)}</ds:X509Certificate>`,
    )
    expect(signed.text).not.toContain('PRIVATE')
  })
})

describe('a SAML request', () => {
  it('is a redirect to the provider, in one round trip', async () => {
    const answer = await get('/accounts/corp/login/')
    expect([answer.status, roundTrips(answer)]).toEqual([302, 1])
    const { address, state, requestId } = await site.start()
    expect(address.origin + address.pathname).toBe('https://id.example.org/sso')
    expect(Object.fromEntries(address.searchParams)).toEqual({
      SAMLRequest: expect.any(String),
      RelayState: state,
    })
    expect((await requestIn(address)).replace(/IssueInstant="[^"]+"/, '')).toBe(
      '<samlp:AuthnRequest xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion"' +
        ` ID="${requestId}" Version="2.0"  Destination="https://id.example.org/sso"` +
        ' ProtocolBinding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST"' +
        ' AssertionConsumerServiceURL="http://localhost/sites/saml/accounts/saml/corp/acs/">' +
        '<saml:Issuer>https://tessera.example.org/saml</saml:Issuer>' +
        '<samlp:NameIDPolicy AllowCreate="true"/></samlp:AuthnRequest>',
    )
    expect(requestId).toMatch(/^_[\w-]{43}$/)
  })

  it('is signed if the app requires it: the provider can verify the query string', async () => {
    const services = { 'HTTP-Redirect': 'https://id.example.org/sso?tenant=1' }
    const metadata = metadataOf({ certificates: [certificates.rsa], services })
    await site.addApp(
      'signed',
      { sign_requests: true, metadata },
      { secret: keys.rsa, key: certificates.rsa },
    )
    const first = await site.start('signed')
    expect(first.address.pathname).toBe('/sites/saml/accounts/saml/signed/request/')
    const answer = await get(first.address.href)
    const { search } = new URL(answer.headers.get('location') ?? '')
    const [, text = '', signature = ''] = /^\?tenant=1&(SAMLRequest=.+)&Signature=(.+)$/.exec(search) ?? []
    expect(new URLSearchParams(text).get('SigAlg')).toBe('http://www.w3.org/2001/04/xmldsig-more#rsa-sha256')
    expect(new URLSearchParams(text).get('RelayState')).toBe(first.state)
    const isRight = createVerify('sha256')
      .update(text)
      .verify(certificates.rsa, decodeURIComponent(signature), 'base64')
    expect(isRight).toBe(true)
  })

  it('is a form if the provider accepts nothing else: its page has no script, and its policy names the provider', async () => {
    const services = { 'HTTP-POST': 'https://id.example.org/post' }
    const metadata = metadataOf({ certificates: [certificates.rsa], services })
    await site.addApp(
      'post',
      { metadata, sign_requests: true },
      { name: 'Corp <b>', secret: keys.ecdsa, key: certificates.ecdsa },
    )
    const started = await site.start('post')
    const answer = await get(started.address.href)
    expect([answer.status, roundTrips(answer)]).toEqual([200, 1])
    expect(answer.headers.get('content-security-policy')).toContain(
      "form-action https://id.example.org https:; base-uri 'none'",
    )
    expect(answer.text).toContain('<h1>Continue with Corp &lt;b&gt;</h1>')
    expect(answer.text).toContain('<form method="post" action="https://id.example.org/post">')
    expect(answer.text).toContain(`name="RelayState" value="${started.state}"`)
    expect(answer.text).not.toContain('<script')
    const [, field = ''] = /name="SAMLRequest" value="([^"]+)"/.exec(answer.text) ?? []
    const request = Buffer.from(field, 'base64').toString()
    expect(request).toContain('Destination="https://id.example.org/post"')
    expect(request).toMatch(
      /<\/saml:Issuer><ds:Signature [\s\S]*ecdsa-sha256[\s\S]*<\/ds:Signature><samlp:NameIDPolicy/,
    )
    const unknown = await get(`/accounts/saml/post/request/?state=${'A'.repeat(43)}`)
    expect([unknown.status, alertOf(unknown.text)]).toEqual([
      400,
      'This sign-in has expired, is already finished, or was started elsewhere. Start again.',
    ])
  })
})

describe('a sign-in that starts at the site', () => {
  it('gives the person an account, a session and the requested path, in two round trips for the response', async () => {
    const started = await site.start('corp', '/sites/saml/inside?a=1')
    const attributes = { email: 'ada@corp.example', givenName: 'Ada', sn: 'Byron', uid: 'ada.b' }
    const answer = await site.post({
      SAMLResponse: site.field(started, { attributes }),
      RelayState: started.state,
    })
    expect([answer.status, answer.text, answer.headers.getSetCookie(), roundTrips(answer)]).toEqual([
      303,
      '',
      [],
      2,
    ])
    const finished = await follow(answer, started.cookie)
    expect([finished.status, finished.headers.get('location'), hasSession(finished)]).toEqual([
      303,
      '/sites/saml/inside?a=1',
      true,
    ])
    expect(await accounts('ada@corp.example')).toMatchObject([
      {
        username: 'ada.b',
        first_name: 'Ada',
        last_name: 'Byron',
        password_hash: null,
        email_verified_at: null,
      },
    ])
    expect(
      await app.sql(`select issuer, subject from social_accounts a join users u on u.id = a.user_id
                      where u.email = 'ada@corp.example'`),
    ).toEqual([{ issuer: providerId, subject: 'ada-1' }])
  })

  it('gives a program a code, which it exchanges for tokens; a later sign-in opens the same account', async () => {
    const begin = async () => {
      const { body } = await app.request(
        'GET',
        `${site.api}/auth/corp/redirect/?redirect_uri=${encodeURIComponent('http://localhost/app/back')}`,
        { token: site.owner.token },
      )
      const [, requestId = ''] = /ID="([^"]+)"/.exec(await requestIn(new URL(body.authorization_url))) ?? []
      const form = { SAMLResponse: site.field({ requestId }), RelayState: body.state }
      const { headers } = await site.post(form)
      return new URL(headers.get('location') ?? '')
    }
    const [address, other] = [await begin(), await begin()]
    expect(address.origin + address.pathname).toBe('http://localhost/app/back')
    const body = Object.fromEntries(address.searchParams)
    const wrong = { ...body, code: other.searchParams.get('code') }
    const refused = await app.request('POST', `${site.api}/auth/corp/token/`, { body: wrong })
    expect(refused.status).toBe(400)
    const answer = await app.request('POST', `${site.api}/auth/corp/token/`, {
      body: { code: other.searchParams.get('code'), state: other.searchParams.get('state') },
    })
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        access: expect.any(String),
        refresh: expect.any(String),
        token_type: 'Bearer',
        expires_in: 900,
        user: expect.objectContaining({ email: 'ada@corp.example' }),
      },
    ])
  })

  it.each<[string, object, object]>([
    ['RSA', {}, {}],
    ['ECDSA', {}, { key: keys.ecdsa, algorithm: 'http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha256' }],
    ['a signature of the whole response', {}, { element: 'Response' }],
    [
      'a response without the attributes that it need not have',
      { destination: null, responseIssuer: null },
      {},
    ],
    ['a clock that is half a minute ahead', { notBefore: 30 }, {}],
    ['a clock that is half a minute behind', { ends: -30 }, {}],
  ])('is accepted with %s', async (_what, said, signing) => {
    const started = await site.start()
    const answer = await site.post({
      SAMLResponse: site.field(started, said, signing),
      RelayState: started.state,
    })
    expect([answer.status, alertOf(answer.text)]).toEqual([303, undefined])
  })

  it('is accepted with a signed response and a signed assertion', async () => {
    const started = await site.start()
    const both = sign(sign(responseOf(site.answerTo(started))), { element: 'Response' })
    const answer = await site.post({ SAMLResponse: asField(both), RelayState: started.state })
    expect(answer.status).toBe(303)
  })

  it('uses the attributes that the settings name', async () => {
    const attributes = {
      subject: 'staff id',
      email: 'contact',
      first_name: 'a',
      last_name: 'b',
      username: 'c',
    }
    await site.addApp('mapped', { attributes })
    const finished = await signIn(
      {
        nameIdFormat: 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient',
        attributes: {
          'staff id': '4711',
          contact: 'grace@corp.example',
          a: 'Grace',
          b: 'Hopper &amp; Co',
          c: 'gh',
        },
      },
      'mapped',
    )
    expect(hasSession(finished)).toBe(true)
    expect(await accounts('grace@corp.example')).toMatchObject([
      { username: 'gh', first_name: 'Grace', last_name: 'Hopper & Co' },
    ])
  })

  it('uses a NameID that is an e-mail address as the e-mail; without an e-mail it returns 400', async () => {
    const nameIdFormat = 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress'
    expect(hasSession(await signIn({ nameId: 'linus@corp.example', nameIdFormat }))).toBe(true)
    expect(await accounts('linus@corp.example')).toHaveLength(1)
    const without = await signIn({ nameId: 'nobody' })
    expect([without.status, alertOf(without.text)]).toEqual([
      400,
      'The provider did not return an e-mail address that an account can have.',
    ])
  })

  it('never opens an existing account by its e-mail', async () => {
    const known = await app.user('known')
    const answer = await signIn({ nameId: 'thief', attributes: { email: known.email } })
    expect([answer.status, alertOf(answer.text), hasSession(answer)]).toEqual([
      400,
      'An account with this e-mail already exists, and the provider does not say that the e-mail is verified.',
      false,
    ])
    expect(await app.sql('select 1 from social_accounts where user_id = $1', [known.id])).toEqual([])
  })

  it('gets 400 if the person did not sign in at the provider, and can be tried again', async () => {
    const started = await site.start()
    const status = 'urn:oasis:names:tc:SAML:2.0:status:Responder'
    const cancelled = asField(responseOf({ ...site.answerTo(started), status }, ''))
    const answer = await site.post({ SAMLResponse: cancelled, RelayState: started.state })
    expect([answer.status, alertOf(answer.text)]).toEqual([
      400,
      'The sign-in was cancelled or rejected by the provider.',
    ])
    const again = await site.post({ SAMLResponse: site.field(started), RelayState: started.state })
    expect(again.status).toBe(303)
  })

  it('gets 400 if the provider has become another one', async () => {
    const started = await site.start()
    const row = `update tenant._social_apps set issuer = $1 where handle = 'corp'`
    await app.sql(row, ['https://before.example'])
    const answer = await site.post({ SAMLResponse: site.field(started), RelayState: started.state })
    await app.sql(row, [providerId])
    expect([answer.status, alertOf(answer.text)]).toEqual([
      400,
      'The provider is not configured, or its configuration cannot be read.',
    ])
  })
})

describe('a sign-in that starts at the provider', () => {
  const unsolicited = (nameId: string, RelayState: string) => {
    const said = { nameId, attributes: { email: `${nameId}@corp.example` } }
    const document = sign(responseOf({ ...site.answerTo(null, 'tile'), ...said }))
    return site.post({ SAMLResponse: asField(document), RelayState }, 'tile')
  }
  const cookieOf = ({ headers }: Answer) => headers.getSetCookie()[0]?.split(';')[0] ?? ''

  beforeAll(() => site.addApp('tile', { idp_initiated: true }))

  it.each([
    ['/sites/saml/inside?a=1', '/sites/saml/inside?a=1'],
    ['https://evil.example/', '/'],
    ['//evil.example/', '/'],
    ['', '/'],
  ])('redirects by the RelayState: %j becomes %s', async (relayState, path) => {
    const answer = await unsolicited('tile', relayState)
    expect(answer.status).toBe(303)
    expect(answer.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^login_states=[\w-]{43}; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/),
    ])
    const finished = await follow(answer, cookieOf(answer))
    expect([finished.status, finished.headers.get('location'), hasSession(finished)]).toEqual([
      303,
      path,
      true,
    ])
  })

  it('needs the cookie of the response to be finished', async () => {
    const answer = await unsolicited('tile', '/')
    const stolen = await follow(answer, 'login_states=')
    expect([stolen.status, hasSession(stolen)]).toEqual([400, false])
  })

  it('keeps the session of a browser that is signed in', async () => {
    const first = await unsolicited('tile', '/')
    const mine = await follow(first, cookieOf(first))
    const session = mine.headers.getSetCookie().find((cookie) => cookie.startsWith('sessionid='))
    const second = await unsolicited('mallory', '/inside')
    const finished = await follow(second, `${cookieOf(second)}; ${session?.split(';')[0]}`)
    expect([finished.status, finished.headers.get('location'), hasSession(finished)]).toEqual([
      303,
      '/inside',
      false,
    ])
    expect(await accounts('mallory@corp.example')).toEqual([])
  })
})

describe('used SAML assertions', () => {
  it('are stored as a hash until they expire, with the clock skew', async () => {
    const started = await site.start()
    await site.post({
      SAMLResponse: site.field(started, { id: '_kept', ends: 100 }),
      RelayState: started.state,
    })
    const hash = Buffer.from(
      await crypto.subtle.digest('SHA-256', new TextEncoder().encode('_kept')),
    ).toString('hex')
    const select = `select extract(epoch from expires_at - now())::integer as seconds from saml_assertions where id_hash = $1`
    const [row] = await app.sql<{ seconds: number }>(select, [hash])
    expect(Math.abs((row?.seconds ?? 0) - 160)).toBeLessThan(20)
    const sweep = () => openDatabase(configOf(app.env)).batch({ deleted: deleteEndedAssertions }, 10_000)
    await sweep()
    expect(await app.sql(select, [hash])).toHaveLength(1)
    await app.sql(`update saml_assertions set expires_at = now() where id_hash = $1`, [hash])
    await sweep()
    expect(await app.sql(select, [hash])).toEqual([])
  })
})

describe('a SAML response of another site', () => {
  it('is refused by a site with the same provider', async () => {
    const other = await createSamlSite(app, 'saml-other')
    const started: Started = await other.start()
    const field = asField(
      sign(
        responseOf({ ...site.answerTo(started), destination: other.consumer(), recipient: other.consumer() }),
      ),
    )
    const answer = await other.post({ SAMLResponse: field, RelayState: started.state })
    expect([answer.status, alertOf(answer.text)]).toEqual([
      400,
      'The response of the provider was refused. ' +
        'The audience of its assertion is not the client_id of the app.',
    ])
    await createSite(app, 'saml-none')
    expect((await app.request('GET', '/sites/saml-none/accounts/saml/corp/metadata/')).status).toBe(404)
  })
})
