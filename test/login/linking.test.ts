/** Whose account a provider opens. S7; spec: social apps, same e-mail. */
import { beforeAll, describe, expect, it } from 'vitest'
import { issueSession, issueTokens } from '../../src/access/tokens.ts'
import { configOf } from '../../src/env.ts'
import { startApp, type TestApp, type User } from '../support/app.ts'
import { confirmationCode } from '../support/letters.ts'
import { codeFor, createSocialSite, type SocialSite, verified } from '../support/social-login.ts'

let app: TestApp
let site: SocialSite
let other: SocialSite

const untrusted = {
  status: 400,
  body: { detail: 'An account with this e-mail exists, and the provider does not say that the e-mail is verified.' },
}
const forbidden = { status: 403, body: { detail: 'You do not have permission to perform this action.' } }
const password = 'Correct-horse-1'
const siteId = (of: SocialSite) => Number(of.schema.slice('site_'.length))
const count = async (text: string, values: unknown[] = []) =>
  Number((await app.sql<{ count: string }>(`select count(*) from ${text}`, values))[0]?.count)
const links = (user: User) => count('social_accounts where user_id = $1', [user.id])
const join = (of: SocialSite, user: User, role: string) =>
  app.sql('insert into memberships (organization_id, user_id, role) select organization_id, $1, $2 from sites where slug = $3', [
    user.id,
    role,
    of.slug,
  ])

beforeAll(async () => {
  app = (await startApp()).with({ ALLOW_PRIVATE_HOSTS: 'true', EMAIL_TRANSPORT: 'mailbox', RATE_LIMIT_SCALE: '1000' })
  ;[site, other] = await Promise.all([createSocialSite(app, 'home', ['one', 'two']), createSocialSite(app, 'away', ['one'])])
})

describe('an account with the same e-mail', () => {
  it('gets the social account attached, and no second user is made', async () => {
    const user = await app.user('member')
    await join(site, user, 'member')
    const { status, body } = await site.signIn('one', verified('m-1', 'MEMBER@example.org'))
    expect([status, body.user.id]).toEqual([200, user.id])
    expect(await count(`users where lower(email) = 'member@example.org'`)).toBe(1)
    expect(await links(user)).toBe(1)
    // From then on by the provider's own name for them, and by a second provider of the site as well.
    expect((await site.signIn('one', verified('m-1', 'else@example.org'))).body.user.id).toBe(user.id)
    expect((await site.signIn('two', verified('m-2', 'member@example.org'))).body.user.id).toBe(user.id)
    expect(await links(user)).toBe(2)
  })

  it.each([
    ['false', false],
    ['absent', undefined],
    ['null', null],
    ['a text', 'true'],
    ['1', 1],
    ['an object', {}],
    ['a list', [true]],
  ])('400 and nothing is created when email_verified is %s', async (_what, email_verified) => {
    const user = await app.user(`unverified-${crypto.randomUUID()}`)
    const before = await count('users')
    expect(await site.signIn('one', { sub: crypto.randomUUID(), email: user.email, email_verified })).toMatchObject(untrusted)
    expect([await count('users'), await links(user)]).toEqual([before, 0])
  })

  it('with trust_email it is attached even then', async () => {
    const trusting = await createSocialSite(app, 'trusting', ['one'], { trust_email: true })
    const user = await app.user('trusted')
    expect((await trusting.signIn('one', { sub: 't', email: user.email })).body.user.id).toBe(user.id)
  })

  it('whose own e-mail was never verified loses its password, its sessions, its keys and its other social accounts', async () => {
    const user = await app.user('squatted', { password })
    const config = configOf(app.env)
    const { refresh } = await issueTokens(config, await app.identity(user))
    const session = await issueSession(config, await app.identity(user))
    await app.sql('insert into site_permissions (site_id, user_id, permissions) values ($1, $2, $3)', [siteId(site), user.id, ['access_site']])
    const key = await app.request('POST', `${site.api}/api-keys/`, { token: user.token, body: { name: 'mine' } })
    expect(key.status).toBe(201)
    await app.sql(`insert into social_accounts (site_id, social_app_id, issuer, subject, user_id) values ($1, 1, 'i', 'squatter', $2)`, [
      siteId(site),
      user.id,
    ])

    const { body } = await site.signIn('one', verified('s-1', user.email))
    expect(body.user.id).toBe(user.id)
    // The new token holds; nothing from before does.
    expect((await app.request('GET', '/api/users/me/', { token: body.access })).status).toBe(200)
    expect((await app.request('GET', '/api/users/me/', { token: user.token })).status).toBe(401)
    expect((await app.request('POST', '/api/auth/jwt/token/refresh/', { body: { refresh } })).status).toBe(401)
    expect((await app.request('POST', '/api/auth/jwt/token/', { body: { username: 'squatted', password } })).status).toBe(401)
    expect((await app.request('GET', `${site.api}/tags/`, { headers: { cookie: `sessionid=${session}` } })).status).toBe(401)
    expect(await count('api_keys where user_id = $1', [user.id])).toBe(0)
    expect(await app.sql('select subject from social_accounts where user_id = $1', [user.id])).toEqual([{ subject: 's-1' }])
  })

  it('whose person has set the password after a proof keeps it', async () => {
    const user = await app.user('kept', { password })
    await app.sql('update users set email_verified_at = now(), password_is_own = true where id = $1', [user.id])
    expect((await site.signIn('one', verified('k-1', user.email))).body.user.id).toBe(user.id)
    expect((await app.request('GET', '/api/users/me/', { token: user.token })).status).toBe(200)
    expect((await app.request('POST', '/api/auth/jwt/token/', { body: { username: 'kept', password } })).status).toBe(200)
  })
})

describe('403, and nothing is attached without a code', () => {
  const cases: [string, (user: User) => Promise<unknown>][] = [
    ['that of a member of another organization', (user) => join(other, user, 'member')],
    ['that of an owner of another organization', (user) => join(other, user, 'owner')],
    [
      'one that is in the organization of the site, and in another',
      async (user) => {
        await join(site, user, 'admin')
        await join(other, user, 'member')
      },
    ],
    [
      "one that may do something in another organization's site",
      (user) => app.sql('insert into site_permissions (site_id, user_id, permissions) values ($1, $2, $3)', [siteId(other), user.id, ['view_site']]),
    ],
  ]
  it.each(cases)('to %s account', async (_what, arrange) => {
    const user = await app.user(`tied-${crypto.randomUUID()}`, { password })
    await arrange(user)
    const before = await links(user)
    const { status, body } = await site.signIn('one', verified(`tied-${user.id}`, user.email))
    expect([status, body]).toEqual([403, { detail: expect.stringContaining('A code was sent'), confirmation: expect.any(String) }])
    expect(await links(user)).toBe(before)
    expect((await app.request('POST', '/api/auth/jwt/token/', { body: { username: user.username, password } })).status).toBe(200)
  })

  it("a superuser's account is never attached", async () => {
    const user = await app.user('attached-never', { superuser: true })
    expect(await site.signIn('one', verified('attached-never', user.email))).toMatchObject(forbidden)
    expect(await links(user)).toBe(0)
  })

  it('nor is a superuser signed in by a social account from before', async () => {
    const { body } = await site.signIn('one', verified('promoted'))
    await app.sql('update users set is_superuser = true where id = $1', [body.user.id])
    expect(await site.signIn('one', verified('promoted'))).toMatchObject(forbidden)
  })
})

describe('an account that providers of two organizations open', () => {
  /** First through the other organization's, then, with the code that was mailed, through the site's own. */
  async function shared(name: string): Promise<User> {
    const first = await other.signIn('one', verified(name))
    const { confirmation } = (await site.signIn('one', verified(name))).body
    const code = await confirmationCode(app, confirmation)
    const second = await app.request('POST', `${site.api}/auth/confirm/`, { body: { confirmation, code } })
    expect([first.status, second.status, second.body.user?.id]).toEqual([200, 200, first.body.user.id])
    return { ...second.body.user, token: second.body.access }
  }

  it('keeps the social account that came with a proof, and no other', async () => {
    const user = await shared('both')
    expect(await links(user)).toBe(1)
    expect((await site.signIn('one', verified('both'))).status).toBe(200)
    expect((await other.signIn('one', verified('both'))).status).toBe(403)
  })

  it('is opened by each in its own organization alone, whatever it joins', async () => {
    const user = await shared('hired')
    const { confirmation } = (await other.signIn('one', verified('hired'))).body
    const code = await confirmationCode(app, confirmation)
    expect((await app.request('POST', `${other.api}/auth/confirm/`, { body: { confirmation, code } })).status).toBe(200)
    expect(await links(user)).toBe(2)
    await join(site, user, 'owner')
    const theirs = (await other.signIn('one', verified('hired'))).body.access
    const own = (await site.signIn('one', verified('hired'))).body.access
    const enter = async (token: string) => (await app.request('GET', `${site.api}/apps/`, { token })).status
    expect([await enter(own), await enter(theirs)]).toEqual([200, 403])
  })
})

describe('401', () => {
  it('for an inactive account, known or of the same e-mail', async () => {
    const { body } = await site.signIn('one', verified('left'))
    const user = await app.user('never')
    await app.sql('update users set is_active = false where id = any ($1)', [[body.user.id, user.id]])
    const refused = { status: 401, body: { detail: 'No active account was found with these credentials.' } }
    expect(await site.signIn('one', verified('left'))).toMatchObject(refused)
    expect(await site.signIn('one', verified('never-1', user.email))).toMatchObject(refused)
    expect(await links(user)).toBe(0)
  })
})

describe('an identity is of one provider alone', () => {
  it('the same subject of another app, of another site, or of another issuer is somebody else', async () => {
    const first = await site.signIn('one', verified('same', 'same-1@example.org'))
    const second = await site.signIn('two', verified('same', 'same-2@example.org'))
    const third = await other.signIn('one', verified('same', 'same-3@example.org'))
    expect(new Set([first, second, third].map(({ body }) => body.user.id)).size).toBe(3)
    await app.sql(`update social_accounts set issuer = 'https://moved.example' where user_id = $1`, [first.body.user.id])
    expect((await site.signIn('one', verified('same', 'same-4@example.org'))).body.user.id).not.toBe(first.body.user.id)
  })
})

describe('an e-mail', () => {
  it.each([
    ['absent', undefined],
    ['empty', ''],
    ['none', 'nobody'],
    ['with a line break', 'a@example.org\r\nb@example.org'],
    ['of letters that become others in lower case', '\u212aelvin@example.org'],
    ['of letters that look alike', 'аdmin@example.org'],
    ['too long', `${'a'.repeat(300)}@example.org`],
  ])('400 where it is %s', async (_what, email) => {
    await app.sql(`insert into users (username, email) values ('kelvin', 'kelvin@example.org') on conflict do nothing`)
    const answer = await site.signIn('one', { sub: crypto.randomUUID(), email, email_verified: true })
    expect([answer.status, answer.body]).toEqual([400, { detail: 'The provider names no e-mail address that an account could have.' }])
  })

  it('that nobody has makes an account even unverified; whoever proves that it is theirs gets it', async () => {
    const squatter = await site.signIn('one', { sub: 'squatter', email: 'victim@example.org', email_verified: false })
    expect(squatter.status).toBe(200)
    const victim = await site.signIn('two', verified('victim', 'victim@example.org'))
    expect(victim.body.user.id).toBe(squatter.body.user.id)
    expect((await app.request('GET', '/api/users/me/', { token: squatter.body.access })).status).toBe(401)
    expect(await site.signIn('one', { sub: 'squatter', email: 'victim@example.org', email_verified: false })).toMatchObject(untrusted)
  })
})

describe('at the same time', () => {
  it('two first logins of one person make one user, whichever providers they come by', async () => {
    for (const email_verified of [true, false]) {
      for (let round = 0; round < 8; round++) {
        const subject = `twice-${email_verified}-${round}`
        const all = await Promise.all(Array.from({ length: 6 }, () => site.signIn('one', { ...verified(subject), email_verified })))
        expect(all.map(({ status }) => status)).toEqual(Array(6).fill(200))
        expect(new Set(all.map(({ body }) => body.user.id)).size).toBe(1)
        expect(await count(`users where email = $1`, [`${subject}@example.org`])).toBe(1)
      }
    }
    for (let round = 0; round < 8; round++) {
      const all = await Promise.all(['one', 'two', 'one', 'two'].map((handle) => site.signIn(handle, verified(`both-${round}`))))
      expect(all.map(({ status }) => status)).toEqual([200, 200, 200, 200])
      expect(new Set(all.map(({ body }) => body.user.id)).size).toBe(1)
    }
  })

  it('of logins and the deletion of their app, no social account is left without its app', async () => {
    const rounds = Array.from({ length: 10 }, (_, round) => `round-${round}`)
    const racing = await createSocialSite(app, 'racing', rounds)
    for (const [index, handle] of rounds.entries()) {
      const code = () => codeFor({ claims: verified(`racer-${handle}-${crypto.randomUUID()}`) })
      const logins = Array.from({ length: 6 }, () => racing.finish(handle, { code: code() }))
      const deletion = app.request('DELETE', `${racing.api}/auth/social-apps/${index + 1}/`, { token: racing.owner.token })
      const [deleted, ...signedIn] = await Promise.all([deletion, ...logins])
      const left = await count('social_accounts where site_id = $1 and social_app_id = $2', [siteId(racing), index + 1])
      expect([deleted.status, left]).toEqual(deleted.status === 200 ? [200, 0] : [400, expect.any(Number)])
      expect(signedIn.filter(({ status }) => status === 200)).toHaveLength(left)
      expect(signedIn.every(({ status }) => status === 200 || status === 404)).toBe(true)
    }
  })
})
