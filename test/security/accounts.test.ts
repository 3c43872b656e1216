/** Ways to take over an account that were possible in earlier versions. S7, I6, T7, A4. */
import { beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp, type User } from '../support/app.ts'
import { grant } from '../support/fixtures.ts'
import { confirmationCode, invitationCode } from '../support/letters.ts'
import { createSocialSite, type SocialSite, verified } from '../support/social-login.ts'

let app: TestApp
/** The organization of the attacker, whose provider returns any claims; and that of the victim. */
let mallory: SocialSite
let victim: SocialSite

const forbidden = {
  status: 403,
  body: { detail: 'You do not have permission to perform this action.', code: 'permission_denied' },
}
/** The answer to an acceptance that does not prove that the account belongs to the caller. */
const notProved = {
  status: 403,
  body: {
    detail:
      'The address has an account. Send the code of the newest e-mail of this invitation, or a token of ' +
      'the account.',
    code: 'ownership_not_proved',
  },
}
const password = 'Correct-horse-1'
const person = { password: 'Another-horse-2', first_name: 'Ada', last_name: 'Byron' }

const organizationOf = (site: SocialSite) => `${site.slug}-org`
const invite = (site: SocialSite, email: string, permissions: string[] = ['admin_site']) =>
  app.request('POST', `/api/cloud/organizations/${organizationOf(site)}/invitations/`, {
    token: site.owner.token,
    body: { invitee_identifier: email, invitation_config: { site: [{ slug: site.slug, permissions }] } },
  })
const accept = (uuid: string, body: unknown, token?: string, of = app) =>
  of.request('POST', `/api/cloud/invitations/${uuid}/accept/`, { body, ...(token ? { token } : {}) })
const signIn = (username: string, secret = password) =>
  app.request('POST', '/api/auth/jwt/token/', { body: { username, password: secret } })
const me = (token: string) => app.request('GET', '/api/users/me/', { token })
const appsOf = (site: SocialSite, token: string) => app.request('GET', `${site.api}/apps/`, { token })
const confirm = (site: SocialSite, body: unknown) =>
  app.request('POST', `${site.api}/auth/confirm/`, { body })
const joined = (site: SocialSite, user: Pick<User, 'id'>, role = 'member') =>
  app.sql(
    'insert into memberships (organization_id, user_id, role) select organization_id, $1, $2 from sites where slug = $3',
    [user.id, role, site.slug],
  )

beforeAll(async () => {
  app = (await startApp()).with({
    ALLOW_PRIVATE_HOSTS: 'true',
    EMAIL_TRANSPORT: 'mailbox',
    PUBLIC_URL: 'https://app.example.com',
  })
  ;[mallory, victim] = await Promise.all([
    createSocialSite(app, 'mallory', ['one']),
    createSocialSite(app, 'victim', ['one']),
  ])
})

describe('an account that the provider of the attacker has made with the e-mail of the victim', () => {
  const early = (email: string) => mallory.signIn('one', verified(`early-${email}`, email))

  it('gets 403 for accepting an invitation with the uuid alone', async () => {
    expect((await early('newhire@example.org')).status).toBe(200)
    const { uuid } = (await invite(victim, 'newhire@example.org')).body
    expect(await accept(uuid, person)).toMatchObject(notProved)
  })

  it('gets 403 for accepting an invitation with a token from that provider', async () => {
    const { body } = await early('newhire-2@example.org')
    const { uuid } = (await invite(victim, 'newhire-2@example.org')).body
    expect(await accept(uuid, person, body.access)).toMatchObject(notProved)
  })

  it('gives the attacker no access after the victim has accepted with the mailed code', async () => {
    const planted = await early('newhire-3@example.org')
    const invitation = (await invite(victim, 'newhire-3@example.org')).body
    const code = await invitationCode(app, invitation)
    expect((await accept(invitation.uuid, { ...person, code })).status).toBe(200)
    // The sessions from that provider have ended, and the provider can no longer sign in to the account.
    expect((await me(planted.body.access)).status).toBe(401)
    const again = await early('newhire-3@example.org')
    expect([again.status, again.body.confirmation]).toEqual([403, expect.any(String)])
    expect((await signIn('newhire-3@example.org', person.password)).status).toBe(200)
  })

  it('in the mode of the specification is valid in the organization of the attacker only', async () => {
    await early('newhire-4@example.org')
    const literal = app.with({ INVITATION_EXISTING_ACCOUNTS: 'specification' })
    const { uuid } = (await invite(victim, 'newhire-4@example.org')).body
    expect((await accept(uuid, person, undefined, literal)).status).toBe(200)
    expect((await early('newhire-4@example.org')).status).toBe(403)
  })
})

describe('a sign-in by a provider', () => {
  let known: User
  let token: string
  beforeAll(async () => {
    known = await app.user('both-places')
    await joined(mallory, known)
    token = (await mallory.signIn('one', verified('both-places', known.email))).body.access
    await joined(victim, known, 'owner')
  })

  it('can enter its own organization', async () => {
    await grant(app, mallory, known, ['access_site'])
    expect((await appsOf(mallory, token)).status).toBe(200)
  })

  it.each<[string, () => Promise<{ status: number }>]>([
    ['a site of another organization', () => appsOf(victim, token)],
    ['the management of that site', () => app.request('GET', '/api/cloud/sites/victim/', { token })],
    ['another organization', () => app.request('GET', '/api/cloud/organizations/victim-org/', { token })],
    ['its members', () => app.request('GET', '/api/cloud/organizations/victim-org/members/', { token })],
    [
      'its invitations',
      () => app.request('GET', '/api/cloud/organizations/victim-org/invitations/', { token }),
    ],
    ['private secrets there', () => app.request('GET', `${victim.api}/secrets/`, { token })],
    [
      'leaving its own organization, for an account of both',
      () => app.request('DELETE', `/api/cloud/organizations/mallory-org/members/${known.id}/`, { token }),
    ],
    [
      'API keys, for an account of both',
      () => app.request('POST', `${mallory.api}/api-keys/`, { token, body: { name: 'mine' } }),
    ],
    [
      'a new organization',
      () => app.request('POST', '/api/cloud/organizations/', { token, body: { name: 'Mine' } }),
    ],
  ])('gets 403 for %s', async (_what, ask) => {
    expect(await ask()).toMatchObject(forbidden)
  })

  it('sees nothing of other organizations in lists', async () => {
    const { body } = await app.request('GET', '/api/cloud/organizations/', { token })
    expect(body.results.map(({ slug }: { slug: string }) => slug)).toEqual(['mallory-org'])
  })

  it('stays limited to its organization after a refresh, and as a session', async () => {
    const first = await mallory.signIn('one', verified('both-places', known.email))
    const next = await app.request('POST', '/api/auth/jwt/token/refresh/', {
      body: { refresh: first.body.refresh },
    })
    expect([next.status, (await appsOf(victim, next.body.access)).status]).toEqual([200, 403])
  })

  it('ends when no provider of the organization is linked to the account any more', async () => {
    await app.sql('delete from social_accounts where user_id = $1', [known.id])
    expect((await me(token)).status).toBe(401)
  })
})

describe('a password that somebody else has set', () => {
  it('is removed by the victim’s own proof of ownership', async () => {
    // The attacker creates the account with a password. The provider of the attacker says that its e-mail is
    // verified.
    const made = await app.request('POST', `${mallory.api}/users/`, {
      token: mallory.owner.token,
      body: { username: 'planted', email: 'planted@example.org', password },
    })
    expect(made.status).toBe(201)
    await mallory.signIn('one', verified('planted', 'planted@example.org'))
    // The provider of the victim is attached only with the code that the victim gets.
    const refused = await victim.signIn('one', verified('planted', 'planted@example.org'))
    expect([refused.status, refused.body]).toEqual([
      403,
      {
        detail: expect.stringContaining('A code was sent'),
        confirmation: expect.stringMatching(/^[0-9a-f-]{36}$/),
        code: 'confirmation_required',
      },
    ])
    const { confirmation } = refused.body
    const code = await confirmationCode(app, confirmation)
    expect(code).toMatch(/^\d{8}$/)
    expect(await confirm(victim, { confirmation, code: '00000000' })).toMatchObject({
      status: 400,
      body: { code: [expect.any(String)] },
    })
    const confirmed = await confirm(victim, { confirmation, code })
    expect([confirmed.status, confirmed.body.user.username]).toEqual([200, 'planted'])
    expect((await signIn('planted')).status).toBe(401)
    const again = await mallory.signIn('one', verified('planted', 'planted@example.org'))
    expect([again.status, again.body.confirmation]).toEqual([403, expect.any(String)])
    // A confirmation can be used once.
    expect(await confirm(victim, { confirmation, code })).toMatchObject({
      status: 400,
      body: { detail: expect.any(String), code: 'confirmation_expired' },
    })
    expect((await victim.signIn('one', verified('planted', 'planted@example.org'))).status).toBe(200)
  })

  it('stays if the person set it after a proof of ownership', async () => {
    const invitation = (await invite(victim, 'proven@example.org')).body
    const code = await invitationCode(app, invitation)
    expect((await accept(invitation.uuid, { ...person, code })).status).toBe(200)
    expect((await victim.signIn('one', verified('proven', 'proven@example.org'))).status).toBe(200)
    expect((await signIn('proven@example.org', person.password)).status).toBe(200)
  })
})

describe('the confirmation of an account with a mailed code', () => {
  const wanted = async (name: string) => {
    const user = await app.user(name)
    await joined(mallory, user)
    return (await victim.signIn('one', verified(name, user.email))).body.confirmation as string
  }

  it('ends after five wrong codes', async () => {
    const confirmation = await wanted('guessed')
    const code = await confirmationCode(app, confirmation)
    for (let tries = 0; tries < 5; tries++) {
      expect(await confirm(victim, { confirmation, code: '11111111' })).toMatchObject({
        status: 400,
        body: { code: [expect.any(String)] },
      })
    }
    expect(await confirm(victim, { confirmation, code })).toMatchObject({
      status: 400,
      body: { detail: expect.any(String), code: 'confirmation_expired' },
    })
  })

  it('ends with all others of its account after 25 wrong codes, however many sign-ins were started for them', async () => {
    const user = await app.user('besieged')
    await joined(mallory, user)
    const begin = async () =>
      (await victim.signIn('one', verified('besieged', user.email))).body.confirmation as string
    const open = await Promise.all(Array.from({ length: 6 }, begin))
    const answers = await Promise.all(
      open.flatMap((confirmation) =>
        Array.from({ length: 5 }, (_, code) => confirm(victim, { confirmation, code: `0000000${code}` })),
      ),
    )
    const wrong = answers.filter(({ body }) => Array.isArray(body.code))
    expect([wrong.length, answers.length]).toEqual([25, 30])
    const confirmation = await begin()
    const code = await confirmationCode(app, confirmation)
    expect(await confirm(victim, { confirmation, code })).toMatchObject({
      status: 400,
      body: { detail: expect.any(String), code: 'confirmation_expired' },
    })
    await app.sql(`delete from confirmations where user_id = $1 and attempts > 0`, [user.id])
    expect((await confirm(victim, { confirmation, code })).status).toBe(200)
  })

  it('ends after ten minutes, and is valid at one site only', async () => {
    const confirmation = await wanted('slow')
    const code = await confirmationCode(app, confirmation)
    expect((await confirm(mallory, { confirmation, code })).status).toBe(400)
    await app.sql(`update confirmations set expires_at = now() where id = $1`, [confirmation])
    expect((await confirm(victim, { confirmation, code })).status).toBe(400)
  })

  it('asks for its code on a page too', async () => {
    const user = await app.user('on-the-page')
    await joined(mallory, user)
    const refused = await victim.signIn('one', verified('on-the-page', user.email))
    const { confirmation } = refused.body
    const code = await confirmationCode(app, confirmation)
    const post = (
      fields: Record<string, string>,
      headers: Record<string, string> = { origin: 'http://localhost' },
    ) =>
      app.request('POST', '/sites/victim/accounts/confirm/', {
        headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
        body: new URLSearchParams(fields).toString(),
      })
    expect((await post({ confirmation, code }, { origin: 'https://evil.example' })).status).toBe(403)
    const wrong = await post({ confirmation, code: '2' })
    expect([wrong.status, wrong.body]).toEqual([
      400,
      expect.stringContaining('This is not the code that was sent'),
    ])
    const right = await post({ confirmation, code })
    expect([
      right.status,
      right.headers.getSetCookie().some((cookie) => cookie.startsWith('sessionid=')),
    ]).toEqual([303, true])
  })
})

describe('an admin', () => {
  const made = async (name: string): Promise<User> => {
    const user = await app.user(name, { password })
    await joined(mallory, user)
    return user
  }
  const change = (user: User, body: unknown) =>
    app.request('PATCH', `/api/users/${user.username}/`, { token: mallory.owner.token, body })

  it.each<[string, (user: User) => Promise<unknown>]>([
    ['is a member of another organization', (user) => joined(victim, user)],
    [
      'holds permissions in a site of another organization',
      (user) => grant(app, victim, user, ['access_site']),
    ],
    [
      'signs in through a provider of another organization',
      (user) =>
        app.sql(
          `insert into social_accounts (site_id, social_app_id, issuer, subject, user_id) select id, 1, 'i', $1, $2 from sites where slug = 'victim'`,
          [user.username, user.id],
        ),
    ],
    ['is invited to another organization', (user) => invite(victim, user.email)],
  ])('cannot take over an account that %s, but can end its membership', async (what, tie) => {
    const user = await made(`tied-${what.slice(0, 12).replaceAll(' ', '-')}`)
    expect((await change(user, { first_name: 'Before' })).status).toBe(200)
    await tie(user)
    for (const body of [
      { password: 'Mallory-was-here-1' },
      { email: 'mallory@example.org' },
      { first_name: 'M' },
    ]) {
      expect(await change(user, body)).toMatchObject(forbidden)
    }
    expect((await signIn(user.username)).status).toBe(200)
    const remove = await app.request('DELETE', `/api/cloud/organizations/mallory-org/members/${user.id}/`, {
      token: mallory.owner.token,
    })
    expect(remove.status).toBe(204)
  })

  it('cannot keep a permission for a user who declines it', async () => {
    const user = await app.user('decliner')
    await grant(app, mallory, user, ['access_site'])
    const decline = () => app.request('DELETE', '/api/users/me/permissions/mallory/', { token: user.token })
    expect((await decline()).status).toBe(204)
    expect((await decline()).status).toBe(404)
    expect((await appsOf(mallory, user.token)).status).toBe(403)
  })
})

describe('an account whose e-mail a manager changes', () => {
  /**
   * Creates a member of the attacker's organization with an address of the attacker, who has verified it and
   * set the password.
   */
  async function puppet(email: string): Promise<{ username: string; token: string }> {
    const invitation = (await invite(mallory, email, ['access_site'])).body
    expect(
      (await accept(invitation.uuid, { ...person, code: await invitationCode(app, invitation) })).status,
    ).toBe(200)
    const { access } = (await signIn(email, person.password)).body
    return { username: encodeURIComponent((await me(access)).body.username), token: access }
  }
  const rename = (username: string, email: string) =>
    app.request('PATCH', `/api/users/${username}/`, { token: mallory.owner.token, body: { email } })

  it('keeps no access for the person who verified the old address', async () => {
    const { username, token } = await puppet('puppet@example.org')
    const key = (await app.request('POST', `${mallory.api}/api-keys/`, { token, body: { name: 'mine' } }))
      .body.key
    expect((await rename(username, 'renamed@example.org')).status).toBe(200)
    const { confirmation } = (await victim.signIn('one', verified('renamed', 'renamed@example.org'))).body
    const confirmed = await confirm(victim, { confirmation, code: await confirmationCode(app, confirmation) })
    expect(confirmed.status).toBe(200)
    expect((await signIn('renamed@example.org', person.password)).status).toBe(401)
    expect((await me(token)).status).toBe(401)
    const withKey = await app.request('GET', `${mallory.api}/cloud/events/`, {
      headers: { authorization: `Api-Key ${key}` },
    })
    expect(withKey.status).toBe(401)
    expect((await me(confirmed.body.access)).status).toBe(200)
  })

  it('is not confirmed by a code that was sent to the old address', async () => {
    const { username } = await puppet('puppet-2@example.org')
    const { confirmation } = (await victim.signIn('one', verified('puppet-2', 'puppet-2@example.org'))).body
    const code = await confirmationCode(app, confirmation)
    expect((await rename(username, 'renamed-2@example.org')).status).toBe(200)
    expect(await confirm(victim, { confirmation, code })).toMatchObject({
      status: 400,
      body: { detail: expect.any(String), code: 'confirmation_expired' },
    })
    const [account] = await app.sql(
      `select email_verified_at, password_is_own from users where email = 'renamed-2@example.org'`,
    )
    expect(account).toEqual({ email_verified_at: null, password_is_own: false })
  })
})

describe('an account that was made for an invitation, with permissions in a site of the organization', () => {
  it('gets 403 for accepting an invitation of another organization with the uuid alone, and 200 with the code', async () => {
    const { invitee } = (await invite(victim, 'expected@example.org', [])).body
    const granted = await app.request('PUT', `/api/cloud/sites/victim/permissions/${invitee}/`, {
      token: victim.owner.token,
      body: { permissions: ['access_site'] },
    })
    expect(granted.status).toBe(200)
    const theirs = (await invite(mallory, 'expected@example.org')).body
    expect(await accept(theirs.uuid, person)).toMatchObject(notProved)
    expect(
      await accept(theirs.uuid, person, undefined, app.with({ INVITATION_EXISTING_ACCOUNTS: 'verify' })),
    ).toMatchObject(notProved)
    expect((await signIn('expected@example.org', person.password)).status).toBe(401)
    expect((await accept(theirs.uuid, { ...person, code: await invitationCode(app, theirs) })).status).toBe(
      200,
    )
    const { access } = (await signIn('expected@example.org', person.password)).body
    expect((await appsOf(victim, access)).status).toBe(200)
  })
})

describe('a sign-in by a provider to an account in two organizations', () => {
  it('gets 403 for changing its own role, as for leaving', async () => {
    const user = await app.user('demoted')
    await joined(mallory, user, 'admin')
    const token = (await mallory.signIn('one', verified('demoted', user.email))).body.access
    await joined(victim, user)
    const demote = (as: string) =>
      app.request('PATCH', `/api/cloud/organizations/mallory-org/members/${user.id}/`, {
        token: as,
        body: { role: 'member' },
      })
    expect(await demote(token)).toMatchObject(forbidden)
    expect((await demote((await app.signedIn(user)).token)).status).toBe(200)
  })
})

describe('an attacker who invites the owner of another organization', () => {
  it('does not get the account by accepting for the owner', async () => {
    const owner = victim.owner
    const { uuid } = (await invite(mallory, owner.email)).body
    expect(await accept(uuid, person)).toMatchObject(notProved)
    expect((await me(owner.token)).status).toBe(200)
    // The owner joins with a sign-in of their own, and keeps the password.
    expect((await accept(uuid, person, owner.token)).status).toBe(200)
    expect((await signIn(owner.username, person.password)).status).toBe(401)
  })
})

describe('the link in an e-mail', () => {
  it.each([
    ['host', 'evil.example'],
    ['host', 'localhost@evil.example'],
    ['x-forwarded-host', 'evil.example'],
    ['x-forwarded-server', 'evil.example'],
    ['x-original-host', 'evil.example'],
    ['x-host', 'evil.example'],
    ['forwarded', 'host=evil.example;proto=http'],
    ['x-forwarded-proto', 'http'],
    ['x-forwarded-port', '8080'],
    ['x-forwarded-prefix', '//evil.example/'],
    ['origin', 'https://evil.example'],
    ['referer', 'https://evil.example/'],
  ])('leads to PUBLIC_URL, regardless of the header %s: %s', async (name, value) => {
    const invitee_identifier = `link-${crypto.randomUUID()}@example.net`
    const { status, body } = await app.request('POST', '/api/cloud/organizations/mallory-org/invitations/', {
      token: mallory.owner.token,
      headers: { [name]: value },
      body: { invitee_identifier },
    })
    expect(status).toBe(201)
    await invitationCode(app, body)
    const [letter] = await app.sql<{ text: string; html: string }>(
      'select text, html from mailbox_letters where recipient = $1',
      [invitee_identifier],
    )
    const links = [...`${letter?.text} ${letter?.html}`.matchAll(/https?:\/\/[^/\s"]+/g)].map(
      ([origin]) => origin,
    )
    expect(new Set(links)).toEqual(new Set(['https://app.example.com']))
  })
})

describe("somebody else's e-mail as a user name", () => {
  it('gets 400, so that everybody can sign in with their own e-mail', async () => {
    const create = (body: object) =>
      app.request('POST', `${mallory.api}/users/`, {
        token: mallory.owner.token,
        body: { password, ...body },
      })
    expect(await create({ username: 'ceo@example.org', email: 'mallory-1@example.org' })).toMatchObject({
      status: 400,
      body: { username: [expect.any(String)] },
    })
    const own = await create({ username: 'own@example.org', email: 'own@example.org' })
    expect(own.status).toBe(201)
    // The name changes with the e-mail, so that the old one is available again.
    const moved = await app.request('PATCH', '/api/users/own@example.org/', {
      token: mallory.owner.token,
      body: { email: 'moved@example.org' },
    })
    expect([moved.status, moved.body.username]).toEqual([200, 'moved@example.org'])
    expect((await create({ username: 'heir', email: 'own@example.org' })).status).toBe(201)
  })
})

describe('API keys', () => {
  const keyOf = async (user: User) => {
    await grant(app, victim, user, ['access_site'])
    const { body } = await app.request('POST', `${victim.api}/api-keys/`, {
      token: user.token,
      body: { name: 'ci' },
    })
    return body.key as string
  }
  const useKey = async (key: string) =>
    (
      await app.request('GET', `${victim.api}/cloud/events/`, {
        headers: { authorization: `Api-Key ${key}` },
      })
    ).status
  const root = () => app.user(`root-${crypto.randomUUID()}`, { superuser: true })

  it('end when the password changes', async () => {
    const user = await app.user('keyed', { password })
    const key = await keyOf(user)
    expect(await useKey(key)).toBe(200)
    const { token } = await root()
    expect(
      (await app.request('PATCH', '/api/users/keyed/', { token, body: { password: 'New-horse-3' } })).status,
    ).toBe(200)
    expect(await useKey(key)).toBe(401)
  })

  it('do not work again after the account was deactivated and activated', async () => {
    const user = await app.user('paused')
    const key = await keyOf(user)
    const { token } = await root()
    for (const is_active of [false, true]) {
      expect((await app.request('PATCH', '/api/users/paused/', { token, body: { is_active } })).status).toBe(
        200,
      )
    }
    expect(await useKey(key)).toBe(401)
    expect((await me(user.token)).status).toBe(401)
  })
})
