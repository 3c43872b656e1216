/**
 * Events that end all sign-ins of an account end them at once: no older credential is accepted afterwards,
 * nor one that was issued during the event. A5, S7.
 */
import { beforeAll, describe, expect, it } from 'vitest'
import { type Held, makePasskey, signWith } from '../../dev/examples/authenticator.ts'
import { challengeOf as challengeOfVerifier } from '../../src/identity/accounts/command-line/schema.ts'
import { issueSession, issueTokens } from '../../src/kernel/access/tokens.ts'
import { configOf } from '../../src/kernel/env.ts'
import { createSite, type Site, startApp, type TestApp } from '../support/app.ts'
import { type Guarded, password, provenUser, unusedCode, withTotp } from '../support/factors.ts'
import { grant } from '../support/fixtures.ts'
import { linkTokenOf } from '../support/letters.ts'
import { runs } from '../support/runs.ts'

let app: TestApp
let site: Site
let admin: string
let count = 0

const origin = 'http://localhost'
const another = 'Another-horse-2'
const verifier = 'v'.repeat(43)
const atOnce = 100

type Answer = Awaited<ReturnType<TestApp['request']>>

/** How many requests are sent while the sign-ins end, and how many afterwards. */
const requests = runs(26, 200)

const post = (path: string, body: unknown, { token, cookie }: { token?: string; cookie?: string } = {}) =>
  app.request('POST', path, {
    body,
    headers: { origin, ...(cookie ? { cookie } : {}) },
    ...(token ? { token } : {}),
  })
const cookieIn = (answer: Answer, name: string) =>
  answer.headers
    .getSetCookie()
    .find((each) => each.startsWith(`${name}=`))
    ?.split(';')[0] as string

beforeAll(async () => {
  app = await startApp({ EMAIL_TRANSPORT: 'mailbox', PUBLIC_URL: origin, RATE_LIMIT_SCALE: '100000' })
  site = await createSite(app, 'acme')
  admin = (await app.user('root', { superuser: true })).token
  await app.request('PATCH', '/api/cloud/sites/acme/', {
    token: site.owner.token,
    body: { sign_up: 'open' },
  })
  const asOwner = { token: site.owner.token }
  await post(`${site.api}/secret-types/`, { name: 'private', sensitivity_level: 'private' }, asOwner)
  const secret = { secret_type: 'private', key: 'PRINTER', value: { v: 1 } }
  expect((await post(`${site.api}/secrets/`, secret, asOwner)).status).toBe(201)
})

/**
 * The credentials that somebody may hold for an account. There are several of each kind, because each request
 * takes the next one.
 */
interface Credentials {
  access: string[]
  refresh: string[]
  sessions: string[]
  trusted: string[]
}

/** An account with all its credentials, and with the links and challenges that could become credentials. */
interface Person extends Guarded, Credentials {
  held: Held
  apiKey: string
  /**
   * The options of a passkey that is being added, and the credential that its authenticator made from them.
   */
  newPasskey: unknown
  /**
   * A link that resets the password, a link that changes the address of the account, and a link that finishes
   * a sign-up with a passkey at the present address.
   */
  resetLink: string
  addressLink: string
  signUpLink: string
}

/** Signs in with the password. Returns the challenge for the second factor. */
async function challengeOf({ username }: { username: string }): Promise<string> {
  return (await post('/api/auth/session/', { username, password })).body.challenge
}

/** Returns the code that signs in a command line, after the person has agreed in the browser. */
async function commandLineCode({ sessions }: Person): Promise<string> {
  const asked = {
    port: '43210',
    challenge: challengeOfVerifier(verifier),
    state: 's'.repeat(43),
    name: 'laptop',
  }
  const { headers } = await app.request('POST', '/accounts/cli/', {
    body: new URLSearchParams({ ...asked, answer: 'yes' }).toString(),
    headers: { cookie: sessions[0] as string, origin, 'content-type': 'application/x-www-form-urlencoded' },
  })
  return new URL(headers.get('location') ?? '', origin).searchParams.get('code') as string
}

async function makePerson(): Promise<Person> {
  const name = `person-${count++}`
  const email = `${name}@example.org`
  const signUp = `${site.api}/auth/sign-up/passkey`
  const begun = await makePasskey((await post(`${signUp}/options/`, { email })).body, origin)
  await post(`${signUp}/`, { email, name: 'Phone', credential: begun.credential })
  const signUpLink = await linkTokenOf(app, email)
  const proven = await provenUser(app, name)
  await grant(app, site, proven, ['access_site'])
  const options = await post('/api/users/me/passkeys/options/', undefined, { token: proven.token })
  const { held, credential } = await makePasskey(options.body, origin)
  const added = await post('/api/users/me/passkeys/', { name: 'Phone', credential }, { token: proven.token })
  const user = await withTotp(app, { ...proven, token: added.body.tokens.access })
  const made = await post(`${site.api}/api-keys/`, { name: 'till' }, { token: user.token })
  const config = configOf(app.env)
  const identity = await app.identity(user)
  const tokens = await Promise.all(Array.from({ length: 8 }, () => issueTokens(config, identity)))
  const sessions = await Promise.all(Array.from({ length: 8 }, () => issueSession(config, identity)))
  const challenge = await challengeOf(user)
  const code = await unusedCode(app, user)
  const trusted = await post('/api/auth/session/factor/', { challenge, code, trust_device: true })
  const next = await post('/api/users/me/passkeys/options/', undefined, { token: user.token })
  await post('/api/auth/password/reset/', { email })
  await app.request('PATCH', '/api/users/me/', { token: user.token, body: { email: `new-${email}` } })
  return {
    ...user,
    held,
    apiKey: made.body.key,
    access: tokens.map(({ access }) => access),
    refresh: tokens.map(({ refresh }) => refresh),
    sessions: sessions.map((value) => `sessionid=${value}`),
    trusted: [cookieIn(trusted, 'trusteddevice')],
    newPasskey: (await makePasskey(next.body, origin)).credential,
    resetLink: await linkTokenOf(app, email),
    addressLink: await linkTokenOf(app, `new-${email}`),
    signUpLink,
  }
}

type Kind = (index: number) => Promise<Answer>

/** Returns the requests that do not change the account. `secret` is its password. */
function readersOf(person: Person, held: Credentials, secret: string): Kind[] {
  const { username, apiKey } = person
  const one = (list: readonly string[], index: number) => list[index % list.length] as string
  return [
    (index) => app.request('GET', '/api/users/me/', { token: one(held.access, index) }),
    (index) => app.request('GET', `${site.api}/secrets/PRINTER/`, { token: one(held.access, index) }),
    (index) => post('/api/auth/jwt/token/refresh/', { refresh: one(held.refresh, index) }),
    (index) => post('/api/auth/jwt/token/verify/', { token: one(held.access, index) }),
    (index) => post('/api/auth/session/token/', undefined, { cookie: one(held.sessions, index) }),
    () =>
      app.request('POST', `${site.api}/mcp/`, {
        body: { jsonrpc: '2.0', id: 1, method: 'ping' },
        headers: { authorization: `Api-Key ${apiKey}` },
      }),
    (index) =>
      post('/api/auth/session/', { username, password: secret }, { cookie: one(held.trusted, index) }),
  ]
}

/**
 * Returns the requests that finish what was begun before: pending sign-ins, links, and passkeys that are
 * being added.
 */
async function goingOn(person: Person): Promise<Kind[]> {
  const { token, held, newPasskey, resetLink, addressLink, signUpLink } = person
  const waiting = await Promise.all([challengeOf(person), challengeOf(person), challengeOf(person)])
  const code = await unusedCode(app, person)
  const begin = async (challenge?: string) =>
    (await post('/api/auth/passkeys/options/', challenge === undefined ? {} : { challenge })).body
  const second = await signWith(held, await begin(waiting[2]), origin)
  const forSignUp = await signWith(held, await begin(), origin)
  const trust = { code, trust_device: true }
  const forCommandLine = await commandLineCode(person)
  return [
    () => post('/api/auth/factor/', { challenge: waiting[0], code }),
    () => post('/api/auth/session/factor/', { challenge: waiting[1], ...trust }),
    () => post('/api/auth/session/passkey/', { credential: second, trust_device: true }),
    () => post('/api/users/me/passkeys/', { name: 'Late', credential: newPasskey }, { token }),
    () => post('/api/auth/password/reset/confirm/', { token: resetLink, password: 'Late-otter-71' }),
    () => post('/api/auth/email/verify/confirm/', { token: addressLink }, { token }),
    () => post('/api/auth/cli/token/', { code: forCommandLine, verifier }),
    () => post(`${site.api}/auth/sign-up/passkey/confirm/`, { token: signUpLink, credential: forSignUp }),
  ]
}

/** Sends `total` requests, in groups that a busy isolate can serve. */
async function send(kinds: readonly Kind[], total: number): Promise<Answer[]> {
  const answers: Answer[] = []
  for (let sent = 0; sent < total; sent += atOnce) {
    const part = Array.from({ length: Math.min(atOnce, total - sent) }, (_, index) => sent + index)
    const kindOf = (index: number) => kinds[index % kinds.length] as Kind
    answers.push(...(await Promise.all(part.map((index) => kindOf(index)(Math.floor(index / kinds.length))))))
  }
  return answers
}

/** Returns the credentials in the successful answers. */
const gotten = (answers: readonly Answer[]): Credentials => {
  const passed = answers.filter(({ status }) => status === 200)
  const texts = (name: string) => passed.flatMap(({ body }) => (body?.[name] ? [body[name] as string] : []))
  const cookies = (name: string) => passed.flatMap((answer) => cookieIn(answer, name) ?? [])
  return {
    access: texts('access'),
    refresh: texts('refresh'),
    sessions: cookies('sessionid'),
    trusted: cookies('trusteddevice'),
  }
}

const both = (one: Credentials, other: Credentials): Credentials => ({
  access: [...other.access, ...one.access],
  refresh: [...other.refresh, ...one.refresh],
  sessions: [...other.sessions, ...one.sessions],
  trusted: [...other.trusted, ...one.trusted],
})

/** The events that end all sign-ins, the password afterwards, and whether the account can still sign in. */
const endings: [
  what: string,
  secret: string,
  canSignIn: boolean,
  end: (person: Person) => Promise<Answer>,
][] = [
  [
    'a reset of the password',
    another,
    true,
    ({ resetLink }) => post('/api/auth/password/reset/confirm/', { token: resetLink, password: another }),
  ],
  [
    'a change of the password',
    another,
    true,
    ({ token }) =>
      post('/api/auth/password/change/', { current_password: password, password: another }, { token }),
  ],
  [
    'a deactivation',
    password,
    false,
    ({ username }) =>
      app.request('PATCH', `/api/users/${username}/`, { token: admin, body: { is_active: false } }),
  ],
  ['a planned deletion', password, true, ({ token }) => app.request('DELETE', '/api/users/me/', { token })],
]

describe('old credentials are accepted before, and none of 200 requests is accepted', () => {
  it.each(endings)('after %s', async (_, secret, canSignIn, end) => {
    const person = await makePerson()
    const before = await send(readersOf(person, person, password), 7)
    expect(before.map(({ status }) => status)).toEqual(Array(7).fill(200))
    const begun = await goingOn(person)
    expect((await end(person)).status).toBe(200)
    const held = both(person, gotten(before))
    const answers = await send([...readersOf(person, held, secret), ...begun], requests)
    expect(answers).toHaveLength(requests)
    // 403 asks a browser that was trusted for the second factor again.
    expect([...new Set(answers.map(({ status }) => status))].sort()).toEqual([
      400,
      401,
      ...(canSignIn ? [403] : []),
    ])
    expect(answers.filter(({ body }) => body?.access ?? body?.user ?? body?.tokens)).toEqual([])
    expect(await app.sql('select from trusted_devices where user_id = $1', [person.id])).toEqual([])
    expect(await app.sql('select from api_keys where user_id = $1', [person.id])).toEqual([])
    expect(await app.sql('select from passkeys where user_id = $1', [person.id])).toHaveLength(1)
  })

  it.each(endings)('with credentials that 200 requests got during %s', async (_, secret, _canSignIn, end) => {
    const person = await makePerson()
    // Only the first three: the others would end the sign-ins themselves.
    const begun = await goingOn(person)
    const kinds = [...readersOf(person, person, password), ...begun.slice(0, 3)]
    const half = requests / 2
    const [early, ended, late] = await Promise.all([send(kinds, half), end(person), send(kinds, half)])
    expect(ended.status).toBe(200)
    expect([...early, ...late].filter(({ status }) => status >= 429)).toEqual([])
    const held = both(person, gotten([...early, ...late]))
    const answers = await send([...readersOf(person, held, secret), ...begun], requests)
    expect(answers.filter(({ status }) => status < 400 || status > 403)).toEqual([])
    expect(await app.sql('select from trusted_devices where user_id = $1', [person.id])).toEqual([])
  })
})
