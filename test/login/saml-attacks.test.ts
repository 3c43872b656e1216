/** Responses of a SAML provider that must be refused without creating anything. */
import { generateKeyPairSync } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '../support/app.ts'
import { assertionOf, responseOf, type Said } from '../support/saml-documents.ts'
import { asField, createSamlSite, type SamlSite, type Started, sign } from '../support/saml-provider.ts'

let app: TestApp
let site: SamlSite
/** The sign-in that all attacks respond to. None of them ends it. */
let started: Started

const refusals = {
  encoding: 'It is not an XML document in base64.',
  form: 'It does not contain exactly one response with one assertion.',
  encrypted: 'Its assertion is encrypted. Turn off the encryption of assertions at the provider.',
  unsigned: 'Neither the response nor its assertion is signed.',
  signature: 'The form of its signature is not supported.',
  algorithm: 'The algorithm of its signature is not supported. Use RSA or ECDSA with SHA-256.',
  forged: "No certificate in the provider's metadata matches its signature.",
  issuer: "Its issuer is not the one in the provider's metadata.",
  destination: 'It was sent to another address.',
  recipient: 'Its assertion is for another recipient.',
  audience: 'The audience of its assertion is not the client_id of the app.',
  early: "Its assertion is not valid yet. Check the provider's clock.",
  late: "Its assertion has expired. Check the provider's clock.",
  long: 'Its assertion is valid for longer than a day.',
  conditions: 'Its assertion has unknown conditions.',
  confirmation: 'Its assertion must have exactly one bearer confirmation.',
  request: 'It belongs to a different sign-in.',
  unsolicited: 'It belongs to no sign-in, and the app does not allow sign-ins to start at the provider.',
  authentication: 'Its assertion does not say that the person has signed in.',
  subject: 'Its assertion has no permanent identifier of the person.',
  replay: 'Its assertion was already used.',
}

const alertOf = (page: string) => /role="alert"[^>]*>([^<]+)</.exec(page)?.[1]?.replaceAll('&#39;', "'")

/** Returns the counts of rows that sign-ins create. */
const traces = async () => {
  const [row] = await app.sql(
    `select (select count(*) from users) as users, (select count(*) from social_accounts) as links,
            (select count(*) from saml_assertions) as assertions,
            (select count(*) from tenant._social_attempts where code_hash is not null) as codes`,
  )
  return row
}

/** Posts a response, and expects that it is refused and creates nothing. */
async function expectRefused(SAMLResponse: string, reason: keyof typeof refusals, handle?: string) {
  const before = await traces()
  const answer = await site.post({ SAMLResponse, RelayState: started.state }, handle)
  expect([answer.status, alertOf(answer.text), answer.headers.getSetCookie()]).toEqual([
    400,
    `The response of the provider was refused. ${refusals[reason]}`,
    [],
  ])
  expect(await traces()).toEqual(before)
}

/** Returns a correctly signed document of the provider, and its parts. */
function signedParts(element: 'Response' | 'Assertion' = 'Assertion') {
  const said = { ...site.answerTo(started), id: '_good', responseId: '_response' }
  const document = sign(responseOf(said), { element })
  const [assertion = ''] = /<saml:Assertion[\s\S]*<\/saml:Assertion>/.exec(document) ?? []
  const [signature = ''] = /<ds:Signature[\s\S]*<\/ds:Signature>/.exec(document) ?? []
  const evil = assertionOf({ ...said, id: '_evil', nameId: 'mallory' })
  return { document, assertion, signature, bare: assertion.replace(signature, ''), evil }
}
type Parts = ReturnType<typeof signedParts>

/** Inserts a text after the issuer of an assertion, where a signature belongs. */
const withSignature = (assertion: string, signature: string) =>
  assertion.replace('</saml:Issuer>', `</saml:Issuer>${signature}`)
/** Inserts a text at the end of a signature. */
const around = (signature: string, content: string) =>
  signature.replace('</ds:Signature>', `${content}</ds:Signature>`)

beforeAll(async () => {
  app = await startApp()
  site = await createSamlSite(app, 'saml-attacks')
  await site.addApp('tile', { idp_initiated: true })
  started = await site.start()
})

describe('signature wrapping', () => {
  it.each<[string, keyof typeof refusals, (parts: Parts) => string]>([
    [
      'the signed response within the signature of another one',
      'form',
      ({ document, signature }) =>
        document
          .replace('ID="_response"', 'ID="_other"')
          .replace('_good', '_evil')
          .replace(signature, around(signature, document.replace(signature, ''))),
    ],
    [
      'the signed response beside its signature in another one',
      'form',
      ({ document, signature }) =>
        document
          .replace('ID="_response"', 'ID="_other"')
          .replace('_good', '_evil')
          .replace(signature, `${document.replace(signature, '')}${signature}`),
    ],
    [
      'another assertion before the signed one',
      'form',
      ({ document, assertion, evil }) => document.replace(assertion, `${evil}${assertion}`),
    ],
    [
      'the signed assertion within another one',
      'form',
      ({ document, assertion, evil }) =>
        document.replace(assertion, evil.replace('</saml:Assertion>', `${assertion}</saml:Assertion>`)),
    ],
    [
      'another assertion with the signature, and the signed one behind it',
      'form',
      ({ document, assertion, signature, bare, evil }) =>
        document.replace(assertion, `${withSignature(evil, signature)}${bare}`),
    ],
    [
      'the signed assertion within the signature of another one',
      'form',
      ({ document, assertion, signature, bare, evil }) =>
        document.replace(assertion, withSignature(evil, around(signature, bare))),
    ],
    [
      'another assertion in the extensions of the response',
      'form',
      ({ document, evil }) =>
        document.replace('<samlp:Status>', `<samlp:Extensions>${evil}</samlp:Extensions><samlp:Status>`),
    ],
    [
      'the signed assertion in an object of the signature',
      'form',
      ({ document, assertion, signature, bare, evil }) =>
        document.replace(assertion, withSignature(evil, around(signature, `<ds:Object>${bare}</ds:Object>`))),
    ],
    [
      'the same id twice, for what is signed and what is read',
      'form',
      ({ document, assertion }) =>
        document
          .replace(assertion, assertion.replace('ada-1', 'mallory'))
          .replace('<samlp:Status>', `<samlp:Extensions><x id="_good"/></samlp:Extensions><samlp:Status>`),
    ],
    [
      'the signature of the assertion at the response',
      'signature',
      ({ document, assertion, signature, evil }) =>
        document.replace(assertion, evil).replace('<samlp:Status>', `${signature}<samlp:Status>`),
    ],
    [
      'a signature that covers something else',
      'signature',
      ({ document }) => document.replace('URI="#_good"', 'URI="#_response"'),
    ],
    [
      'a signature that covers the whole document by an empty URI',
      'signature',
      ({ document }) => document.replace('URI="#_good"', 'URI=""'),
    ],
  ])('with %s gets 400', async (what, reason, wrap) => {
    const parts = signedParts(what.startsWith('the signed response') ? 'Response' : 'Assertion')
    const document = wrap(parts)
    expect(document).not.toBe(parts.document)
    await expectRefused(asField(document), reason)
  })
})

describe('a SAML response with other statements', () => {
  it.each<[string, keyof typeof refusals, Partial<Said>]>([
    ['another issuer of the assertion', 'issuer', { issuer: 'https://evil.example' }],
    ['another issuer of the response', 'issuer', { responseIssuer: 'https://evil.example' }],
    ['another destination', 'destination', { destination: 'https://other.example/acs/' }],
    ['another recipient', 'recipient', { recipient: 'https://other.example/acs/' }],
    ['no recipient', 'recipient', { recipient: null }],
    ['another audience', 'audience', { audience: 'https://other.example' }],
    ['no audience', 'audience', { audience: null }],
    [
      'another service provider, whose assertion it is',
      'destination',
      {
        destination: 'https://other.example/acs/',
        recipient: 'https://other.example/acs/',
        audience: 'https://other.example',
      },
    ],
    [
      'a second audience restriction, which excludes the site',
      'audience',
      {
        conditions:
          '<saml:AudienceRestriction><saml:Audience>https://other.example</saml:Audience></saml:AudienceRestriction>',
      },
    ],
    ['an unknown condition', 'conditions', { conditions: '<saml:Condition/>' }],
    ['a time that has not come', 'early', { notBefore: 90 }],
    ['a time that has passed', 'late', { ends: -90 }],
    [
      'a time without a zone',
      'conditions',
      { statement: '<saml:AuthnStatement SessionNotOnOrAfter="2099-01-01T00:00:00"/>' },
    ],
    [
      'a session that has ended',
      'late',
      { statement: '<saml:AuthnStatement SessionNotOnOrAfter="2020-01-01T00:00:00Z"/>' },
    ],
    ['a validity of two days', 'long', { ends: 2 * 24 * 3600 }],
    ['another request', 'request', { answers: '_other' }],
    ['no request', 'request', { answers: null }],
    ['no bearer', 'confirmation', { method: 'holder-of-key' }],
    ['no sign-in of the person', 'authentication', { statement: '' }],
    [
      'a passing identifier',
      'subject',
      { nameIdFormat: 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient' },
    ],
    ['an element in the NameID', 'subject', { nameId: 'ada<x/>-1' }],
    ['an empty NameID', 'subject', { nameId: ' ' }],
  ])('with %s gets 400', async (_what, reason, said) => {
    await expectRefused(site.field(started, said), reason)
  })
})

describe('an invalid signature', () => {
  const more = 'http://www.w3.org/2001/04/xmldsig-more#'
  const inclusive = 'http://www.w3.org/TR/2001/REC-xml-c14n-20010315'
  const enveloped = 'http://www.w3.org/2000/09/xmldsig#enveloped-signature'
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const otherKey = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()

  it.each<[string, keyof typeof refusals, () => string]>([
    ['no signature', 'unsigned', () => asField(responseOf(site.answerTo(started)))],
    ['the signature of another key', 'forged', () => site.field(started, {}, { key: otherKey })],
    [
      'a NameID that was changed afterwards',
      'forged',
      () => asField(signedParts().document.replace('ada-1', 'mallory')),
    ],
    [
      'a signature value that was changed',
      'forged',
      () => asField(signedParts().document.replace(/<ds:SignatureValue>..../, '<ds:SignatureValue>AAAA')),
    ],
    [
      'a signature of the assertion that is not good, within a signed response',
      'forged',
      () =>
        asField(sign(sign(responseOf(site.answerTo(started)), { key: otherKey }), { element: 'Response' })),
    ],
    [
      'RSA with SHA-1',
      'algorithm',
      () => site.field(started, {}, { algorithm: 'http://www.w3.org/2000/09/xmldsig#rsa-sha1' }),
    ],
    [
      'a digest by SHA-1',
      'algorithm',
      () => site.field(started, {}, { digest: 'http://www.w3.org/2000/09/xmldsig#sha1' }),
    ],
    [
      'HMAC by the public certificate',
      'algorithm',
      () =>
        asField(
          signedParts().document.replace(`${more}rsa-sha256`, 'http://www.w3.org/2000/09/xmldsig#hmac-sha1'),
        ),
    ],
    [
      'ECDSA for a signature by RSA',
      'forged',
      () => asField(signedParts().document.replace(`${more}rsa-`, `${more}ecdsa-`)),
    ],
    [
      'inclusive canonicalization',
      'algorithm',
      () => site.field(started, {}, { canonicalization: inclusive }),
    ],
    [
      'inclusive canonicalization of the assertion',
      'algorithm',
      () => site.field(started, {}, { transforms: [enveloped, inclusive] }),
    ],
    [
      'a third transform',
      'signature',
      () =>
        asField(
          signedParts().document.replace(
            '<ds:Transforms>',
            '<ds:Transforms><ds:Transform Algorithm="http://www.w3.org/TR/1999/REC-xslt-19991116"/>',
          ),
        ),
    ],
    [
      'a second reference',
      'signature',
      () => asField(signedParts().document.replace(/(<ds:Reference [\s\S]*<\/ds:Reference>)/, '$1$1')),
    ],
  ])('such as %s gets 400', async (_what, reason, field) => {
    await expectRefused(field(), reason)
  })
})

describe('a document that is not strict XML', () => {
  const changed = (from: string | RegExp, to: string) => asField(signedParts().document.replace(from, to))

  it.each<[string, keyof typeof refusals, () => string]>([
    [
      'a comment in the NameID, which the signature does not cover',
      'encoding',
      () => changed('ada-1', 'ada<!-- -->-1'),
    ],
    ['a comment in the status', 'encoding', () => changed('<samlp:Status>', '<samlp:Status><!-- -->')],
    ['CDATA in the NameID', 'encoding', () => changed('ada-1', '<![CDATA[ada-1]]>')],
    ['a processing instruction', 'encoding', () => changed('ada-1', 'ada<?x y?>-1')],
    [
      'an external entity',
      'encoding',
      () =>
        asField(
          `<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]>${signedParts().document.replace('ada-1', '&x;')}`,
        ),
    ],
    [
      'entities that multiply',
      'encoding',
      () => asField(`<!DOCTYPE r [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]>${signedParts().document}`),
    ],
    ['an unknown entity', 'encoding', () => changed('ada-1', '&ada;')],
    ['an attribute twice', 'encoding', () => changed('<saml:NameID ', '<saml:NameID Format="x" ')],
    ['an element that is not closed', 'encoding', () => changed('</saml:Conditions>', '')],
    ['two roots', 'encoding', () => asField(`${signedParts().document}<x/>`)],
    [
      'another encoding',
      'encoding',
      () => asField(`<?xml version="1.0" encoding="utf-16"?>${signedParts().document}`),
    ],
    ['bytes that are not UTF-8', 'encoding', () => Buffer.from([0x3c, 0xff, 0x3e]).toString('base64')],
    ['a control character', 'encoding', () => changed('ada-1', 'ada\u0001')],
    ['a reference to the character 0', 'encoding', () => changed('ada-1', 'ada&#0;')],
    ['a reference to half of a character', 'encoding', () => changed('ada-1', 'ada&#xd800;')],
    ['a document of 300 KB', 'encoding', () => changed('ada-1', 'a'.repeat(300_000))],
    ['4,000 elements', 'encoding', () => changed('<samlp:Status>', `<samlp:Status>${'<x/>'.repeat(4000)}`)],
    [
      'elements of 13,000 names, for which the parser would take seconds',
      'encoding',
      () => asField(`<r>${Array.from({ length: 13_000 }, (_, n) => `<e${n}></e${n}>`).join('')}</r>`),
    ],
    [
      '1,000 elements within each other',
      'encoding',
      () => changed('<samlp:Status>', `${'<x>'.repeat(1000)}${'</x>'.repeat(1000)}<samlp:Status>`),
    ],
    ['no base64', 'encoding', () => '<samlp:Response/>'],
    ['nothing', 'encoding', () => ''],
    ['an assertion in the place of a response', 'form', () => asField(signedParts().assertion)],
    [
      'an encrypted assertion',
      'encrypted',
      () => asField(responseOf(site.answerTo(started), '<saml:EncryptedAssertion/>')),
    ],
    ['no assertion', 'form', () => asField(responseOf(site.answerTo(started), ''))],
  ])('such as %s gets 400', async (_what, reason, field) => {
    await expectRefused(field(), reason)
  })
})

describe('a response to another sign-in', () => {
  const refusedState = 'This sign-in has expired, is already finished, or was started elsewhere. Start again.'

  it('gets 400 without a request unless the app allows it, and always if it is for another request', async () => {
    const field = site.field(null)
    const answer = await site.post({ SAMLResponse: field, RelayState: '/inside' })
    expect([answer.status, alertOf(answer.text)]).toEqual([
      400,
      `The response of the provider was refused. ${refusals.unsolicited}`,
    ])
    const other = asField(sign(responseOf(site.answerTo(started, 'tile'))))
    const tile = await site.post({ SAMLResponse: other, RelayState: '/inside' }, 'tile')
    expect([tile.status, alertOf(tile.text)]).toEqual([
      400,
      `The response of the provider was refused. ${refusals.unsolicited}`,
    ])
  })

  it('gets 400 with the state of another app, of another site, or an unknown one', async () => {
    const field = asField(sign(responseOf(site.answerTo(started, 'tile'))))
    for (const state of [started.state, 'A'.repeat(43)]) {
      const answer = await site.post({ SAMLResponse: field, RelayState: state }, 'tile')
      expect([answer.status, alertOf(answer.text)]).toEqual([400, refusedState])
    }
  })

  it('can use an assertion once: of two simultaneous requests one succeeds, and a third gets 400', async () => {
    const form = { SAMLResponse: asField(sign(responseOf(site.answerTo(null, 'tile')))), RelayState: '' }
    const both = await Promise.all([site.post(form, 'tile'), site.post(form, 'tile')])
    expect(both.map(({ status }) => status).sort()).toEqual([303, 400])
    const again = await site.post(form, 'tile')
    expect([again.status, alertOf(again.text)]).toEqual([
      400,
      `The response of the provider was refused. ${refusals.replay}`,
    ])
  })

  it('does not end the sign-in: the right response finishes it, once', async () => {
    const form = { SAMLResponse: site.field(started), RelayState: started.state }
    const answer = await site.post(form)
    expect([answer.status, new URL(answer.headers.get('location') ?? '').pathname]).toEqual([
      303,
      '/sites/saml-attacks/accounts/corp/login/callback/',
    ])
    const again = await site.post({ ...form, SAMLResponse: site.field(started) })
    expect([again.status, alertOf(again.text)]).toEqual([400, refusedState])
  })

  it('gives a code that is useless without the cookie of the browser that started the sign-in', async () => {
    const mine = await site.start()
    const answer = await site.post({ SAMLResponse: site.field(mine), RelayState: mine.state })
    const location = answer.headers.get('location') ?? ''
    const stolen = await app.request('GET', location)
    expect([stolen.status, alertOf(stolen.text), stolen.headers.getSetCookie()]).toEqual([
      400,
      refusedState,
      [],
    ])
    const [[code], state] = [new URL(location).searchParams.getAll('code'), mine.state]
    const guessed = await app.request('GET', location.replace(encodeURIComponent(code ?? ''), 'guess'), {
      headers: { cookie: mine.cookie },
    })
    expect([guessed.status, alertOf(guessed.text)]).toEqual([
      400,
      'The code does not belong to the answer of the provider.',
    ])
    const bare = await app.request('POST', `${site.api}/auth/corp/token/`, { body: { code, state } })
    expect([bare.status, bare.body]).toEqual([400, { detail: refusedState, code: 'sign_in_expired' }])
  })
})
