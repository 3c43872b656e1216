/** Signing in with a password, and the tokens that the API accepts. A1, A2, A5, A6. */
import { exportJWK, generateKeyPair, importJWK, type JWK, SignJWT } from 'jose'
import { beforeAll, describe, expect, it } from 'vitest'
import { hashPassword, verifyPassword } from '../../src/kernel/access/passwords.ts'
import { verifyAccessToken } from '../../src/kernel/access/tokens.ts'
import { configOf } from '../../src/kernel/env.ts'
import { startApp, type TestApp, type User } from '../support/app.ts'

let app: TestApp
let ada: User
const password = 'Correct-horse-1'

const signIn = (body: unknown, address = '203.0.113.1') =>
  app.request('POST', '/api/auth/jwt/token/', { body, headers: { 'cf-connecting-ip': address } })
const me = (authorization?: string) =>
  app.request('GET', '/api/users/me/', authorization === undefined ? {} : { headers: { authorization } })

beforeAll(async () => {
  app = await startApp()
  ada = await app.user('ada', { password })
})

describe('POST /api/auth/jwt/token/', () => {
  it('returns 400 with messages by field for an invalid body', async () => {
    expect(await signIn({})).toMatchObject({
      status: 400,
      body: { username: ['This field is required.'], password: ['This field is required.'] },
    })
    expect(await signIn({ username: 5, password, extra: 1 })).toMatchObject({
      status: 400,
      body: { username: ['Must be a string.'], extra: ['Unknown field.'] },
    })
  })

  it('returns the same 401 for an unknown name, a wrong password, and an account without a password or inactive', async () => {
    await app.user('none')
    await app.user('gone', { password })
    await app.sql(`update users set is_active = false where username = 'gone'`)
    const refusals = await Promise.all(
      [
        { username: 'nobody', password },
        { username: 'ada', password: 'Wrong-horse-1' },
        { username: 'none', password },
        { username: 'gone', password },
      ].map((body, index) => signIn(body, `203.0.113.${20 + index}`)),
    )
    for (const { status, body, headers } of refusals) {
      expect([status, body]).toEqual([
        401,
        { detail: 'No active account was found with these credentials.', code: 'sign_in_failed' },
      ])
      expect(headers.get('www-authenticate')).toBe('Bearer')
    }
  })

  it.each(['ada', 'ada@example.org', 'ADA@Example.org'])(
    'returns 200 with a token pair for %s',
    async (username) => {
      const { status, body } = await signIn({ username, password }, '203.0.113.40')
      expect(status).toBe(200)
      expect(body).toEqual({
        access: expect.any(String),
        refresh: expect.any(String),
        token_type: 'Bearer',
        expires_in: 900,
      })
      expect((await me(`Bearer ${body.access}`)).body).toMatchObject({
        id: ada.id,
        username: 'ada',
        last_login: expect.any(String),
      })
    },
  )
})

describe('the Authorization header', () => {
  const key = async () => {
    const [jwk] = (JSON.parse(app.env.SIGNING_KEYS as string) as { keys: JWK[] }).keys
    return jwk as JWK
  }
  interface Claims {
    alg?: string
    typ?: string
    kid?: string
    iss?: string
    aud?: string
    exp?: number
    iat?: number
  }
  const seconds = (from = 0) => Math.floor(Date.now() / 1000) + from

  async function token(
    {
      alg = 'ES256',
      typ = 'at+jwt',
      kid,
      iss = 'tessera',
      aud = 'tessera',
      exp = seconds(600),
      iat = seconds(),
    }: Claims = {},
    signWith?: CryptoKey | Uint8Array,
  ) {
    const jwk = await key()
    return new SignJWT({ gen: 1 })
      .setProtectedHeader({ alg, typ, kid: kid ?? (jwk.kid as string) })
      .setSubject(String(ada.id))
      .setJti('x')
      .setIssuer(iss)
      .setAudience(aud)
      .setIssuedAt(iat)
      .setExpirationTime(exp)
      .sign(signWith ?? ((await importJWK(jwk, 'ES256')) as CryptoKey))
  }

  it('returns 401 with WWW-Authenticate if it is missing', async () => {
    const answer = await me()
    expect([answer.status, answer.body, answer.headers.get('www-authenticate')]).toEqual([
      401,
      { detail: 'Authentication credentials were not provided.', code: 'not_authenticated' },
      'Bearer',
    ])
  })

  it.each([
    '',
    'Bearer',
    'Bearer ',
    'bearer x.y.z',
    'Basic YTpi',
    'Bearer a b',
    'Api-Key tsk_x',
    `Bearer ${'x'.repeat(5000)}`,
    'Bearer ..',
    'Bearer x.y.z',
  ])('%j gets 401', async (header) => {
    expect((await me(header)).status).toBe(401)
  })

  it.each<[string, () => Promise<string>]>([
    [
      'alg none',
      async () =>
        `${btoa('{"alg":"none","typ":"at+jwt"}').replaceAll('=', '')}.${(await token()).split('.')[1]}.`,
    ],
    [
      'HS256 with the public key',
      async () => {
        const { x, y } = await key()
        return token({ alg: 'HS256' }, new TextEncoder().encode(`${x}${y}`))
      },
    ],
    [
      'a foreign key with the kid of our key',
      async () => token({}, (await generateKeyPair('ES256')).privateKey),
    ],
    ['an unknown kid', () => token({ kid: 'another' })],
    ['another issuer', () => token({ iss: 'other' })],
    ['another audience', () => token({ aud: 'other' })],
    ['a refresh token', () => token({ typ: 'rt+jwt' })],
    ['no type', () => token({ typ: 'JWT' })],
    ['an expired token', () => token({ iat: seconds(-700), exp: seconds(-32) })],
    ['a token issued in the future', () => token({ iat: seconds(100) })],
    [
      'a tampered payload',
      async () => {
        const [header, , signature] = (await token()).split('.')
        const claims = {
          sub: '2',
          jti: 'x',
          iss: 'tessera',
          aud: 'tessera',
          iat: seconds(),
          exp: seconds(600),
        }
        return `${header}.${btoa(JSON.stringify(claims)).replaceAll('=', '')}.${signature}`
      },
    ],
  ])('gets 401 with this token: %s', async (_, make) => {
    expect((await me(`Bearer ${await make()}`)).status).toBe(401)
  })

  it('gets 200 with a token that expired within the tolerated clock skew', async () => {
    expect((await me(`Bearer ${await token({ iat: seconds(-700), exp: seconds(-20) })}`)).status).toBe(200)
  })

  it('must not have a line break after the token', async () => {
    const spelled = await token()
    expect(await verifyAccessToken(configOf(app.env), `${spelled}\n`)).toBeUndefined()
    expect(await verifyAccessToken(configOf(app.env), spelled)).toMatchObject({ userId: ada.id })
  })

  it('gets 401 with a valid token once the account is deactivated or its tokens are revoked', async () => {
    const user = await app.user('brief')
    expect((await me(`Bearer ${user.token}`)).status).toBe(200)
    await app.sql(`update users set is_active = false where username = 'brief'`)
    expect((await me(`Bearer ${user.token}`)).status).toBe(401)
    await app.sql(`update users set is_active = true where username = 'brief'`)
    expect((await me(`Bearer ${user.token}`)).status).toBe(401)
  })

  it('verifies tokens of a signing key only after the key is added', async () => {
    const other = await generateKeyPair('ES256', { extractable: true })
    const added = { ...(await exportJWK(other.privateKey)), kid: 'second' }
    const signed = await token({ kid: 'second' }, other.privateKey)
    expect((await me(`Bearer ${signed}`)).status).toBe(401)
    const keys = JSON.parse(app.env.SIGNING_KEYS as string).keys
    const rotated = await startApp({ SIGNING_KEYS: JSON.stringify({ keys: [added, ...keys] }) })
    const user = await rotated.user('ada2')
    expect((await rotated.request('GET', '/api/users/me/', { token: user.token })).status).toBe(200)
  })
})

describe('a password', () => {
  it('is stored as an scrypt hash with its parameters', async () => {
    const hash = await hashPassword('Ünïcode-1')
    expect(hash).toMatch(/^\$scrypt\$ln=14,r=8,p=5\$[\w-]{22}\$[\w-]{43}$/)
    expect(await verifyPassword('Ünïcode-1', hash)).toBe(true)
    expect(await verifyPassword('Ünïcode-1'.normalize('NFD'), hash)).toBe(true)
    expect(await verifyPassword('Unicode-1', hash)).toBe(false)
  })

  it.each([null, '', 'x', '$scrypt$ln=30,r=8,p=5$AAAA$AAAA', '$argon2id$v=19$m=1$AAAA$AAAA'])(
    'never matches the stored value %j',
    async (stored) => {
      expect(await verifyPassword('', stored)).toBe(false)
    },
  )
})
