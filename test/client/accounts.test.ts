/**
 * Accounts in the client, by named methods: signing up, mailed links, second factors, passkeys.
 * docs/guide/client.md.
 */
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import {
  challengeOf,
  ForbiddenError,
  InvalidRequestError,
  memoryStore,
  NotFoundError,
  UnauthenticatedError,
} from '../../client/src/index.ts'
import { createPasskey, hasPasskeys, usePasskey } from '../../client/src/passkeys.ts'
import { type Held, makePasskey, signWith } from '../../dev/examples/authenticator.ts'
import { codeOf, secretBytes } from '../../dev/examples/totp.ts'
import { createSite, type Site, startApp, type TestApp } from '../support/app.ts'
import { password, provenUser } from '../support/factors.ts'
import { linkTokenOf } from '../support/letters.ts'
import { clientOf } from './support.ts'

let app: TestApp
let site: Site
const origin = 'http://localhost'
const another = 'Loud-harbour-8'

beforeAll(async () => {
  app = (await startApp()).with({ EMAIL_TRANSPORT: 'mailbox', PUBLIC_URL: origin, RATE_LIMIT_SCALE: '1000' })
  site = await createSite(app, 'quay')
})
afterEach(() => vi.unstubAllGlobals())

const visitor = () => clientOf(app, { site: site.slug, auth: { store: memoryStore() } })
/** Returns the client of a user with a verified address who has just signed in with a password. */
async function signedIn(name: string) {
  await provenUser(app, name)
  const db = visitor()
  await db.accounts.signIn(name, password)
  return db
}
/** Returns the error of a call. */
const failureOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => undefined,
    (error: unknown) => error,
  )

/**
 * Creates the global objects of a browser with passkeys, whose authenticator keeps the passkeys that it
 * makes.
 */
function openBrowser() {
  const held: Held[] = []
  const bytes = (text: string) => new Uint8Array(Buffer.from(text, 'base64url')).buffer
  const text = (value: Uint8Array) => Buffer.from(value).toString('base64url')
  const asBrowser = (credential: { id: string; rawId: string; response: object }, transports?: string[]) => ({
    id: credential.id,
    rawId: bytes(credential.rawId),
    response: {
      ...Object.fromEntries(
        Object.entries(credential.response)
          .filter(([, value]) => typeof value === 'string')
          .map(([name, value]) => [name, bytes(value)]),
      ),
      ...(transports ? { getTransports: () => transports } : {}),
    },
  })
  type Asked = { publicKey: { challenge: Uint8Array; rp: { id: string }; user: { id: Uint8Array } } }
  const credentials = {
    async create({ publicKey: { challenge, rp, user } }: Asked) {
      const options = { challenge: text(challenge), rp, user: { id: text(user.id) } }
      const made = await makePasskey(options, origin)
      held.push(made.held)
      return asBrowser(made.credential, ['internal'])
    },
    async get({ publicKey: { challenge } }: Asked) {
      const last = held.at(-1)
      return last ? asBrowser(await signWith(last, { challenge: text(challenge) }, origin)) : null
    },
  }
  vi.stubGlobal('navigator', { credentials })
  vi.stubGlobal('PublicKeyCredential', class {})
}

describe('signing up with the client', () => {
  it('fails if sign-ups are closed, and creates the account with the link and its password', async () => {
    const { accounts, me } = visitor()
    const person = { email: 'ines@example.org', first_name: 'Ines', password }
    await expect(accounts.signUp(person)).rejects.toBeInstanceOf(ForbiddenError)
    await clientOf(app, { auth: { token: site.owner.token } }).sites.update('quay', { sign_up: 'open' })
    await expect(accounts.signUp({ ...person, password: 'short' })).rejects.toBeInstanceOf(
      InvalidRequestError,
    )
    expect(await accounts.signUp(person)).toEqual({
      detail: 'An e-mail was sent to this address, if it can sign up here. Follow its link.',
    })
    const token = await linkTokenOf(app, person.email)
    await expect(accounts.confirmSignUp(token, another)).rejects.toBeInstanceOf(InvalidRequestError)
    const account = await accounts.confirmSignUp(token, password)
    expect([account.username, account.email, account.first_name]).toEqual([
      person.email,
      person.email,
      'Ines',
    ])
    await accounts.signIn(person.email, password)
    expect([(await me.get()).id, (await me.get()).email_verified]).toEqual([account.id, true])
  })

  it('creates the account with the link and a passkey', async () => {
    openBrowser()
    const { accounts, me } = visitor()
    const person = { email: 'jon@example.org' }
    const made = await createPasskey(await accounts.signUpPasskeyOptions(person))
    expect((await accounts.signUpWithPasskey(person, 'Phone', made)).detail).toContain('An e-mail was sent')
    const token = await linkTokenOf(app, person.email)
    const { user, recovery_codes } = await accounts.confirmPasskeySignUp(
      token,
      await usePasskey(await accounts.passkeyOptions()),
    )
    expect([user.email, recovery_codes.length]).toEqual([person.email, 10])
    await accounts.signInWithPasskey(await usePasskey(await accounts.passkeyOptions()))
    expect((await me.get()).id).toBe(user.id)
  })
})

describe('mailed links in the client', () => {
  it('reset a password, which ends the sign-ins', async () => {
    const db = await signedIn('kay')
    expect(await db.accounts.requestPasswordReset('kay@example.org')).toEqual({
      detail: 'If an account has this e-mail address, a link was sent to it.',
    })
    const token = await linkTokenOf(app, 'kay@example.org')
    await expect(db.accounts.resetPassword('x', another)).rejects.toBeInstanceOf(InvalidRequestError)
    expect((await db.accounts.resetPassword(token, another)).detail).toContain('The password was set.')
    await expect(db.me.get()).rejects.toBeInstanceOf(UnauthenticatedError)
    await db.accounts.signIn('kay', another)
    expect((await db.me.get()).username).toBe('kay')
  })

  it('verify an address, and a new one of a signed-in user', async () => {
    await app.user('lea', { password })
    const db = visitor()
    await db.accounts.requestEmailVerification('lea@example.org')
    const token = await linkTokenOf(app, 'lea@example.org')
    expect(await db.accounts.confirmEmail(token)).toEqual({
      email: 'lea@example.org',
      has_password: false,
    })
    await expect(db.accounts.confirmEmail(token)).rejects.toBeInstanceOf(InvalidRequestError)
    const mover = await signedIn('mia')
    expect((await mover.me.update({ email: 'mia@example.net' })).pending_email).toBe('mia@example.net')
    const moved = await linkTokenOf(app, 'mia@example.net')
    expect((await mover.accounts.confirmEmail(moved)).email).toBe('mia@example.net')
  })
})

describe('second factors in the client', () => {
  it('are turned on, needed to sign in, and turned off', async () => {
    const db = await signedIn('nils')
    await expect(db.factors.confirmTotp('123456')).rejects.toBeInstanceOf(InvalidRequestError)
    expect(await db.factors.get()).toEqual({ totp: null, passkeys: 0, recovery_codes: 0, is_required: false })
    const { secret, uri } = await db.factors.createTotp()
    expect(uri).toContain(secret)
    const { recovery_codes, tokens } = await db.factors.confirmTotp(codeOf(secretBytes(secret)))
    await db.accounts.keepTokens(tokens)
    expect(await db.factors.get()).toEqual({
      totp: { created: expect.any(String) },
      passkeys: 0,
      recovery_codes: 10,
      is_required: true,
    })
    const newCodes = (await db.factors.replaceRecoveryCodes()).recovery_codes
    expect([recovery_codes.length, newCodes.length, newCodes[0] === recovery_codes[0]]).toEqual([
      10,
      10,
      false,
    ])

    const other = visitor()
    const waiting = challengeOf(await failureOf(other.accounts.signIn('nils', password)))
    expect(waiting).toEqual({
      detail: expect.any(String),
      code: 'second_factor_required',
      challenge: expect.any(String),
      factors: ['totp', 'recovery_code'],
      expires_in: 300,
    })
    const { challenge } = waiting as { challenge: string }
    await expect(other.accounts.answerChallenge(challenge, '000000')).rejects.toBeInstanceOf(
      InvalidRequestError,
    )
    await other.accounts.answerChallenge(challenge, newCodes[0] as string)
    expect((await other.me.get()).username).toBe('nils')
    await other.factors.deleteTotp()
    await expect(other.factors.deleteTotp()).rejects.toBeInstanceOf(NotFoundError)
    expect((await other.factors.get()).is_required).toBe(false)
  })

  it('are not found in other errors', async () => {
    const { accounts } = visitor()
    expect(challengeOf(await failureOf(accounts.signIn('nobody', password)))).toBe(undefined)
    expect(challengeOf(new Error('x'))).toBe(undefined)
    expect(challengeOf(undefined)).toBe(undefined)
  })

  it('can be passkeys, which sign in alone or finish a sign-in', async () => {
    expect(hasPasskeys()).toBe(false)
    await expect(usePasskey(await visitor().accounts.passkeyOptions())).rejects.toThrow(
      'This platform has no passkeys.',
    )
    openBrowser()
    expect(hasPasskeys()).toBe(true)
    await expect(usePasskey(await visitor().accounts.passkeyOptions())).rejects.toThrow(
      'The browser returned no passkey.',
    )
    const db = await signedIn('olga')
    const credential = await createPasskey(await db.passkeys.options())
    const added = await db.passkeys.create('Phone', credential)
    expect(added.recovery_codes).toHaveLength(10)
    await db.accounts.keepTokens(added.tokens)
    const { data, total } = await db.passkeys.list()
    expect([total, data[0]]).toEqual([
      1,
      {
        id: expect.any(Number),
        name: 'Phone',
        host: 'localhost',
        organization: null,
        created: expect.any(String),
        last_used_at: null,
      },
    ])
    await expect(db.passkeys.create('Phone', credential)).rejects.toBeInstanceOf(InvalidRequestError)

    const alone = visitor()
    const signed = await usePasskey(await alone.accounts.passkeyOptions())
    await alone.accounts.signInWithPasskey(signed)
    expect((await alone.me.get()).username).toBe('olga')
    await expect(visitor().accounts.signInWithPasskey(signed)).rejects.toBeInstanceOf(InvalidRequestError)

    const second = visitor()
    const waiting = challengeOf(await failureOf(second.accounts.signIn('olga', password)))
    expect(waiting?.factors).toEqual(['passkey', 'recovery_code'])
    const options = await second.accounts.passkeyOptions(waiting?.challenge)
    await second.accounts.signInWithPasskey(await usePasskey(options))
    await second.passkeys.delete(data[0]?.id as number)
    await expect(second.passkeys.delete(data[0]?.id as number)).rejects.toBeInstanceOf(NotFoundError)
    expect((await second.passkeys.list()).total).toBe(0)
  })
})

describe('trusted devices', () => {
  it('are listed, and ended one by one or all together', async () => {
    const db = await signedIn('pia')
    const { id } = await db.me.get()
    const trust = (name: string) =>
      app.sql(`select trust_device($1, $2, 'Firefox on Linux', 'DE', 30)`, [id, `hash ${id} ${name}`])
    for (const name of ['one', 'two', 'three']) await trust(name)
    const { data, total } = await db.trustedDevices.list({ ordering: ['id'], pageSize: 2 })
    expect([total, data.length, data[0]]).toEqual([
      3,
      2,
      {
        id: expect.any(Number),
        device: 'Firefox on Linux',
        country: 'DE',
        created: expect.any(String),
        last_used_at: expect.any(String),
        expires_at: expect.any(String),
      },
    ])
    await db.trustedDevices.delete(data[0]?.id as number)
    await expect(db.trustedDevices.delete(data[0]?.id as number)).rejects.toBeInstanceOf(NotFoundError)
    expect((await db.trustedDevices.list()).total).toBe(2)
    await db.trustedDevices.deleteAll()
    expect(await db.trustedDevices.list()).toEqual({ data: [], total: 0 })
  })
})

describe('invitations', () => {
  it('are sent again', async () => {
    const db = clientOf(app, { auth: { token: site.owner.token } })
    const invitations = db.invitations('quay-org')
    await expect(invitations.resend(1)).rejects.toBeInstanceOf(InvalidRequestError)
    const { invitee } = await invitations.create('quin@example.org', {})
    await invitations.resend(invitee as number)
    const [row] = await app.sql<{ mail_version: number }>(
      'select mail_version from invitations where invitee = $1',
      [invitee],
    )
    expect(row?.mail_version).toBe(2)
  })
})
