/** The accounts that a provider can sign in to. S7; spec: social apps, same e-mail. */
import { beforeAll, describe, expect, it } from 'vitest'
import { issueSession, issueTokens } from '../../src/kernel/access/tokens.ts'
import { configOf } from '../../src/kernel/env.ts'
import { startApp, type TestApp, type User } from '../support/app.ts'
import { confirmationCode } from '../support/letters.ts'
import { runs } from '../support/runs.ts'
import { codeFor, createSocialSite, type SocialSite, verified } from '../support/social-login.ts'

let app: TestApp
let site: SocialSite
let other: SocialSite

const untrusted = {
  status: 400,
  body: {
    detail:
      'An account with this e-mail already exists, and the provider does not say that the e-mail is verified.',
    code: 'email_not_verified',
  },
}
const forbidden = {
  status: 403,
  body: { detail: 'You do not have permission to perform this action.', code: 'permission_denied' },
}
const password = 'Correct-horse-1'
const siteId = (of: SocialSite) => Number(of.schema.slice('site_'.length))
const count = async (text: string, values: unknown[] = []) =>
  Number((await app.sql<{ count: string }>(`select count(*) from ${text}`, values))[0]?.count)
const links = (user: User) => count('social_accounts where user_id = $1', [user.id])
const join = (of: SocialSite, user: User, role: string) =>
  app.sql(
    `insert into memberships (organization_id, user_id, role)
     select organization_id, $1, $2 from sites where slug = $3`,
    [user.id, role, of.slug],
  )

beforeAll(async () => {
  app = (await startApp()).with({
    ALLOW_PRIVATE_HOSTS: 'true',
    EMAIL_TRANSPORT: 'mailbox',
    RATE_LIMIT_SCALE: '1000',
  })
  ;[site, other] = await Promise.all([
    createSocialSite(app, 'home', ['one', 'two']),
    createSocialSite(app, 'away', ['one']),
  ])
})

describe('an account with the same e-mail', () => {
  it('gets the social account attached, and no second user is created', async () => {
    const user = await app.user('member')
    await join(site, user, 'member')
    const { status, body } = await site.signIn('one', verified('m-1', 'MEMBER@example.org'))
    expect([status, body.user.id]).toEqual([200, user.id])
    expect(await count(`users where lower(email) = 'member@example.org'`)).toBe(1)
    expect(await links(user)).toBe(1)
    // From then on the subject identifies the account. A second provider of the site can sign in to it too.
    expect((await site.signIn('one', verified('m-1', 'else@example.org'))).body.user.id).toBe(user.id)
    expect((await site.signIn('two', verified('m-2', 'member@example.org'))).body.user.id).toBe(user.id)
    expect(await links(user)).toBe(2)
  })

  it.each([
    ['false', false],
    ['absent', undefined],
    ['null', null],
    ['the text "false"', 'false'],
    ['another text', 'yes'],
    ['1', 1],
    ['an object', {}],
    ['a list', [true]],
  ])('gets 400, and nothing is created, if email_verified is %s', async (_what, email_verified) => {
    const user = await app.user(`unverified-${crypto.randomUUID()}`)
    const before = await count('users')
    expect(
      await site.signIn('one', { sub: crypto.randomUUID(), email: user.email, email_verified }),
    ).toMatchObject(untrusted)
    expect([await count('users'), await links(user)]).toEqual([before, 0])
  })

  it('gets the social account attached if email_verified is the text "true"', async () => {
    const user = await app.user('written')
    const claims = { sub: 'w', email: user.email, email_verified: 'true' }
    expect((await site.signIn('one', claims)).body.user.id).toBe(user.id)
    expect(await links(user)).toBe(1)
  })

  it('gets the social account attached without a verified e-mail if the app has trust_email', async () => {
    const trusting = await createSocialSite(app, 'trusting', ['one'], { trust_email: true })
    const user = await app.user('trusted')
    expect((await trusting.signIn('one', { sub: 't', email: user.email })).body.user.id).toBe(user.id)
  })

  it('loses its password, sessions, keys and other social accounts if its own e-mail was never verified', async () => {
    const user = await app.user('squatted', { password })
    const config = configOf(app.env)
    const { refresh } = await issueTokens(config, await app.identity(user))
    const session = await issueSession(config, await app.identity(user))
    await app.sql('insert into site_permissions (site_id, user_id, permissions) values ($1, $2, $3)', [
      siteId(site),
      user.id,
      ['access_site'],
    ])
    const key = await app.request('POST', `${site.api}/api-keys/`, {
      token: user.token,
      body: { name: 'mine' },
    })
    expect(key.status).toBe(201)
    await app.sql(
      `insert into social_accounts (site_id, social_app_id, issuer, subject, user_id)
       values ($1, 1, 'i', 'squatter', $2)`,
      [siteId(site), user.id],
    )

    const { body } = await site.signIn('one', verified('s-1', user.email))
    expect(body.user.id).toBe(user.id)
    expect(body.ended).toEqual(['password', 'api_keys', 'sessions', 'providers'])
    expect(await app.sql('select kind, recipient from account_emails where user_id = $1', [user.id])).toEqual(
      [{ kind: 'credentials-ended', recipient: user.email }],
    )
    expect((await site.signIn('one', verified('s-1', user.email))).body).not.toHaveProperty('ended')
    // The new token is valid. No older credential is.
    expect((await app.request('GET', '/api/users/me/', { token: body.access })).status).toBe(200)
    expect((await app.request('GET', '/api/users/me/', { token: user.token })).status).toBe(401)
    expect((await app.request('POST', '/api/auth/jwt/token/refresh/', { body: { refresh } })).status).toBe(
      401,
    )
    expect(
      (await app.request('POST', '/api/auth/jwt/token/', { body: { username: 'squatted', password } }))
        .status,
    ).toBe(401)
    expect(
      (await app.request('GET', `${site.api}/tags/`, { headers: { cookie: `sessionid=${session}` } })).status,
    ).toBe(401)
    expect(await count('api_keys where user_id = $1', [user.id])).toBe(0)
    expect(await app.sql('select subject from social_accounts where user_id = $1', [user.id])).toEqual([
      { subject: 's-1' },
    ])
  })

  it('keeps a password that the person set after a proof of ownership', async () => {
    const user = await app.user('kept', { password })
    await app.sql('update users set email_verified_at = now(), password_is_own = true where id = $1', [
      user.id,
    ])
    const kept = (await site.signIn('one', verified('k-1', user.email))).body
    expect(kept.user.id).toBe(user.id)
    expect(kept).not.toHaveProperty('ended')
    expect(await count('account_emails where user_id = $1', [user.id])).toBe(0)
    expect((await app.request('GET', '/api/users/me/', { token: user.token })).status).toBe(200)
    expect(
      (await app.request('POST', '/api/auth/jwt/token/', { body: { username: 'kept', password } })).status,
    ).toBe(200)
  })
})

describe('an account that needs a code before a social account is attached', () => {
  const cases: [string, (user: User) => Promise<unknown>][] = [
    ['an account of a member of another organization', (user) => join(other, user, 'member')],
    ['an account of an owner of another organization', (user) => join(other, user, 'owner')],
    [
      'an account in the organization of the site and in another one',
      async (user) => {
        await join(site, user, 'admin')
        await join(other, user, 'member')
      },
    ],
    [
      "an account with a permission in another organization's site",
      (user) =>
        app.sql('insert into site_permissions (site_id, user_id, permissions) values ($1, $2, $3)', [
          siteId(other),
          user.id,
          ['view_site'],
        ]),
    ],
  ]
  it.each(cases)('gets 403, and nothing is attached: %s', async (_what, arrange) => {
    const user = await app.user(`tied-${crypto.randomUUID()}`, { password })
    await arrange(user)
    const before = await links(user)
    const { status, body } = await site.signIn('one', verified(`tied-${user.id}`, user.email))
    expect([status, body]).toEqual([
      403,
      {
        detail: expect.stringContaining('A code was sent'),
        confirmation: expect.any(String),
        code: 'confirmation_required',
      },
    ])
    expect(await links(user)).toBe(before)
    expect(
      (await app.request('POST', '/api/auth/jwt/token/', { body: { username: user.username, password } }))
        .status,
    ).toBe(200)
  })

  it('gets 403 for a superuser, and nothing is attached', async () => {
    const user = await app.user('attached-never', { superuser: true })
    expect(await site.signIn('one', verified('attached-never', user.email))).toMatchObject(forbidden)
    expect(await links(user)).toBe(0)
  })

  it('gets 403 for a superuser, also by an earlier social account', async () => {
    const { body } = await site.signIn('one', verified('promoted'))
    await app.sql('update users set is_superuser = true where id = $1', [body.user.id])
    expect(await site.signIn('one', verified('promoted'))).toMatchObject(forbidden)
  })
})

describe('an account with providers of two organizations', () => {
  /**
   * Signs in through the provider of the other organization, then through the site's own, with the mailed
   * code.
   */
  async function sharedAccount(name: string): Promise<User> {
    const first = await other.signIn('one', verified(name))
    const { confirmation } = (await site.signIn('one', verified(name))).body
    const code = await confirmationCode(app, confirmation)
    const second = await app.request('POST', `${site.api}/auth/confirm/`, { body: { confirmation, code } })
    expect([first.status, second.status, second.body.user?.id]).toEqual([200, 200, first.body.user.id])
    return { ...second.body.user, token: second.body.access }
  }

  it('keeps only the social account that came with a proof of ownership', async () => {
    const user = await sharedAccount('both')
    expect(await links(user)).toBe(1)
    expect((await site.signIn('one', verified('both'))).status).toBe(200)
    expect((await other.signIn('one', verified('both'))).status).toBe(403)
  })

  it('is opened by each provider only in the organization of that provider, also after it joins others', async () => {
    const user = await sharedAccount('hired')
    const { confirmation } = (await other.signIn('one', verified('hired'))).body
    const code = await confirmationCode(app, confirmation)
    expect(
      (await app.request('POST', `${other.api}/auth/confirm/`, { body: { confirmation, code } })).status,
    ).toBe(200)
    expect(await links(user)).toBe(2)
    await join(site, user, 'owner')
    const theirs = (await other.signIn('one', verified('hired'))).body.access
    const own = (await site.signIn('one', verified('hired'))).body.access
    const enter = async (token: string) => (await app.request('GET', `${site.api}/apps/`, { token })).status
    expect([await enter(own), await enter(theirs)]).toEqual([200, 403])
  })
})

describe('an inactive account', () => {
  it('gets 401, by its social account and by its e-mail', async () => {
    const { body } = await site.signIn('one', verified('left'))
    const user = await app.user('never')
    await app.sql('update users set is_active = false where id = any ($1)', [[body.user.id, user.id]])
    const refused = {
      status: 401,
      body: { detail: 'No active account was found with these credentials.', code: 'sign_in_failed' },
    }
    expect(await site.signIn('one', verified('left'))).toMatchObject(refused)
    expect(await site.signIn('one', verified('never-1', user.email))).toMatchObject(refused)
    expect(await links(user)).toBe(0)
  })
})

describe('the identity of a person', () => {
  it('is another one if the same subject comes from another app, site or issuer', async () => {
    const first = await site.signIn('one', verified('same', 'same-1@example.org'))
    const second = await site.signIn('two', verified('same', 'same-2@example.org'))
    const third = await other.signIn('one', verified('same', 'same-3@example.org'))
    expect(new Set([first, second, third].map(({ body }) => body.user.id)).size).toBe(3)
    await app.sql(`update social_accounts set issuer = 'https://moved.example' where user_id = $1`, [
      first.body.user.id,
    ])
    expect((await site.signIn('one', verified('same', 'same-4@example.org'))).body.user.id).not.toBe(
      first.body.user.id,
    )
  })
})

describe('the e-mail of a new account', () => {
  it.each([
    ['absent', undefined],
    ['empty', ''],
    ['not an e-mail', 'nobody'],
    ['one with a line break', 'a@example.org\r\nb@example.org'],
    ['one whose letters change in lower case', '\u212aelvin@example.org'],
    ['one with letters that look like ASCII', 'аdmin@example.org'],
    ['too long', `${'a'.repeat(300)}@example.org`],
  ])('returns 400 if it is %s', async (_what, email) => {
    await app.sql(
      `insert into users (username, email) values ('kelvin', 'kelvin@example.org') on conflict do nothing`,
    )
    const answer = await site.signIn('one', { sub: crypto.randomUUID(), email, email_verified: true })
    expect([answer.status, answer.body]).toEqual([
      400,
      {
        detail: 'The provider did not return an e-mail address that an account can have.',
        code: 'provider_failed',
      },
    ])
  })

  it('may be unverified; its real owner later gets the account by a proof of ownership', async () => {
    const squatter = await site.signIn('one', {
      sub: 'squatter',
      email: 'victim@example.org',
      email_verified: false,
    })
    expect(squatter.status).toBe(200)
    const victim = await site.signIn('two', verified('victim', 'victim@example.org'))
    expect(victim.body.user.id).toBe(squatter.body.user.id)
    expect((await app.request('GET', '/api/users/me/', { token: squatter.body.access })).status).toBe(401)
    expect(
      await site.signIn('one', { sub: 'squatter', email: 'victim@example.org', email_verified: false }),
    ).toMatchObject(untrusted)
  })
})

describe('simultaneous sign-ins', () => {
  it('create one user if they are the first ones of a person, by one provider or two', async () => {
    for (const email_verified of [true, false]) {
      for (let round = 0; round < runs(2, 20); round++) {
        const subject = `twice-${email_verified}-${round}`
        const all = await Promise.all(
          Array.from({ length: 6 }, () => site.signIn('one', { ...verified(subject), email_verified })),
        )
        expect(all.map(({ status }) => status)).toEqual(Array(6).fill(200))
        expect(new Set(all.map(({ body }) => body.user.id)).size).toBe(1)
        expect(await count(`users where email = $1`, [`${subject}@example.org`])).toBe(1)
      }
    }
    for (let round = 0; round < runs(2, 20); round++) {
      const all = await Promise.all(
        ['one', 'two', 'one', 'two'].map((handle) => site.signIn(handle, verified(`both-${round}`))),
      )
      expect(all.map(({ status }) => status)).toEqual([200, 200, 200, 200])
      expect(new Set(all.map(({ body }) => body.user.id)).size).toBe(1)
    }
  })

  it('leave no social account without its app if the app is deleted meanwhile', async () => {
    const rounds = Array.from({ length: runs(3, 20) }, (_, round) => `round-${round}`)
    const racing = await createSocialSite(app, 'racing', rounds)
    const ids = await app.sql<{ id: string }>(
      'select id from tenant._social_apps where site_id = $1 order by id',
      [siteId(racing)],
    )
    for (const [index, handle] of rounds.entries()) {
      const id = Number(ids[index]?.id)
      const code = () => codeFor({ claims: verified(`racer-${handle}-${crypto.randomUUID()}`) })
      const logins = Array.from({ length: 6 }, () => racing.finish(handle, { code: code() }))
      const deletion = app.request('DELETE', `${racing.api}/auth/social-apps/${id}/`, {
        token: racing.owner.token,
      })
      const [deleted, ...signedIn] = await Promise.all([deletion, ...logins])
      const left = await count('social_accounts where site_id = $1 and social_app_id = $2', [
        siteId(racing),
        id,
      ])
      expect([deleted.status, left]).toEqual(deleted.status === 200 ? [200, 0] : [400, expect.any(Number)])
      expect(signedIn.filter(({ status }) => status === 200)).toHaveLength(left)
      expect(signedIn.every(({ status }) => status === 200 || status === 404)).toBe(true)
    }
  })
})
