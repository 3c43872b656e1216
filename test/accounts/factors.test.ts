/** Second factors: authenticator apps and recovery codes, in the API and on the pages. RFC 6238, S7. */
import { decodeJwt } from 'jose'
import { beforeAll, describe, expect, it } from 'vitest'
import { codeOf } from '../../dev/examples/totp.ts'
import { codeHash } from '../../src/identity/accounts/factors/recovery-codes.ts'
import { deleteExpiredChallenges } from '../../src/kernel/access/second-factor/store.ts'
import { issueTokens } from '../../src/kernel/access/tokens.ts'
import { openDatabase } from '../../src/kernel/db/client.ts'
import { configOf } from '../../src/kernel/env.ts'
import { codeAt, stepAt } from '../../src/kernel/lib/totp.ts'
import { startApp, type TestApp, type User } from '../support/app.ts'
import { type Guarded, password, provenUser, unusedCode, withTotp } from '../support/factors.ts'
import { createShop, grant, type Shop } from '../support/fixtures.ts'
import { confirmationCode, lettersTo, linkTokenOf, sendAccountEmails } from '../support/letters.ts'
import { codeFor, createSocialSite, type SocialSite, verified } from '../support/social-login.ts'

let app: TestApp
let shop: Shop
let site: SocialSite

const another = 'Another-horse-2'
const post = (path: string, body?: unknown, token?: string) =>
  app.request('POST', path, { ...(body === undefined ? {} : { body }), ...(token ? { token } : {}) })
const signIn = (username: string, secret = password) =>
  post('/api/auth/jwt/token/', { username, password: secret })
const answer = (challenge: string, code: string) => post('/api/auth/factor/', { challenge, code })
const me = (token: string) => app.request('GET', '/api/users/me/', { token })
const guarded = async (name: string): Promise<Guarded> => withTotp(app, await provenUser(app, name))
const gone = {
  status: 400,
  body: { challenge: ['This sign-in has expired or is already complete. Sign in again.'] },
}
const wrong = { status: 400, body: { code: ['This code is wrong or was already used.'] } }
const later = 'This needs a sign-in within the last 900 seconds. Sign in again.'

/** Returns a code that the app does not show in the next minutes. */
function wrongCodeOf({ secret }: Guarded): string {
  const present = stepAt(new Date())
  const shown = Array.from({ length: 20 }, (_, index) => codeAt(secret, present - 5 + index))
  return ['000000', '000001', '000002'].concat(shown).find((code) => !shown.includes(code)) as string
}

/** Returns a token of a sign-in from an hour ago. */
async function staleToken(user: User, of: { mfa: boolean }): Promise<string> {
  const token = (await app.signedIn(user)).token
  const { gen } = decodeJwt(token)
  const { signToken } = await import('../../src/kernel/access/signed-tokens.ts')
  const now = Date.now()
  return signToken(configOf(app.env), 'access', {
    userId: user.id,
    generation: gen as number,
    id: crypto.randomUUID(),
    family: undefined,
    signedInAt: new Date(now - 3_600_000),
    methods: of.mfa ? ['pwd', 'otp', 'mfa'] : ['pwd'],
    issuedAt: new Date(now),
    expiresAt: new Date(now + 60_000),
  })
}

beforeAll(async () => {
  app = (await startApp()).with({
    EMAIL_TRANSPORT: 'mailbox',
    PUBLIC_URL: 'https://app.example.com',
    ALLOW_PRIVATE_HOSTS: 'true',
    RATE_LIMIT_PASSWORD: '200',
  })
  shop = await createShop(app, 'acme')
  site = await createSocialSite(app, 'social', ['one'])
})

describe('turning on an authenticator app', () => {
  it('gets 400 for an account that somebody else may have made, or whose password others know', async () => {
    const unverified = await app.user('unverified', { password })
    const known = await provenUser(app, 'known')
    await app.sql('update users set password_is_own = false where id = $1', [known.id])
    for (const { token } of [unverified, known])
      expect(await post('/api/users/me/totp/', undefined, token)).toMatchObject({
        status: 400,
        body: {
          detail: expect.stringContaining('First prove that you own the account'),
          code: 'ownership_not_proved',
        },
      })
    expect(
      await app.sql('select from totp_secrets where user_id in ($1, $2)', [unverified.id, known.id]),
    ).toEqual([])
  })

  it('gets 403 for a sign-in by a provider, which proves one organization only, and for an old sign-in', async () => {
    const { body } = await site.signIn('one', verified('fed', 'fed@example.org'))
    await app.sql(`update users set email_verified_at = now() where email = 'fed@example.org'`)
    const user = await provenUser(app, 'late')
    for (const path of ['/api/users/me/totp/', '/api/users/me/recovery-codes/'])
      expect([
        (await post(path, undefined, body.access)).status,
        (await post(path, undefined, await staleToken(user, { mfa: false }))).body,
      ]).toEqual([403, { detail: later, code: 'fresh_sign_in_required' }])
    expect((await post('/api/users/me/totp/confirm/', { code: '123456' }, body.access)).status).toBe(403)
    expect((await app.request('DELETE', '/api/users/me/totp/', { token: body.access })).status).toBe(403)
  })

  it('gets 400 with a wrong code, without a secret, for a second app, and with a secret older than 15 minutes', async () => {
    const user = await provenUser(app, 'hasty')
    const confirm = (code: string) => post('/api/users/me/totp/confirm/', { code }, user.token)
    expect(await confirm('123456')).toMatchObject({
      status: 400,
      body: {
        detail: 'There is no authenticator app to confirm. First get a secret: POST /api/users/me/totp/.',
        code: 'authenticator_not_begun',
      },
    })
    expect((await confirm('12345')).body).toEqual({ code: ['A code has six digits.'] })
    expect((await post('/api/users/me/recovery-codes/', undefined, user.token)).status).toBe(400)
    await post('/api/users/me/totp/', undefined, user.token)
    expect((await signIn('hasty')).status).toBe(200)
    await app.sql(`update totp_secrets set created = now() - interval '16 minutes' where user_id = $1`, [
      user.id,
    ])
    expect((await confirm('123456')).status).toBe(400)
    const made = await withTotp(app, user)
    expect((await post('/api/users/me/totp/', undefined, made.token)).body).toEqual({
      detail: 'The account already has an authenticator app. To use another one, turn it off first.',
      code: 'authenticator_already_on',
    })
    expect(await post('/api/users/me/totp/confirm/', { code: wrongCodeOf(made) }, made.token)).toMatchObject({
      status: 400,
    })
  })

  it('returns ten recovery codes and new tokens; earlier sign-ins end, API keys stay, and the owner gets a notice', async () => {
    const user = await provenUser(app, 'ada')
    await app.sql(
      `insert into memberships (organization_id, user_id, role)
       select organization_id, $1, 'admin' from sites where slug = 'acme'`,
      [user.id],
    )
    const earlier = (await signIn('ada')).body
    const key = await post(`${shop.api}/api-keys/`, { name: 'till' }, user.token)
    const begun = await post('/api/users/me/totp/', undefined, user.token)
    expect(begun.body).toEqual({
      secret: expect.stringMatching(/^[A-Z2-7]{32}$/),
      uri: `otpauth://totp/tessera:ada%40example.org?secret=${begun.body.secret}&issuer=tessera`,
    })
    const made = await withTotp(app, user)
    expect(new Set(made.recoveryCodes).size).toBe(10)
    for (const code of made.recoveryCodes) expect(code).toMatch(/^([A-Z2-7]{5}-){3}[A-Z2-7]{5}$/)
    expect((await me(made.token)).status).toBe(200)
    expect([(await me(user.token)).status, (await me(earlier.access)).status]).toEqual([401, 401])
    expect((await post('/api/auth/jwt/token/refresh/', { refresh: earlier.refresh })).status).toBe(401)
    const used = await app.request('POST', shop.data('makers'), {
      headers: { authorization: `Api-Key ${key.body.key}` },
      body: { id: 77, name: 'Kept' },
    })
    expect(used.status).toBe(201)
    expect((await app.request('GET', '/api/users/me/factors/', { token: made.token })).body).toEqual({
      totp: { created: expect.any(String) },
      passkeys: 0,
      recovery_codes: 10,
      is_required: true,
    })
    await sendAccountEmails(app)
    expect((await lettersTo(app, user.email))[0]?.subject).toBe(
      'The second factors of your account were changed',
    )
    const audit = await app.request('GET', '/api/cloud/organizations/acme-org/audit/?kind=second_factor', {
      token: shop.owner.token,
    })
    expect(audit.body.results[0]).toMatchObject({
      action: 'change',
      actor: { username: 'ada' },
      object: 'ada',
      changed: ['confirmed_at'],
      values: {},
    })
  })

  it('stores the secret and the recovery codes only encrypted or hashed', async () => {
    const made = await guarded('sealed')
    const rows = await app.sql(
      `select t.secret, r.hash from totp_secrets t join recovery_codes r on r.user_id = t.user_id
        where t.user_id = $1`,
      [made.id],
    )
    const text = JSON.stringify(rows)
    expect(rows).toHaveLength(10)
    expect(text).not.toContain(Buffer.from(made.secret).toString('base64url'))
    for (const code of made.recoveryCodes) expect(text).not.toContain(code.replaceAll('-', ''))
    // The secret of one account cannot be decrypted in the row of another one.
    const other = await guarded('moved')
    await app.sql('update totp_secrets set secret = $2 where user_id = $1', [other.id, rows[0]?.secret])
    const { body } = await signIn('moved')
    const failed = await answer(body.challenge, codeOf(made.secret))
    expect([failed.status, failed.body.error]).toEqual([500, 'Encryption keys unavailable'])
  })

  it('gets 500 without the master keys, and so does a code; a recovery code works', async () => {
    const keyless = app.with({ MASTER_KEYS: '' })
    const user = await provenUser(app, 'keyless')
    const ask = (path: string, body?: unknown, token?: string) =>
      keyless.request('POST', path, { ...(body ? { body } : {}), ...(token ? { token } : {}) })
    expect((await ask('/api/users/me/totp/', undefined, user.token)).status).toBe(500)
    await post('/api/users/me/totp/', undefined, user.token)
    expect((await ask('/api/users/me/totp/confirm/', { code: '123456' }, user.token)).status).toBe(500)
    const made = await withTotp(app, user)
    const { challenge } = (await signIn('keyless')).body
    for (const path of ['/api/auth/factor/', '/api/auth/session/factor/'])
      expect((await ask(path, { challenge, code: codeOf(made.secret) })).status).toBe(500)
    expect((await ask('/api/auth/factor/', { challenge, code: made.recoveryCodes[0] })).status).toBe(200)
  })
})

describe('a sign-in with a password to an account with a second factor', () => {
  it('gets 401 with a wrong password; with the right one 403 with a challenge and without a token', async () => {
    await guarded('bo')
    expect((await signIn('bo', 'Wrong-horse-1')).body).toEqual({
      detail: 'No active account was found with these credentials.',
      code: 'sign_in_failed',
    })
    expect(await signIn('bo')).toMatchObject({
      status: 403,
      body: {
        detail: 'The account needs a second factor. Send the challenge with a code to /api/auth/factor/.',
        challenge: expect.stringMatching(/^[\da-f-]{36}$/),
        factors: ['totp', 'recovery_code'],
        expires_in: 300,
        code: 'second_factor_required',
      },
    })
    const session = await post('/api/auth/session/', { username: 'bo', password })
    expect([session.status, session.headers.getSetCookie()]).toEqual([403, []])
  })

  it('is finished once with a code of the app; the tokens list the factors, also after a refresh', async () => {
    const user = await guarded('cy')
    const { body } = await signIn('cy')
    const code = await unusedCode(app, user)
    const done = await answer(body.challenge, code)
    expect([done.status, Object.keys(done.body)]).toEqual([
      200,
      ['access', 'refresh', 'token_type', 'expires_in'],
    ])
    expect(decodeJwt(done.body.access)).toMatchObject({
      amr: ['pwd', 'otp', 'mfa'],
      auth_time: expect.any(Number),
    })
    const refreshed = await post('/api/auth/jwt/token/refresh/', { refresh: done.body.refresh })
    expect(decodeJwt(refreshed.body.access)).toMatchObject({ amr: ['pwd', 'otp', 'mfa'] })
    expect((await me(refreshed.body.access)).status).toBe(200)
    expect(await answer(body.challenge, code)).toMatchObject(gone)
    const again = (await signIn('cy')).body
    expect(await answer(again.challenge, code)).toMatchObject(wrong)
  })

  it('is finished by one of ten simultaneous requests with the same code', async () => {
    const user = await guarded('racing')
    const challenges = await Promise.all(
      Array.from({ length: 10 }, async () => (await signIn('racing')).body),
    )
    const code = await unusedCode(app, user)
    const answers = await Promise.all(challenges.map(({ challenge }) => answer(challenge, code)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => ![200, 400, 429].includes(status))).toEqual([])
  })

  it('is finished once with a recovery code, in any spelling; new recovery codes end the old ones', async () => {
    const user = await guarded('dee')
    const [first = '', second = '', third = ''] = user.recoveryCodes
    const once = (await signIn('dee')).body
    const typed = ` ${first.toLowerCase().replaceAll('-', ' ')} `
    const done = await answer(once.challenge, typed)
    expect([done.status, (decodeJwt(done.body.access) as { amr: string[] }).amr]).toEqual([
      200,
      ['pwd', 'otp', 'mfa'],
    ])
    const again = (await signIn('dee')).body
    expect(await answer(again.challenge, first)).toMatchObject(wrong)
    expect((await answer(again.challenge, second)).status).toBe(200)
    const fresh = await post('/api/users/me/recovery-codes/', undefined, done.body.access)
    expect(fresh.body.recovery_codes).toHaveLength(10)
    const last = (await signIn('dee')).body
    expect(await answer(last.challenge, third)).toMatchObject(wrong)
    expect((await answer(last.challenge, fresh.body.recovery_codes[0])).status).toBe(200)
  })

  it('has ten recovery codes after concurrent replacements, all from one answer', async () => {
    const user = await guarded('replacing')
    const { token } = await app.signedIn(user)
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => post('/api/users/me/recovery-codes/', undefined, token)),
    )
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200))
    const stored = await app.sql<{ hash: string }>('select hash from recovery_codes where user_id = $1', [
      user.id,
    ])
    const sets = answers.map(({ body }) => body.recovery_codes.map(codeHash).toSorted())
    expect(sets).toContainEqual(stored.map(({ hash }) => hash).toSorted())
  })

  it('gets 400 with a code of another account, and with an unknown challenge', async () => {
    const [mine, theirs] = [await guarded('mine'), await guarded('theirs')]
    const { challenge } = (await signIn('mine')).body
    for (const code of [await unusedCode(app, theirs), theirs.recoveryCodes[0] as string])
      expect(await answer(challenge, code)).toMatchObject(wrong)
    expect(await answer(crypto.randomUUID(), codeOf(mine.secret))).toMatchObject(gone)
    expect(await answer('none', '123456')).toMatchObject({ status: 400 })
    expect((await answer(challenge, await unusedCode(app, mine))).status).toBe(200)
  })

  it('takes five wrong codes; then the account takes no code of the app for a minute, also in other sign-ins', async () => {
    const user = await guarded('guessed')
    const { challenge } = (await signIn('guessed')).body
    const guess = wrongCodeOf(user)
    for (let index = 0; index < 5; index++) expect(await answer(challenge, guess)).toMatchObject(wrong)
    expect(await answer(challenge, await unusedCode(app, user))).toMatchObject(gone)
    const next = (await signIn('guessed')).body.challenge
    const refused = await answer(next, await unusedCode(app, user))
    expect([refused.status, Number(refused.headers.get('retry-after')) > 50]).toEqual([429, true])
    expect((await answer(next, user.recoveryCodes[0] as string)).status).toBe(200)
    await app.sql(`update totp_secrets set blocked_until = now(), failures = 9 where user_id = $1`, [user.id])
    const third = (await signIn('guessed')).body.challenge
    expect(await answer(third, guess)).toMatchObject(wrong)
    const longer = await answer(third, await unusedCode(app, user))
    expect(Number(longer.headers.get('retry-after'))).toBeGreaterThan(110)
    await app.sql(`update totp_secrets set blocked_until = now() where user_id = $1`, [user.id])
    expect((await answer(third, await unusedCode(app, user))).status).toBe(200)
    expect(await app.sql('select failures from totp_secrets where user_id = $1', [user.id])).toEqual([
      { failures: 0 },
    ])
  })

  it('ends after five minutes, with a new password, and when the account is deactivated', async () => {
    const user = await guarded('ending')
    const begin = async () => (await signIn('ending')).body.challenge as string
    const expired = await begin()
    await app.sql(`update sign_in_challenges set expires_at = now() where id = $1`, [expired])
    expect(await answer(expired, await unusedCode(app, user))).toMatchObject(gone)
    await openDatabase(configOf(app.env)).batch({ deleteExpiredChallenges }, 10_000)
    expect(await app.sql('select from sign_in_challenges where id = $1', [expired])).toEqual([])
    const before = await begin()
    await app.sql('update users set generation = generation + 1 where id = $1', [user.id])
    expect(await answer(before, await unusedCode(app, user))).toMatchObject(gone)
    const active = await begin()
    await app.sql('update users set is_active = false where id = $1', [user.id])
    expect(await answer(active, await unusedCode(app, user))).toMatchObject(gone)
  })
})

describe('the other ways to sign in', () => {
  it('a sign-in by a provider needs the factor too, and proves no more than its organization', async () => {
    const first = await site.signIn('one', verified('eve', 'eve@example.org'))
    await app.sql(
      `update users set email_verified_at = now(), password_hash = (select password_hash from users where username = 'bo'),
              password_is_own = true where email = 'eve@example.org'`,
    )
    const { access } = (await signIn('eve@example.org')).body
    const user = await withTotp(app, { ...first.body.user, token: access })
    expect((await me(first.body.access)).status).toBe(401)
    const { status, body } = await site.signIn('one', verified('eve', 'eve@example.org'))
    expect([status, body.factors, body.access]).toEqual([403, ['totp', 'recovery_code'], undefined])
    const done = await answer(body.challenge, await unusedCode(app, user))
    expect(decodeJwt(done.body.access)).toMatchObject({ amr: ['fed', 'otp', 'mfa'], org: expect.any(Number) })
    expect((await app.request('DELETE', '/api/users/me/totp/', { token: done.body.access })).status).toBe(403)
  })

  it('so do the page of the provider and the confirmation with a mailed code', async () => {
    const user = await guarded('tied')
    await app.sql(
      `insert into memberships (organization_id, user_id, role)
       select organization_id, $1, 'member' from sites where slug = 'acme'`,
      [user.id],
    )
    const begun = await site.signIn('one', verified('tied', user.email))
    const { confirmation } = begun.body
    const confirm = (code: string) => post(`${site.api}/auth/confirm/`, { confirmation, code })
    const confirmed = await confirm(await confirmationCode(app, confirmation))
    expect([confirmed.status, confirmed.body.factors]).toEqual([403, ['totp', 'recovery_code']])
    const answered = await answer(confirmed.body.challenge, await unusedCode(app, user))
    expect(decodeJwt(answered.body.access)).toMatchObject({
      sub: String(user.id),
      amr: ['fed', 'otp', 'mfa'],
    })

    const start = await app.request('GET', '/sites/social/accounts/one/login/')
    const asked = new URL(start.headers.get('location') ?? '').searchParams
    const code = codeFor({
      challenge: asked.get('code_challenge') ?? undefined,
      claims: { nonce: asked.get('nonce'), ...verified('tied', user.email) },
    })
    const query = new URLSearchParams({ code, state: asked.get('state') ?? '' })
    const cookie = start.headers.getSetCookie()[0]?.replace(/;.*/, '') ?? ''
    const shown = await app.request('GET', `/sites/social/accounts/one/login/callback/?${query}`, {
      headers: { cookie },
    })
    expect([shown.status, shown.text.includes('One more step')]).toEqual([403, true])
    expect(shown.headers.getSetCookie().join()).not.toContain('sessionid')
  })

  it('a password reset does not remove the factor, and does not sign in', async () => {
    const user = await guarded('forgot')
    await post('/api/auth/password/reset/', { email: user.email })
    const token = await linkTokenOf(app, user.email)
    const reset = await post('/api/auth/password/reset/confirm/', { token, password: another })
    expect(reset.status).toBe(200)
    expect((await me(user.token)).status).toBe(401)
    expect((await signIn('forgot', another)).status).toBe(403)
    expect(await app.sql('select from recovery_codes where user_id = $1', [user.id])).toHaveLength(10)
  })

  it('a password that an admin sets, and an accepted invitation, still need the factor', async () => {
    const user = await guarded('managed')
    await app.sql(
      `insert into memberships (organization_id, user_id, role)
       select organization_id, $1, 'member' from sites where slug = 'acme'`,
      [user.id],
    )
    const set = await app.request('PATCH', '/api/users/managed/', {
      token: shop.owner.token,
      body: { password: another },
    })
    expect([set.status, (await signIn('managed', another)).status]).toEqual([200, 403])
    const open = app.with({ INVITATION_EXISTING_ACCOUNTS: 'specification' })
    await app.sql('delete from memberships where user_id = $1', [user.id])
    const invited = await post(
      '/api/cloud/organizations/acme-org/invitations/',
      { invitee_identifier: user.email },
      shop.owner.token,
    )
    const accepted = await open.request('POST', `/api/cloud/invitations/${invited.body.uuid}/accept/`, {
      body: { password: 'Third-horse-3', first_name: 'A', last_name: 'B' },
    })
    expect([accepted.status, (await signIn('managed', 'Third-horse-3')).status]).toEqual([200, 403])
  })

  it('an address that an admin has set is that of somebody else: verifying it removes the factors', async () => {
    const user = await guarded('handed')
    await app.sql(`update users set email = 'heir@example.org' where id = $1`, [user.id])
    expect((await signIn('handed')).status).toBe(403)
    await post('/api/auth/password/reset/', { email: 'heir@example.org' })
    const token = await linkTokenOf(app, 'heir@example.org')
    await post('/api/auth/password/reset/confirm/', { token, password: another })
    expect((await signIn('handed', another)).status).toBe(200)
    expect(await app.sql('select from recovery_codes where user_id = $1', [user.id])).toEqual([])
  })

  it('an address that the owner has confirmed keeps the factors', async () => {
    const user = await guarded('moving')
    await app.request('PATCH', '/api/users/me/', {
      token: user.token,
      body: { email: 'moved-on@example.org' },
    })
    const token = await linkTokenOf(app, 'moved-on@example.org')
    const confirmed = await post('/api/auth/email/verify/confirm/', { token }, user.token)
    expect(confirmed.body).toEqual({ email: 'moved-on@example.org', has_password: true })
    await post('/api/auth/password/reset/', { email: 'moved-on@example.org' })
    const link = await linkTokenOf(app, 'moved-on@example.org')
    await post('/api/auth/password/reset/confirm/', { token: link, password: another })
    expect((await signIn('moving', another)).status).toBe(403)
  })
})

describe('dangerous operations of an account with a second factor', () => {
  it('get 403 with an old sign-in, and nothing changes', async () => {
    const user = await guarded('idle')
    const token = await staleToken(user, { mfa: true })
    const asked: [method: string, path: string, body?: unknown][] = [
      ['DELETE', '/api/users/me/totp/'],
      ['POST', '/api/users/me/recovery-codes/'],
      ['POST', '/api/auth/password/change/', { current_password: password, password: another }],
      ['PATCH', '/api/users/me/', { email: 'elsewhere@example.org' }],
      ['DELETE', '/api/users/me/'],
      ['POST', `${shop.api}/api-keys/`, { name: 'quiet' }],
    ]
    for (const [method, path, body] of asked) {
      const refused = await app.request(method, path, { token, ...(body ? { body } : {}) })
      expect([path, refused.status, refused.body]).toEqual([
        path,
        403,
        { detail: later, code: 'fresh_sign_in_required' },
      ])
    }
    expect(await app.sql('select from recovery_codes where user_id = $1', [user.id])).toHaveLength(10)
    // Without a second factor, making a key without scopes needs no recent sign-in.
    const plain = await app.user('plain', { password })
    const stale = await staleToken(plain, { mfa: false })
    expect(
      (await post('/api/auth/password/change/', { current_password: password, password: another }, stale))
        .status,
    ).toBe(200)
  })

  it('changing the password returns tokens that list the factors of the sign-in', async () => {
    const user = await guarded('changing')
    const { body } = await post(
      '/api/auth/password/change/',
      { current_password: password, password: another },
      user.token,
    )
    expect(decodeJwt(body.access)).toMatchObject({ amr: ['otp', 'mfa'] })
  })

  it('turning the app off ends the recovery codes and the other sign-ins; then the password alone is enough', async () => {
    const user = await guarded('leaving')
    const { challenge } = (await signIn('leaving')).body
    const other = (await answer(challenge, await unusedCode(app, user))).body
    const waiting = (await signIn('leaving')).body.challenge
    const off = await app.request('DELETE', '/api/users/me/totp/', { token: user.token })
    expect(off.status).toBe(204)
    expect([(await me(user.token)).status, (await me(other.access)).status]).toEqual([200, 401])
    expect(await answer(waiting, codeOf(user.secret))).toMatchObject(gone)
    expect((await app.request('GET', '/api/users/me/factors/', { token: user.token })).body).toEqual({
      totp: null,
      passkeys: 0,
      recovery_codes: 0,
      is_required: false,
    })
    expect((await app.request('DELETE', '/api/users/me/totp/', { token: user.token })).status).toBe(404)
    expect((await signIn('leaving')).status).toBe(200)
  })
})

describe('sessions and pages', () => {
  const page = (path: string, form: Record<string, string>, origin = 'http://localhost') =>
    app.request('POST', `/sites/acme/accounts/${path}/`, {
      headers: { 'content-type': 'application/x-www-form-urlencoded', origin },
      body: new URLSearchParams(form).toString(),
    })
  const cookieOf = (headers: Headers, name: string) =>
    headers
      .getSetCookie()
      .find((cookie) => cookie.startsWith(`${name}=`))
      ?.replace(/;.*/, '')

  it('POST /api/auth/session/factor/ sets the cookie only with the right code', async () => {
    const user = await guarded('kim')
    const { challenge } = (await post('/api/auth/session/', { username: 'kim', password })).body
    const refused = await post('/api/auth/session/factor/', { challenge, code: wrongCodeOf(user) })
    expect([refused.status, refused.headers.getSetCookie()]).toEqual([400, []])
    const done = await post('/api/auth/session/factor/', { challenge, code: await unusedCode(app, user) })
    expect([done.status, done.body.user.username]).toEqual([200, 'kim'])
    const cookie = cookieOf(done.headers, 'sessionid') as string
    const token = await app.request('POST', '/api/auth/session/token/', {
      headers: { cookie, origin: 'http://localhost' },
    })
    expect(decodeJwt(token.body.access)).toMatchObject({ amr: ['pwd', 'otp', 'mfa'] })
  })

  it('the page asks for the code, shows errors, and then redirects to the requested page', async () => {
    const user = await guarded('lu')
    const asked = await page('login', { username: 'lu', password, next: '/?arrived' })
    expect([asked.status, asked.headers.getSetCookie()]).toEqual([403, []])
    const challenge = /name="challenge" value="([\da-f-]+)"/.exec(asked.text)?.[1] as string
    expect(asked.text).toContain('One more step')
    const foreign = await page('factor', { challenge, code: codeOf(user.secret) }, 'https://evil.example')
    expect([foreign.status, foreign.headers.getSetCookie()]).toEqual([403, []])
    for (const code of [wrongCodeOf(user), '']) {
      const refused = await page('factor', { challenge, code, next: '/?arrived' })
      expect([refused.status, refused.text.includes('This code is wrong')]).toEqual([400, true])
      expect(refused.text).toContain('value="/?arrived"')
    }
    const next = '//evil.example'
    const done = await page('factor', { challenge, code: await unusedCode(app, user), next })
    expect([done.status, done.headers.get('location')]).toEqual([303, '/'])
    expect([cookieOf(done.headers, 'sessionid'), cookieOf(done.headers, 'deviceid')]).toEqual([
      expect.any(String),
      expect.any(String),
    ])
    const over = await page('factor', { challenge, code: codeOf(user.secret) })
    expect([over.status, over.text.includes('Go to the sign-in page')]).toEqual([400, true])
    expect((await page('factor', { challenge: 'x', code: '1' })).status).toBe(400)
  })
})

describe('tokens', () => {
  it('of a password alone have the amr "pwd"; tokens of earlier versions, without amr, still work', async () => {
    const user = await provenUser(app, 'old')
    expect(decodeJwt((await signIn('old')).body.access)).toMatchObject({ amr: ['pwd'] })
    const { access } = await issueTokens(configOf(app.env), await app.identity(user))
    expect([decodeJwt(access).amr, (await me(access)).status]).toEqual([undefined, 200])
  })
})

describe('credentials from before an event', () => {
  const events: [string, (user: Guarded, by: TestApp) => Promise<{ status: number }>][] = [
    [
      'a password reset',
      async ({ email }, by) => {
        await by.request('POST', '/api/auth/password/reset/', { body: { email } })
        const token = await linkTokenOf(by, email)
        return by.request('POST', '/api/auth/password/reset/confirm/', { body: { token, password: another } })
      },
    ],
    [
      'a change of the password',
      ({ token }, by) =>
        by.request('POST', '/api/auth/password/change/', {
          token,
          body: { current_password: password, password: another },
        }),
    ],
    [
      'a deactivation',
      async ({ username }, by) =>
        by.request('PATCH', `/api/users/${username}/`, {
          token: (await by.user(`root-of-${username}`, { superuser: true })).token,
          body: { is_active: false },
        }),
    ],
    ['a planned deletion', ({ token }, by) => by.request('DELETE', '/api/users/me/', { token })],
    [
      'a deletion',
      async ({ username }, by) =>
        by.request('DELETE', `/api/users/${username}/`, {
          token: (await by.user(`root-of-${username}`, { superuser: true })).token,
        }),
    ],
  ]
  const times = 8

  it.each(events)('all fail in 40 requests after %s', async (what, act) => {
    const by = app.with({ RATE_LIMIT_SCALE: '1000' })
    const user = await withTotp(by, await provenUser(by, `old-${what.replaceAll(' ', '-')}`))
    await grant(by, shop, user, ['access_site', 'change_site'])
    const key = await by.request('POST', `${shop.api}/api-keys/`, {
      token: user.token,
      body: { name: 'old' },
    })
    const signIn = { body: { username: user.username, password } }
    const challengeAt = async (path: string) => (await by.request('POST', path, signIn)).body.challenge
    const inFlight = await challengeAt('/api/auth/jwt/token/')
    const { body: tokens } = await by.request('POST', '/api/auth/factor/', {
      body: { challenge: await challengeAt('/api/auth/jwt/token/'), code: await unusedCode(by, user) },
    })
    const session = await by.request('POST', '/api/auth/session/factor/', {
      body: { challenge: await challengeAt('/api/auth/session/'), code: await unusedCode(by, user) },
    })
    const cookie = session.headers.get('set-cookie')?.split(';')[0] ?? ''
    const right = await unusedCode(by, user)
    const requests: Record<string, () => Promise<{ status: number }>> = {
      'access token': () => by.request('GET', '/api/users/me/', { token: tokens.access }),
      'session cookie': () => by.request('GET', `${shop.api}/tags/`, { headers: { cookie } }),
      'API key': () =>
        by.request('POST', shop.data('makers'), {
          headers: { authorization: `Api-Key ${key.body.key}` },
          body: { name: crypto.randomUUID() },
        }),
      'refresh token': () =>
        by.request('POST', '/api/auth/jwt/token/refresh/', { body: { refresh: tokens.refresh } }),
      challenge: () =>
        by.request('POST', '/api/auth/factor/', { body: { challenge: inFlight, code: right } }),
    }
    // They work until then. The refresh token and the challenge work only once, so they are not used before.
    for (const kind of ['access token', 'session cookie', 'API key'])
      expect([kind, (await requests[kind]?.())?.status]).toEqual([kind, kind === 'API key' ? 201 : 200])
    expect((await act(user, by)).status).toBeLessThan(300)
    for (const [kind, request] of Object.entries(requests))
      for (let time = 0; time < times; time++)
        expect([kind, (await request()).status]).toEqual([kind, kind === 'challenge' ? 400 : 401])
  })
})
