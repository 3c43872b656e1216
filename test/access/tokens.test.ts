/** Refreshing, verifying and revoking tokens, and the published keys. A2. */
import { createScheduledController } from 'cloudflare:test'
import { createLocalJWKSet, decodeJwt, jwtVerify } from 'jose'
import { beforeAll, describe, expect, it } from 'vitest'
import type { TokenPair } from '../../src/access/jwt/schema.ts'
import { issueTokens } from '../../src/access/tokens.ts'
import { configOf } from '../../src/env.ts'
import worker from '../../src/worker.ts'
import { startApp, type TestApp, type User } from '../support/app.ts'

let app: TestApp
let ada: User

const post = (path: string, body: unknown) => app.request('POST', `/api/auth/jwt/token/${path}`, { body })
const refresh = (token: string) => post('refresh/', { refresh: token })
const pair = async (): Promise<TokenPair> => issueTokens(configOf(app.env), await app.identity(ada))
const refused = { status: 401, body: { detail: 'The credentials are invalid or have expired.' } }

beforeAll(async () => {
  app = await startApp()
  ada = await app.user('ada')
})

describe('a token', () => {
  it('the times of a token are whole seconds, whether it was issued or refreshed', async () => {
    const { body: refreshed } = await refresh((await pair()).refresh)
    for (const token of [...Object.values(await pair()), refreshed.access, refreshed.refresh].filter((text) =>
      /\..+\./.test(String(text)),
    )) {
      const { iat, exp } = decodeJwt(String(token))
      expect([Number.isSafeInteger(iat), Number.isSafeInteger(exp)]).toEqual([true, true])
      expect(Math.abs(Number(iat) - Date.now() / 1000)).toBeLessThan(30)
    }
  })
})

describe('POST /api/auth/jwt/token/refresh/', () => {
  it('a body without a token gets 400; an invalid token and an access token get 401', async () => {
    expect(await refresh(5 as never)).toMatchObject({ status: 400, body: { refresh: ['Must be a string.'] } })
    expect(await post('refresh/', {})).toMatchObject({
      status: 400,
      body: { refresh: ['This field is required.'] },
    })
    expect(await refresh('nonsense')).toMatchObject(refused)
    expect(await refresh((await pair()).access)).toMatchObject(refused)
  })

  it('a refresh token gets 200 with a new pair, in one round trip', async () => {
    const first = await pair()
    const second = await refresh(first.refresh)
    expect(second.status).toBe(200)
    expect(second.body).toEqual({
      access: expect.any(String),
      refresh: expect.any(String),
      token_type: 'Bearer',
      expires_in: 900,
    })
    expect(second.headers.get('server-timing')).toContain('desc="1"')
    expect((await app.request('GET', '/api/users/me/', { token: second.body.access })).status).toBe(200)
    const third = await refresh(second.body.refresh)
    expect(third.status).toBe(200)
  })

  it('a used token gets 401, and from then on so do all refresh tokens of its sign-in', async () => {
    const first = await pair()
    const other = await pair()
    const second = await refresh(first.refresh)
    const third = await refresh(second.body.refresh)
    expect(await refresh(first.refresh)).toMatchObject(refused)
    expect(await refresh(third.body.refresh)).toMatchObject(refused)
    expect((await refresh(other.refresh)).status).toBe(200)
  })

  it('of many simultaneous uses of one token, one gets a pair; its family is revoked, because the others are a reuse', async () => {
    for (const make of [pair, async () => (await refresh((await pair()).refresh)).body as TokenPair]) {
      const { refresh: token } = await make()
      const answers = await Promise.all(Array.from({ length: 10 }, () => refresh(token)))
      expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(401)])
      const winner = answers.find(({ status }) => status === 200)
      expect(await refresh(winner?.body.refresh)).toMatchObject(refused)
    }
  })

  it('a refresh token of an inactive account, and one from before a revocation, get 401', async () => {
    const before = await pair()
    await app.sql('update users set generation = generation + 1 where id = $1', [ada.id])
    expect(await refresh(before.refresh)).toMatchObject(refused)
    const after = await pair()
    await app.sql('update users set is_active = false where id = $1', [ada.id])
    expect(await refresh(after.refresh)).toMatchObject(refused)
    await app.sql('update users set is_active = true where id = $1', [ada.id])
    expect(await refresh(after.refresh)).toMatchObject(refused)
    expect((await refresh((await pair()).refresh)).status).toBe(200)
  })
})

describe('POST /api/auth/jwt/token/verify/', () => {
  const verify = (token: string) => post('verify/', { token })

  it('an invalid token, a used one and one of an inactive account get 401', async () => {
    expect(await verify('nonsense')).toMatchObject(refused)
    const first = await pair()
    await refresh(first.refresh)
    expect(await verify(first.refresh)).toMatchObject(refused)
    await app.sql('update users set is_active = false where id = $1', [ada.id])
    expect(await verify(first.access)).toMatchObject(refused)
    await app.sql('update users set is_active = true where id = $1', [ada.id])
  })

  it('a valid token of either kind gets 200 {}', async () => {
    const { access, refresh } = await pair()
    for (const token of [access, refresh])
      expect(await verify(token)).toMatchObject({ status: 200, body: {} })
  })
})

describe('POST /api/auth/jwt/token/blacklist/', () => {
  const blacklist = (token: string) => post('blacklist/', { refresh: token })

  it('what is not a refresh token gets 401', async () => {
    expect(await blacklist('nonsense')).toMatchObject(refused)
    expect(await blacklist((await pair()).access)).toMatchObject(refused)
  })

  it('a refresh token gets 200 {}, also the second time, and its whole family is revoked', async () => {
    const unused = await pair()
    const used = await pair()
    const next = (await refresh(used.refresh)).body as TokenPair
    for (const token of [unused.refresh, next.refresh, next.refresh])
      expect(await blacklist(token)).toMatchObject({ status: 200, body: {} })
    expect(await refresh(unused.refresh)).toMatchObject(refused)
    expect(await refresh(next.refresh)).toMatchObject(refused)
  })
})

describe('GET /.well-known/jwks.json', () => {
  it('the key set has the public keys that verify tokens, and no private parts', async () => {
    const { status, body, headers } = await app.request('GET', '/.well-known/jwks.json')
    expect([status, headers.get('cache-control')]).toEqual([200, 'public, max-age=300'])
    expect(Object.keys(body.keys[0]).sort()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y'])
    const { payload } = await jwtVerify((await pair()).access, createLocalJWKSet(body), {
      issuer: 'tessera',
      audience: 'tessera',
      typ: 'at+jwt',
    })
    expect(payload.sub).toBe(String(ada.id))
  })
})

describe('expired families of refresh tokens', () => {
  it('the cron trigger deletes expired families of refresh tokens and keeps the others', async () => {
    await refresh((await pair()).refresh)
    const [before] = await app.sql<{ count: string }>('select count(*) from refresh_families')
    await app.sql(
      `insert into refresh_families (id, user_id, current, expires_at)
       values (gen_random_uuid(), $1, gen_random_uuid(), now() - interval '2 days')`,
      [ada.id],
    )
    await worker.scheduled(createScheduledController(), app.env)
    expect(await app.sql('select count(*) from refresh_families')).toEqual([before])
  })
})
