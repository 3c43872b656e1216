/**
 * Passkeys: adding them, signing in with them, and the answers to a lying authenticator or page. WebAuthn,
 * S7.
 */
import { decodeJwt } from 'jose'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Held, type Lies, makePasskey, signWith } from '../../dev/examples/authenticator.ts'
import { startApp, type TestApp, type User } from '../support/app.ts'
import { password, provenUser, unusedCode, withTotp } from '../support/factors.ts'
import { createShop } from '../support/fixtures.ts'
import { linkTokenOf } from '../support/letters.ts'
import { createSocialSite, type SocialSite, verified } from '../support/social-login.ts'

let app: TestApp
let site: SocialSite

const origin = 'https://app.example.com'
const domain = 'https://shop.example'
type Body = Record<string, unknown>
const post = (path: string, body?: unknown, token?: string, at = origin) =>
  app.request('POST', `${at}${path}`, {
    ...(body === undefined ? {} : { body }),
    ...(token ? { token } : {}),
  })
const get = (path: string, token: string) => app.request('GET', `${origin}${path}`, { token })
const begin = (token: string, at = origin) => post('/api/users/me/passkeys/options/', undefined, token, at)
const add = (token: string, credential: unknown, at = origin) =>
  post('/api/users/me/passkeys/', { name: 'Phone', credential }, token, at)
const options = async (body: Body = {}, at = origin) =>
  (await post('/api/auth/passkeys/options/', body, undefined, at)).body
const send = (credential: unknown, at = origin) => post('/api/auth/passkeys/', { credential }, undefined, at)
const signInByPassword = (username: string) => post('/api/auth/jwt/token/', { username, password })

interface Holder extends User {
  held: Held
  recoveryCodes: string[]
}

/** Creates an account with a passkey. Its token is the one that came with the passkey. */
async function holder(name: string, at = origin): Promise<Holder> {
  return withPasskey(await provenUser(app, name), at)
}

async function withPasskey(user: User, at = origin): Promise<Holder> {
  const { held, credential } = await makePasskey((await begin(user.token, at)).body, at)
  const { status, body } = await add(user.token, credential, at)
  if (status !== 201) throw new Error(`no passkey: ${JSON.stringify(body)}`)
  return { ...user, token: body.tokens.access, recoveryCodes: body.recovery_codes, held }
}

const signIn = async ({ held }: Holder, lies: Lies = {}, at = origin) =>
  send(await signWith(held, await options({}, at), at, lies), at)
const rejected = { status: 401, body: { detail: 'The passkey was not accepted.', code: 'passkey_rejected' } }
const used = {
  status: 400,
  body: { credential: ['This challenge has expired or was already used. Request new options.'] },
}
const notNew = {
  status: 400,
  body: { credential: ['This is not a new passkey for this account and this host.'] },
}
const countOf = async (user: User) =>
  (await app.sql('select from passkeys where user_id = $1', [user.id])).length

beforeAll(async () => {
  app = (await startApp()).with({
    EMAIL_TRANSPORT: 'mailbox',
    PUBLIC_URL: origin,
    ALLOW_PRIVATE_HOSTS: 'true',
    RATE_LIMIT_PASSWORD: '500',
    RATE_LIMIT_ANONYMOUS: '5000',
  })
  await createShop(app, 'acme')
  site = await createSocialSite(app, 'social', ['one'])
  await app.sql(
    `insert into site_domains (domain, site_id, verified_at) select 'shop.example', id, now() from sites where slug = 'acme'`,
  )
})

describe('adding a passkey', () => {
  it('gets 400 for an account that somebody else may have made, 403 for a sign-in by a provider, and 400 at an unknown host', async () => {
    const unverified = await app.user('unverified', { password })
    expect((await begin(unverified.token)).body.detail).toContain('First prove that you own the account')
    const { body } = await site.signIn('one', verified('fed', 'fed@example.org'))
    expect((await begin(body.access)).status).toBe(403)
    expect(
      (await app.request('DELETE', `${origin}/api/users/me/passkeys/1/`, { token: body.access })).status,
    ).toBe(403)
    const user = await provenUser(app, 'elsewhere')
    for (const at of ['http://localhost', 'https://other.example', 'http://127.0.0.1'])
      expect([at, (await begin(user.token, at)).body]).toEqual([
        at,
        {
          detail:
            'Passkeys do not work at this host. Use the address of the service, or a verified domain of the site.',
          code: 'passkeys_unavailable',
        },
      ])
  })

  it('returns options with the host of PUBLIC_URL, and the UUID of the account', async () => {
    const user = await provenUser(app, 'optional')
    const [{ uuid } = { uuid: '' }] = await app.sql<{ uuid: string }>(
      'select uuid from users where id = $1',
      [user.id],
    )
    expect((await begin(user.token)).body).toEqual({
      rp: { id: 'app.example.com', name: 'app.example.com' },
      user: {
        id: Buffer.from(uuid.replaceAll('-', ''), 'hex').toString('base64url'),
        name: 'optional',
        displayName: 'optional',
      },
      challenge: expect.stringMatching(/^[\w-]{43}$/),
      pubKeyCredParams: [-7, -8, -257].map((alg) => ({ type: 'public-key', alg })),
      timeout: 300_000,
      excludeCredentials: [],
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      attestation: 'none',
    })
  })

  it.each<[string, Lies]>([
    ['another origin', { origin: 'https://app.example.com.evil.example' }],
    ['a subdomain', { origin: 'https://sub.app.example.com' }],
    ['http', { origin: 'http://app.example.com' }],
    ['another host', { rpId: 'evil.example' }],
    ['the answer of a sign-in', { type: 'webauthn.get' }],
    ['nobody there', { isPresent: false }],
    ['somebody whom it does not know', { isVerified: false }],
    ['another id than that of its key', { id: 'AAAA' }],
    ['an algorithm that was not asked for', { algorithm: -65_535 }],
    [
      'certificates, which nobody asked for and which would be fetched',
      { format: 'packed', statement: new Map<string, never>([['x5c', new Map() as never]]) },
    ],
    ['an unknown format', { format: 'android-safetynet' }],
  ])('gets 400 for an authenticator that says %s, and nothing is added', async (_what, lies) => {
    const user = await provenUser(app, `liar-${crypto.randomUUID().slice(0, 8)}`)
    const { credential } = await makePasskey((await begin(user.token)).body, origin, lies)
    expect(await add(user.token, credential)).toMatchObject(notNew)
    expect(await countOf(user)).toBe(0)
    expect((await get('/api/users/me/', user.token)).status).toBe(200)
  })

  it('gets 400 with a challenge of another account, of a sign-in, a made-up one, in a foreign frame, and when used twice', async () => {
    const [mine, theirs] = [await provenUser(app, 'challenger'), await provenUser(app, 'challenged')]
    const begun = (await begin(mine.token)).body
    const foreign = (await begin(theirs.token)).body
    for (const challenge of [foreign.challenge, (await options()).challenge, 'A'.repeat(43)]) {
      const { credential } = await makePasskey({ ...begun, challenge }, origin)
      expect(await add(mine.token, credential)).toMatchObject(used)
    }
    const framed = await makePasskey(begun, origin, { crossOrigin: true })
    expect(await add(mine.token, framed.credential)).toMatchObject(used)
    const wrong = await makePasskey(begun, origin, { rpId: 'evil.example' })
    expect(await add(mine.token, wrong.credential)).toMatchObject(notNew)
    // A challenge that was checked once is used up, even if the check failed.
    const right = await makePasskey(begun, origin)
    expect(await add(mine.token, right.credential)).toMatchObject(used)
    const late = (await begin(mine.token)).body
    await app.sql('update passkey_challenges set expires_at = now() where user_id = $1', [mine.id])
    expect(await add(mine.token, (await makePasskey(late, origin)).credential)).toMatchObject(used)
    expect(await countOf(mine)).toBe(0)
  })

  it('returns recovery codes and new tokens for the first factor and ends earlier sign-ins; a second passkey brings no codes', async () => {
    const user = await provenUser(app, 'ada')
    const first = await withPasskey(user)
    expect(first.recoveryCodes).toHaveLength(10)
    expect((await get('/api/users/me/', user.token)).status).toBe(401)
    expect(decodeJwt(first.token)).toMatchObject({ amr: ['pop', 'mfa'] })
    expect((await begin(first.token)).body.excludeCredentials).toEqual([
      { type: 'public-key', id: first.held.id, transports: ['internal'] },
    ])
    const second = await withPasskey(first)
    expect(second.recoveryCodes).toEqual([])
    const { status, body } = await get('/api/users/me/passkeys/', second.token)
    const passkey = {
      id: expect.any(Number),
      name: 'Phone',
      host: 'app.example.com',
      organization: null,
      created: expect.any(String),
      last_used_at: null,
    }
    expect([status, body]).toEqual([
      200,
      { count: 2, next: null, previous: null, results: [passkey, passkey] },
    ])
    const exported = await get('/api/users/me/export/', second.token)
    expect(exported.body).toMatchObject({
      second_factors: { totp: null, recovery_codes: 10 },
      passkeys: [
        { name: 'Phone', host: 'app.example.com' },
        { name: 'Phone', host: 'app.example.com' },
      ],
    })
    expect(exported.text).not.toContain(first.held.id)
    const entries = await app.sql(
      `select action, object, values from audit_entries where kind = 'passkey' and actor_id = $1`,
      [user.id],
    )
    expect(entries).toEqual(Array(2).fill({ action: 'create', object: 'ada', values: {} }))
  })

  it('gets 400 for a passkey that another account has', async () => {
    const owner = await holder('owner-of-it')
    const thief = await provenUser(app, 'thief')
    const made = await makePasskey((await begin(thief.token)).body, origin)
    await app.sql('update passkeys set credential_id = $2 where user_id = $1', [owner.id, made.held.id])
    expect(await add(thief.token, made.credential)).toMatchObject(notNew)
    expect([await countOf(owner), await countOf(thief)]).toEqual([1, 0])
  })
})

describe('signing in with a passkey', () => {
  it('needs no name and no password, and counts as two factors; the options name no account', async () => {
    const user = await holder('bo')
    expect(await options()).toEqual({
      challenge: expect.stringMatching(/^[\w-]{43}$/),
      rpId: 'app.example.com',
      timeout: 300_000,
      userVerification: 'required',
    })
    const { status, body } = await signIn(user)
    expect([status, decodeJwt(body.access)]).toMatchObject([
      200,
      { sub: String(user.id), amr: ['pop', 'mfa'] },
    ])
    expect(decodeJwt(body.access).org).toBeUndefined()
    expect((await get('/api/users/me/', body.access)).body.username).toBe('bo')
    const session = await post('/api/auth/session/passkey/', {
      credential: await signWith(user.held, await options(), origin),
    })
    expect([session.status, session.body.user.username]).toEqual([200, 'bo'])
    expect(session.headers.getSetCookie().join()).toContain('sessionid=')
  })

  it.each<[string, Lies]>([
    ['another origin', { origin: 'https://evil.example' }],
    ['the origin of a tenant', { origin: domain }],
    ['another host', { rpId: 'shop.example' }],
    ['the answer to the making of a passkey', { type: 'webauthn.create' }],
    ['nobody there', { isPresent: false }],
    ['somebody whom it does not know', { isVerified: false }],
    ['no account', { userHandle: null }],
    ['another account', { userHandle: 'AAAAAAAAAAAAAAAAAAAAAA' }],
    ['an id that nobody has', { id: 'AAAA' }],
    ['a counter of before', { counter: 1 }],
    ['a signature of something else', { tamper: ({ signature }) => void signature.fill(1, 20, 24) }],
    [
      'that the person was verified, after it has signed',
      { tamper: ({ authenticatorData }) => void authenticatorData.fill(0x0d, 32, 33) },
    ],
  ])('gets 401 for an authenticator that says %s', async (_what, lies) => {
    const user = await holder(`signer-${crypto.randomUUID().slice(0, 8)}`)
    expect([(await signIn(user)).status, (await signIn(user)).status]).toEqual([200, 200])
    expect(await signIn(user, lies)).toMatchObject(rejected)
  })

  it('gets 400 with a challenge that was used, of another kind, in a foreign frame, or unknown', async () => {
    const user = await holder('replayed')
    const once = await signWith(user.held, await options(), origin)
    expect((await send(once)).status).toBe(200)
    expect(await send(once)).toMatchObject(used)
    const forNew = (await begin(user.token)).body.challenge
    for (const challenge of [forNew, 'A'.repeat(43), ''])
      expect(await send(await signWith(user.held, { challenge }, origin))).toMatchObject(used)
    expect(await signIn(user, { crossOrigin: true })).toMatchObject(used)
    const atDomain = (await options({}, domain)).challenge
    expect(await send(await signWith(user.held, { challenge: atDomain }, origin))).toMatchObject(used)
    const late = await options()
    await app.sql('update passkey_challenges set expires_at = now() where user_id is null')
    expect(await send(await signWith(user.held, late, origin))).toMatchObject(used)
  })

  it('signs in one of ten simultaneous requests with the same answer', async () => {
    const user = await holder('racer')
    const answer = await signWith(user.held, await options(), origin)
    const answers = await Promise.all(Array.from({ length: 10 }, () => send(answer)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(400)])
  })

  it('gets 401 for a deactivated account, and 400 where passkeys do not work', async () => {
    const user = await holder('off')
    await app.sql('update users set is_active = false where id = $1', [user.id])
    expect(await signIn(user)).toMatchObject(rejected)
    for (const path of ['/api/auth/passkeys/options/', '/api/auth/passkeys/', '/api/auth/session/passkey/']) {
      const body = path.endsWith('options/')
        ? {}
        : { credential: await signWith(user.held, { challenge: 'A' }, origin) }
      expect([path, (await post(path, body, undefined, 'http://localhost')).status]).toEqual([path, 400])
    }
    const session = await post('/api/auth/session/passkey/', {
      credential: await signWith(user.held, await options(), origin),
    })
    expect([session.status, session.headers.getSetCookie()]).toEqual([401, []])
  })
})

describe('a passkey as second factor', () => {
  it('finishes a sign-in with the password, which is no longer enough alone', async () => {
    const user = await holder('cy')
    const { status, body } = await signInByPassword('cy')
    expect([status, body.factors]).toEqual([403, ['passkey', 'recovery_code']])
    const begun = await options({ challenge: body.challenge })
    const done = await send(await signWith(user.held, begun, origin, { userHandle: null }))
    expect(decodeJwt(done.body.access)).toMatchObject({ sub: String(user.id), amr: ['pwd', 'pop', 'mfa'] })
    expect((await post('/api/auth/passkeys/options/', { challenge: body.challenge })).status).toBe(400)
    const again = (await signInByPassword('cy')).body
    const code = { challenge: again.challenge, code: user.recoveryCodes[0] }
    expect((await post('/api/auth/factor/', code)).status).toBe(200)
  })

  it('does not finish the sign-in of another account, nor one that has ended', async () => {
    const [mine, victim] = [await holder('mine'), await holder('victim')]
    const { challenge } = (await signInByPassword('victim')).body
    const begun = await options({ challenge })
    expect(await send(await signWith(mine.held, begun, origin))).toMatchObject(rejected)
    const ended = await options({ challenge })
    await app.sql('update users set generation = generation + 1 where id = $1', [victim.id])
    expect(await send(await signWith(victim.held, ended, origin))).toMatchObject(rejected)
    expect((await post('/api/auth/passkeys/options/', { challenge: crypto.randomUUID() })).status).toBe(400)
  })

  it('works together with an authenticator app; a password reset removes neither', async () => {
    const first = await withTotp(app, await provenUser(app, 'dee'))
    const user = await withPasskey(first)
    expect((await signInByPassword('dee')).body.factors).toEqual(['totp', 'passkey', 'recovery_code'])
    await post('/api/auth/password/reset/', { email: user.email })
    const token = await linkTokenOf(app, user.email)
    await post('/api/auth/password/reset/confirm/', { token, password: 'Another-horse-2' })
    const next = await post('/api/auth/jwt/token/', { username: 'dee', password: 'Another-horse-2' })
    expect([next.status, next.body.factors]).toEqual([403, ['totp', 'passkey', 'recovery_code']])
    const code = await unusedCode(app, first)
    expect((await post('/api/auth/factor/', { challenge: next.body.challenge, code })).status).toBe(200)
    expect((await signIn(user)).status).toBe(200)
  })
})

describe('a passkey of a tenant’s domain', () => {
  it('signs in at that domain and in that organization only, and is no second factor elsewhere', async () => {
    const user = await holder('tenant', domain)
    expect(user.recoveryCodes).toEqual([])
    const done = await signIn(user, {}, domain)
    const [{ id } = { id: '' }] = await app.sql<{ id: string }>(
      `select organization_id as id from sites where slug = 'acme'`,
    )
    expect(decodeJwt(done.body.access)).toMatchObject({ org: Number(id), amr: ['pop', 'mfa'] })
    expect((await get('/api/users/me/', done.body.access)).status).toBe(200)
    expect((await begin(done.body.access, domain)).status).toBe(403)
    // The tenant sends the service an answer that was signed on the tenant's own page.
    expect(await send(await signWith(user.held, await options(), domain))).toMatchObject(rejected)
    expect(await send(await signWith(user.held, await options(), origin))).toMatchObject(rejected)
    expect((await signInByPassword('tenant')).status).toBe(200)
    expect(
      (await get('/api/users/me/passkeys/', (await signInByPassword('tenant')).body.access)).body.results,
    ).toEqual([expect.objectContaining({ host: 'shop.example', organization: 'acme-org' })])
    const [passkey] = await app.sql<{ id: string }>('select id from passkeys where user_id = $1', [user.id])
    expect(
      (await app.request('DELETE', `${origin}/api/users/me/passkeys/${passkey?.id}/`, { token: user.token }))
        .status,
    ).toBe(403)
    const { token } = await app.signedIn(user)
    expect(
      (await app.request('DELETE', `${origin}/api/users/me/passkeys/${passkey?.id}/`, { token })).status,
    ).toBe(204)
    expect((await get('/api/users/me/', done.body.access)).status).toBe(401)
  })

  it('neither signs in, nor keeps anybody signed in, after another organization has got the domain', async () => {
    const user = await holder('moved', domain)
    const done = await signIn(user, {}, domain)
    expect((await get('/api/users/me/', done.body.access)).status).toBe(200)
    const move = (slug: string) =>
      app.sql(
        `update site_domains set site_id = (select id from sites where slug = $1) where domain = 'shop.example'`,
        [slug],
      )
    await move('social')
    expect((await get('/api/users/me/', done.body.access)).status).toBe(401)
    expect(await signIn(user, {}, domain)).toMatchObject(rejected)
    await move('acme')
    expect((await signIn(user, {}, domain)).status).toBe(200)
  })

  it('does not finish a sign-in with the password, and does not sign in a superuser', async () => {
    const user = await holder('both', domain)
    const guarded = await withTotp(app, await app.signedIn(user))
    const waiting = (await signInByPassword('both')).body
    expect(waiting.factors).toEqual(['totp', 'recovery_code'])
    const elsewhere = { challenge: waiting.challenge }
    expect((await post('/api/auth/passkeys/options/', elsewhere, undefined, domain)).status).toBe(400)
    await app.sql('update users set is_superuser = true where id = $1', [guarded.id])
    expect(await signIn(user, {}, domain)).toMatchObject(rejected)
  })
})

describe('removing a passkey', () => {
  const remove = (token: string, id: number) =>
    app.request('DELETE', `${origin}/api/users/me/passkeys/${id}/`, { token })
  const idsOf = async (user: User) =>
    (await app.sql<{ id: string }>('select id from passkeys where user_id = $1 order by id', [user.id])).map(
      ({ id }) => Number(id),
    )

  it('returns 404 for a passkey of another account, and 400 for the last way to sign in', async () => {
    const [mine, theirs] = [await holder('remover'), await holder('kept')]
    const [id = 0] = await idsOf(theirs)
    expect((await remove(mine.token, id)).status).toBe(404)
    await app.sql('update users set password_hash = null where id = $1', [mine.id])
    const [own = 0] = await idsOf(mine)
    expect(await remove(mine.token, own)).toMatchObject({
      status: 400,
      body: {
        detail: expect.stringContaining('This is the only way to sign in to the account.'),
        code: 'last_way_in',
      },
    })
    expect([await countOf(mine), await countOf(theirs)]).toEqual([1, 1])
  })

  it('ends its use and the other sign-ins; removing the last factor removes the recovery codes', async () => {
    const user = await holder('leaver')
    const other = (await signIn(user)).body
    const [id = 0] = await idsOf(user)
    expect((await remove(user.token, id)).status).toBe(204)
    expect((await get('/api/users/me/', user.token)).status).toBe(200)
    expect((await get('/api/users/me/', other.access)).status).toBe(401)
    expect(await signIn(user)).toMatchObject(rejected)
    expect((await signInByPassword('leaver')).status).toBe(200)
    expect(await app.sql('select from recovery_codes where user_id = $1', [user.id])).toEqual([])
  })

  it('works on the page, which says why a removal is refused and what helps', async () => {
    const user = await holder('page-remover')
    const [id = 0] = await idsOf(user)
    const credential = await signWith(user.held, await options(), origin)
    const session = await post('/api/auth/session/passkey/', { credential })
    const cookie = session.headers.getSetCookie()[0]?.replace(/;.*/, '') ?? ''
    const submit = (fields: Record<string, string>, from = origin) =>
      app.request('POST', `${origin}/accounts/passkeys/remove/`, {
        body: new URLSearchParams(fields).toString(),
        headers: { cookie, origin: from, 'content-type': 'application/x-www-form-urlencoded' },
      })
    const answers: [fields: Record<string, string>, status: number, text: string][] = [
      [{ id: 'x' }, 400, 'role="alert"'],
      [{ id: '999999' }, 404, 'This page does not exist.'],
      [{ id: String(id) }, 400, 'This is the only way to sign in to the account. First set a password.'],
    ]
    expect((await submit({ id: String(id) }, 'https://evil.example')).status).toBe(403)
    await app.sql('update users set password_hash = null where id = $1', [user.id])
    for (const [fields, status, text] of answers) {
      const answer = await submit(fields)
      expect([fields, answer.status, answer.body.includes(text)]).toEqual([fields, status, true])
      expect(answer.body).toContain(`<input type="hidden" name="id" value="${id}"/>`)
    }
    await app.sql(`update users set password_hash = 'x' where id = $1`, [user.id])
    const done = await submit({ id: String(id) })
    expect([done.status, done.headers.get('location')]).toEqual([303, '/accounts/passkeys/?done=removed'])
    const shown = await app.request('GET', `${origin}/accounts/passkeys/?done=removed`, {
      headers: { cookie },
    })
    expect(shown.body).toContain('The passkey is removed. Your other sign-ins have ended.')
    expect(await countOf(user)).toBe(0)
  })

  it('lets a provider be unlinked as long as another passkey can sign in', async () => {
    const user = await holder('linked')
    await app.sql('update users set password_hash = null where id = $1', [user.id])
    const [link] = await app.sql<{ id: string }>(
      `insert into social_accounts (site_id, social_app_id, issuer, subject, user_id)
       select id, 1, 'i', 'linked', $1 from sites where slug = 'acme' returning id`,
      [user.id],
    )
    const path = `${origin}/api/users/me/providers/${link?.id}/`
    expect((await app.request('DELETE', path, { token: user.token })).status).toBe(204)
    const [id = 0] = await idsOf(user)
    expect((await remove(user.token, id)).status).toBe(400)
  })
})
