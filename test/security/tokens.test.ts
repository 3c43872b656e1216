/** Tokens that are forged or have another purpose are refused in every form. RFC 8725; A1, A2. */
import { exportJWK, exportSPKI, generateKeyPair, importJWK, type JWK, SignJWT } from 'jose'
import { beforeAll, describe, expect, it } from 'vitest'
import { issueSession, issueTokens, verifyAccessToken } from '../../src/kernel/access/tokens.ts'
import { configOf } from '../../src/kernel/env.ts'
import { startApp, type TestApp, type User } from '../support/app.ts'

let app: TestApp
let ada: User
let jwk: JWK
let key: CryptoKey
let other: CryptoKeyPair

beforeAll(async () => {
  app = await startApp()
  ada = await app.user('ada')
  jwk = (JSON.parse(app.env.SIGNING_KEYS as string) as { keys: [JWK] }).keys[0]
  key = (await importJWK(jwk, 'ES256')) as CryptoKey
  other = await generateKeyPair('ES256', { extractable: true })
})

type Json = Record<string, unknown>
const seconds = (from = 0) => Math.floor(Date.now() / 1000) + from
const base64url = (value: string | Uint8Array): string =>
  btoa(typeof value === 'string' ? value : String.fromCharCode(...value))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
const header = (more: Json = {}): Json => ({ alg: 'ES256', typ: 'at+jwt', kid: jwk.kid, ...more })
const claims = (more: Json = {}): Json => ({
  gen: 1,
  sub: String(ada.id),
  jti: 'x',
  iss: 'tessera',
  aud: 'tessera',
  iat: seconds(),
  exp: seconds(600),
  ...more,
})

/** Signs any two texts with our own key, so that the content is the only error in a token. */
async function signed(head: string, payload: string, by: CryptoKey = key): Promise<string> {
  const input = `${base64url(head)}.${base64url(payload)}`
  const signature = await crypto.subtle.sign(
    { name: 'ECDSA', hash: 'SHA-256' },
    by,
    new TextEncoder().encode(input),
  )
  return `${input}.${base64url(new Uint8Array(signature))}`
}
const token = (head: Json = {}, payload: Json = {}, by?: CryptoKey) =>
  signed(JSON.stringify(header(head)), JSON.stringify(claims(payload)), by)
const without = (name: string, of: Json) => JSON.stringify({ ...of, [name]: undefined })
const resigned = async (change: (signature: string) => string) => {
  const [head, payload, signature] = (await token()).split('.') as [string, string, string]
  return `${head}.${payload}.${change(signature)}`
}
const hmac = async (alg: string, secret: string) =>
  new SignJWT(claims())
    .setProtectedHeader(header({ alg }) as never)
    .sign(new TextEncoder().encode(secret.padEnd(64)))
const statusOf = async (text: string) =>
  (await app.request('GET', '/api/users/me/', { headers: { authorization: `Bearer ${text}` } })).status

it('a valid token is accepted, so that the following ones are refused only for their error', async () => {
  expect(await statusOf(await token())).toBe(200)
})

describe('a token gets 401', () => {
  const publicKey = async () => {
    const { d: _private, key_ops: _uses, ...publicJwk } = jwk
    return (await importJWK(publicJwk, 'ES256', { extractable: true })) as CryptoKey
  }
  it.each<[what: string, make: () => Promise<string>]>([
    // The algorithm, and the source of its key.
    ...['none', 'None', 'NONE', 'nOnE', ''].map((alg): [string, () => Promise<string>] => [
      `alg ${JSON.stringify(alg)} without a signature`,
      async () => `${base64url(JSON.stringify(header({ alg })))}.${base64url(JSON.stringify(claims()))}.`,
    ]),
    ...['none', 'HS256', 'RS256', 'ES384', 'PS256', 'EdDSA', 'es256', 'ES256K'].map(
      (alg): [string, () => Promise<string>] => [
        `alg ${alg} with the signature of ES256`,
        () => token({ alg }),
      ],
    ),
    ['no alg', () => signed(without('alg', header()), JSON.stringify(claims()))],
    ['an alg that is a list', () => token({ alg: ['ES256'] })],
    ['HS256 with the public key as PEM', async () => hmac('HS256', await exportSPKI(await publicKey()))],
    [
      'HS256 with the public key as JWK',
      async () => hmac('HS256', JSON.stringify(await exportJWK(await publicKey()))),
    ],
    ['HS256 with the coordinates of the public key', () => hmac('HS256', `${jwk.x}${jwk.y}`)],
    ['HS256 with an empty secret', () => hmac('HS256', '')],
    ['HS512 with the kid as secret', () => hmac('HS512', String(jwk.kid))],
    ['the key of somebody else under our kid', () => token({}, {}, other.privateKey)],
    [
      'the key of somebody else in jwk',
      async () => token({ jwk: await exportJWK(other.publicKey) }, {}, other.privateKey),
    ],
    [
      'the key of somebody else at jku',
      () => token({ jku: 'https://evil.example/jwks.json' }, {}, other.privateKey),
    ],
    [
      'the key of somebody else at x5u',
      () => token({ x5u: 'https://evil.example/cert.pem' }, {}, other.privateKey),
    ],
    ['the key of somebody else in x5c', () => token({ x5c: ['MIIB'] }, {}, other.privateKey)],
    ['no kid', () => signed(without('kid', header()), JSON.stringify(claims()))],
    ...['', 'unknown', '../../dev/null', "' or '1'='1", '__proto__', 'constructor', 'toString'].map(
      (kid): [string, () => Promise<string>] => [`the kid ${JSON.stringify(kid)}`, () => token({ kid })],
    ),
    ['a kid that is a number', () => token({ kid: 0 })],
    ['a kid that is a list', () => token({ kid: [jwk.kid] })],
    ['an unknown critical extension', () => token({ crit: ['exp'], exp: 1 })],
    ['an unencoded payload (b64)', () => token({ crit: ['b64'], b64: false })],
    // The purpose.
    ...['JWT', 'rt+jwt', 'session+jwt', 'at+JWT ', 'id+jwt', ''].map(
      (typ): [string, () => Promise<string>] => [`the type ${JSON.stringify(typ)}`, () => token({ typ })],
    ),
    ['no type', () => signed(without('typ', header()), JSON.stringify(claims()))],
    ['a refresh token', async () => (await issueTokens(configOf(app.env), await app.identity(ada))).refresh],
    ['a session', async () => issueSession(configOf(app.env), await app.identity(ada))],
    // Claims.
    ...['sub', 'jti', 'iss', 'aud', 'iat', 'exp', 'gen'].map((name): [string, () => Promise<string>] => [
      `no ${name}`,
      () => signed(JSON.stringify(header()), without(name, claims())),
    ]),
    ['another issuer', () => token({}, { iss: 'tesserae' })],
    ['a list of issuers', () => token({}, { iss: ['tessera'] })],
    ['another audience', () => token({}, { aud: 'other' })],
    ['an expiry 31 seconds ago', () => token({}, { iat: seconds(-700), exp: seconds(-31) })],
    ['an expiry that is a text', () => token({}, { exp: String(seconds(600)) })],
    [
      'an expiry that is infinite',
      () => signed(JSON.stringify(header()), JSON.stringify(claims()).replace(/"exp":\d+/, '"exp":1e999')),
    ],
    ['a time of issue 31 seconds ahead', () => token({}, { iat: seconds(32) })],
    ['a time from which it holds (nbf) 31 seconds ahead', () => token({}, { nbf: seconds(32) })],
    ['a subject that is no number', () => token({}, { sub: 'ada' })],
    ['a subject that is a list', () => token({}, { sub: ['1', '2'] })],
    ['a subject beyond whole numbers', () => token({}, { sub: '1e999' })],
    ['an account that there is not', () => token({}, { sub: '999999999' })],
    ['an older generation', () => token({}, { gen: 0 })],
    ['a generation to come', () => token({}, { gen: 2 })],
    ['a generation that is a text', () => token({}, { gen: '1 or true' })],
    ['an organization that opens nothing', () => token({}, { org: 999999 })],
    // The encoding.
    ['an empty signature', () => resigned(() => '')],
    ['a signature of zeros', () => resigned(() => 'A'.repeat(86))],
    ['a signature in DER', () => resigned(() => base64url(new Uint8Array([0x30, 0x06, 2, 1, 1, 2, 1, 1])))],
    ['a signature that is cut', () => resigned((signature) => signature.slice(0, -1))],
    ['a signature with padding', () => resigned((signature) => `${signature}==`)],
    [
      'a signature with other letters for the same bytes',
      () =>
        resigned((signature) =>
          signature.replace(/.$/, (last) =>
            last.replace(/[AQgw]/, (c) => String.fromCharCode(c.charCodeAt(0) + 1)),
          ),
        ),
    ],
    ['a payload that is no JSON', () => signed(JSON.stringify(header()), 'x')],
    ['a payload that is a list', () => signed(JSON.stringify(header()), '[]')],
    ['a header that is no JSON', () => signed('x', JSON.stringify(claims()))],
    ['four parts', async () => `${await token()}.x`],
    ['five parts, as an encrypted token has', async () => `${await token()}.x.y`],
    ['two parts', async () => (await token()).split('.').slice(0, 2).join('.')],
    ['two tokens', async () => `${await token()},${await token()}`],
    ['more text than a token of ours has', () => token({}, { note: 'x'.repeat(3000) })],
  ])('for %s', async (_what, make) => {
    const text = await make()
    expect(await statusOf(text)).toBe(401)
  })
})

describe('a token with one changed bit', () => {
  it('is invalid for each of its bits', async () => {
    const config = configOf(app.env)
    const text = await token()
    const taken: number[] = []
    for (let bit = 0; bit < text.length * 8; bit++) {
      const at = bit >> 3
      const flipped =
        text.slice(0, at) + String.fromCharCode(text.charCodeAt(at) ^ (1 << (bit & 7))) + text.slice(at + 1)
      if (await verifyAccessToken(config, flipped)) taken.push(bit)
    }
    expect(taken).toEqual([])
    expect(text.length * 8).toBeGreaterThan(2_000)
  })
})

describe('the clocks of token issuers', () => {
  it.each([-29, -20, -1, 0, 1, 29])(
    'may differ by half a minute: 200 for a token that is issued, or expires, in %i seconds',
    async (from) => {
      expect(
        await statusOf(
          await token({}, from > 0 ? { iat: seconds(from) } : { iat: seconds(-700), exp: seconds(from) }),
        ),
      ).toBe(200)
    },
  )
})

describe('the keys that sign tokens', () => {
  it('can be replaced during requests: the new key comes first, the old one is removed once its tokens have expired, and no token is refused', async () => {
    const added = { ...(await exportJWK(other.privateKey)), kid: 'second' }
    const steps = [[jwk], [jwk, added], [added, jwk], [added]]
    const held: string[] = []
    for (const step of steps) {
      const config = { ...configOf(app.env), SIGNING_KEYS: JSON.stringify({ keys: step }) }
      if (step.length === 1 && step[0] === added)
        held.splice(0, held.length, ...held.filter((text) => headOf(text).kid === 'second'))
      for (const text of held) expect(await verifyAccessToken(config, text)).toMatchObject({ userId: ada.id })
      for (let times = 0; times < 25; times++)
        held.push((await issueTokens(config, await app.identity(ada))).access)
    }
    expect(held.every((text) => headOf(text).kid === 'second')).toBe(true)
  })
})

const headOf = (text: string): Json =>
  JSON.parse(atob(text.split('.')[0]?.replaceAll('-', '+').replaceAll('_', '/') ?? ''))
