/** Tokens: refreshing, verifying and revoking them, and the published keys. A2. */
import { createScheduledController } from 'cloudflare:test'
import { createLocalJWKSet, decodeJwt, jwtVerify } from 'jose'
import { beforeAll, describe, expect, it } from 'vitest'
import type { TokenPair } from '../../src/kernel/access/jwt/schema.ts'
import { issueTokens } from '../../src/kernel/access/tokens.ts'
import { configOf } from '../../src/kernel/env.ts'
import worker from '../../src/worker.ts'
import { startApp, type TestApp, type User } from '../support/app.ts'

let app: TestApp
let ada: User

const post = (path: string, body: unknown) => app.request('POST', `/api/auth/jwt/token/${path}`, { body })
const refresh = (token: string) => post('refresh/', { refresh: token })
const pair = async (): Promise<TokenPair> => issueTokens(configOf(app.env), await app.identity(ada))
const refused = {
  status: 401,
  body: { detail: 'The credentials are invalid or have expired.', code: 'invalid_credentials' },
}

beforeAll(async () => {
  app = await startApp()
  ada = await app.user('ada')
})

describe('a token', () => {
  it('has times in whole seconds, when it is issued and when it is refreshed', async () => {
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
  it('returns 400 without a token, and 401 for an invalid token and for an access token', async () => {
    expect(await refresh(5 as never)).toMatchObject({ status: 400, body: { refresh: ['Must be a string.'] } })
    expect(await post('refresh/', {})).toMatchObject({
      status: 400,
      body: { refresh: ['This field is required.'] },
    })
    expect(await refresh('nonsense')).toMatchObject(refused)
    expect(await refresh((await pair()).access)).toMatchObject(refused)
  })

  it('returns 200 with a new pair for a refresh token, in one round trip', async () => {
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

  it('returns 401 for a used token, and then for all refresh tokens of its sign-in', async () => {
    const first = await pair()
    const other = await pair()
    const second = await refresh(first.refresh)
    const third = await refresh(second.body.refresh)
    expect(await refresh(first.refresh)).toMatchObject(refused)
    expect(await refresh(third.body.refresh)).toMatchObject(refused)
    expect((await refresh(other.refresh)).status).toBe(200)
  })

  it('returns the same successor for many simultaneous uses of one token, and its family goes on', async () => {
    for (const make of [pair, async () => (await refresh((await pair()).refresh)).body as TokenPair]) {
      const { refresh: token } = await make()
      const answers = await Promise.all(Array.from({ length: 10 }, () => refresh(token)))
      expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200))
      const successors = answers.map(({ body }) => decodeJwt(body.refresh))
      const [{ jti, exp, family } = {}] = successors
      expect(successors.map((claims) => [claims.jti, claims.exp, claims.family])).toEqual(
        Array(10).fill([jti, exp, family]),
      )
      expect((await refresh(answers[9]?.body.refresh)).status).toBe(200)
    }
  })

  it('returns 401 for a used token after its successor was used, or ten seconds later, and ends the sign-in', async () => {
    const first = await pair()
    const second = (await refresh(first.refresh)).body as TokenPair
    const third = (await refresh(second.refresh)).body as TokenPair
    expect(await refresh(first.refresh)).toMatchObject(refused)
    expect(await refresh(third.refresh)).toMatchObject(refused)

    const late = await pair()
    const next = (await refresh(late.refresh)).body as TokenPair
    const { family } = decodeJwt(next.refresh)
    const ago = (seconds: number) =>
      app.sql(`update refresh_families set rotated_at = now() - make_interval(secs => $2) where id = $1`, [
        family,
        seconds,
      ])
    await ago(8)
    expect((await refresh(late.refresh)).status).toBe(200)
    await ago(11)
    expect(await refresh(late.refresh)).toMatchObject(refused)
    expect(await refresh(next.refresh)).toMatchObject(refused)
    expect((await app.request('GET', '/api/users/me/', { token: next.access })).status).toBe(401)
  })

  it('returns 401 for a refresh token of an inactive account, and for one from before a revocation', async () => {
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

  it('returns 401 for an invalid token, a used token and a token of an inactive account', async () => {
    expect(await verify('nonsense')).toMatchObject(refused)
    const first = await pair()
    await refresh(first.refresh)
    expect(await verify(first.refresh)).toMatchObject(refused)
    await app.sql('update users set is_active = false where id = $1', [ada.id])
    expect(await verify(first.access)).toMatchObject(refused)
    await app.sql('update users set is_active = true where id = $1', [ada.id])
  })

  it('returns 200 {} for a valid token of either kind', async () => {
    const { access, refresh } = await pair()
    for (const token of [access, refresh])
      expect(await verify(token)).toMatchObject({ status: 200, body: {} })
  })
})

describe('POST /api/auth/jwt/token/blacklist/', () => {
  const blacklist = (token: string) => post('blacklist/', { refresh: token })

  it('returns 401 for a text that is not a refresh token', async () => {
    expect(await blacklist('nonsense')).toMatchObject(refused)
    expect(await blacklist((await pair()).access)).toMatchObject(refused)
  })

  it('returns 200 {} for a refresh token, also the second time, and revokes its whole family', async () => {
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
  it('returns the public keys that verify tokens, without private parts', async () => {
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

describe('the cron trigger', () => {
  it('deletes expired families of refresh tokens and keeps the others', async () => {
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
