/**
 * Invitations to an organization: creating, accepting, cancelling and resending them. Spec: Invitation;
 * I1–I6.
 */
import { createMessageBatch } from 'cloudflare:test'
import { beforeAll, describe, expect, it } from 'vitest'
import worker from '../../src/worker.ts'
import { createSite, type Site, startApp, type TestApp, type User } from '../support/app.ts'

let app: TestApp
let site: Site
let admin: User
let member: User

const password = 'Correct-horse-1'
const person = { password, first_name: 'Ada', last_name: 'Byron' }
const at = (path = '') => `/api/cloud/organizations/acme-org/invitations/${path}`
const invite = (invitee_identifier: string, invitation_config?: unknown, token = admin.token) =>
  app.request('POST', at(), {
    token,
    body: { invitee_identifier, ...(invitation_config === undefined ? {} : { invitation_config }) },
  })
const details = (token: string, of = app) => of.request('GET', `/api/cloud/invitations/${token}/details/`)
const accept = (token: string, body: unknown = person, of = app, as?: User) =>
  of.request('POST', `/api/cloud/invitations/${token}/accept/`, { body, ...(as ? { token: as.token } : {}) })
const signIn = (username: string, secret = password) =>
  app.request('POST', '/api/auth/jwt/token/', { body: { username, password: secret } })
const organizationsOf = async (token: string) =>
  (await app.request('GET', '/api/cloud/organizations/', { token })).body.results.map(
    ({ slug }: { slug: string }) => slug,
  )

/** Handles a queue message, like the queue. */
async function handleJob(body: unknown, queue = 'tessera-jobs', of = app) {
  const batch = createMessageBatch(queue, [
    { id: crypto.randomUUID(), timestamp: new Date(), attempts: 1, body },
  ])
  await worker.queue(batch, of.env)
}
const emailJob = (id: number, mailVersion = 1) => ({ kind: 'send-invitation', email: { id, mailVersion } })
const emailsTo = async (to: string) =>
  app.sql<{ subject: string; text: string; html: string }>(
    'select subject, text, html from mailbox_letters where recipient = $1 order by id desc',
    [to],
  )
const codeIn = (text: string) => /[?&]code=([\w-]+)/.exec(text)?.[1] as string

beforeAll(async () => {
  app = (await startApp()).with({ EMAIL_TRANSPORT: 'mailbox', PUBLIC_URL: 'https://app.example.com' })
  site = await createSite(app, 'acme')
  admin = site.owner
  member = await app.user('member')
  await app.sql(
    `insert into memberships (organization_id, user_id, role)
     select id, $1, 'member' from organizations where slug = 'acme-org'`,
    [member.id],
  )
})

describe('creating an invitation', () => {
  it('returns 401 without credentials, 403 to callers who are not managers, 404 for an unknown organization', async () => {
    expect((await app.request('POST', at(), { body: { invitee_identifier: 'a@example.net' } })).status).toBe(
      401,
    )
    expect((await invite('a@example.net', undefined, member.token)).status).toBe(403)
    expect((await invite('a@example.net', undefined, (await app.user('stranger')).token)).status).toBe(403)
    const nowhere = await app.request('POST', '/api/cloud/organizations/none/invitations/', {
      token: admin.token,
      body: { invitee_identifier: 'a@b.org' },
    })
    expect(nowhere.status).toBe(404)
  })

  it.each<[string, unknown, string[]]>([
    ['an invalid address', { invitee_identifier: 'x' }, ['invitee_identifier']],
    [
      'a line break in the address',
      { invitee_identifier: 'a@example.net\r\nBcc: b@example.net' },
      ['invitee_identifier'],
    ],
    ['an empty body', {}, ['invitee_identifier']],
    [
      'an unknown permission',
      {
        invitee_identifier: 'a@b.org',
        invitation_config: { site: [{ slug: 'acme', permissions: ['root'] }] },
      },
      ['invitation_config.site.0.permissions.0'],
    ],
    [
      'a wrong shape',
      { invitee_identifier: 'a@b.org', invitation_config: { group: 'staff' } },
      ['invitation_config.group'],
    ],
    [
      'an unknown field',
      { invitee_identifier: 'a@b.org', invitation_config: { role: 'owner' } },
      ['invitation_config.role'],
    ],
  ])('returns 400 for %s', async (_, body, fields) => {
    const answer = await app.request('POST', at(), { token: admin.token, body })
    expect([answer.status, Object.keys(answer.body)]).toEqual([
      400,
      fields.map((field) => field.replace(/^invitation_config.*/, 'invitation_config')),
    ])
  })

  it('returns 400 {invitee_identifier: [...]} for a member, with the address in any case', async () => {
    const { status, body } = await invite('MEMBER@example.org')
    expect([status, body]).toEqual([
      400,
      { invitee_identifier: ['This person is already a member of the organization.'] },
    ])
  })

  it('returns 201 with the full view, and creates an inactive account if needed', async () => {
    const config = {
      group: ['Staff', 'Staff'],
      site: [
        { slug: 'acme', permissions: ['access_site', 'change_site'] },
        { slug: 'acme', permissions: ['change_site'] },
      ],
    }
    const { status, body } = await invite('new@example.net', config)
    expect([status, body]).toEqual([
      201,
      {
        id: expect.any(Number),
        uuid: expect.stringMatching(/^[0-9a-f-]{36}$/),
        organization: expect.any(Number),
        organization_name: 'acme org',
        invitee_identifier: 'new@example.net',
        invited_by: admin.id,
        invited_by_user: {
          id: admin.id,
          uuid: expect.any(String),
          username: admin.username,
          email: admin.email,
          first_name: '',
          last_name: '',
        },
        invitee: expect.any(Number),
        invitee_user: {
          id: body.invitee,
          uuid: expect.any(String),
          username: 'new@example.net',
          email: 'new@example.net',
          first_name: '',
          last_name: '',
        },
        config: { group: ['Staff'], site: [{ slug: 'acme', permissions: ['access_site', 'change_site'] }] },
        created: expect.any(String),
      },
    ])
    expect((await signIn('new@example.net')).status).toBe(401)
    expect(await app.sql('select is_active, password_hash from users where id = $1', [body.invitee])).toEqual(
      [{ is_active: false, password_hash: null }],
    )
  })
})

describe('the list of invitations', () => {
  it('returns 200 {count, next, previous, results} with filters, search and pages', async () => {
    const list = async (query: string) => (await app.request('GET', at(query), { token: admin.token })).body
    for (const address of ['list1@example.net', 'list_2@example.net', 'List3@example.net'])
      await invite(address)
    const accepted = (await invite('done-list@example.net')).body
    expect((await accept(accepted.uuid)).status).toBe(200)
    const addresses = ({ results }: { results: { invitee_identifier: string }[] }) =>
      results.map((one) => one.invitee_identifier)

    const all = await list('?search=LIST')
    expect(addresses(all)).toEqual([
      'done-list@example.net',
      'List3@example.net',
      'list_2@example.net',
      'list1@example.net',
    ])
    expect(Object.keys(all.results[0])).toEqual([
      'id',
      'uuid',
      'organization',
      'organization_name',
      'invitee_identifier',
      'invited_by',
      'config',
      'created',
    ])
    expect(addresses(await list('?search=list&ordering=created&invitee__is_active=false'))).toEqual([
      'list1@example.net',
      'list_2@example.net',
      'List3@example.net',
    ])
    expect(addresses(await list('?search=list&invitee__is_active=true'))).toEqual(['done-list@example.net'])
    expect(addresses(await list('?search=t_'))).toEqual(['list_2@example.net'])
    const page = await list('?search=list&page=2&page_size=3')
    expect(page).toMatchObject({ count: 4, next: null, previous: expect.stringContaining('page=1') })
    expect((await app.request('GET', at('?ordering=id'), { token: admin.token })).status).toBe(400)
    expect((await app.request('GET', at('?page=9'), { token: admin.token })).body).toEqual({
      detail: 'Invalid page.',
      code: 'invalid_page',
    })
  })

  it('contains invitations that can be read in full, with a version 4 uuid and by default without grants', async () => {
    const { body: full } = await invite('single@example.net')
    expect(full).toMatchObject({ invitee_identifier: 'single@example.net', config: { group: [], site: [] } })
    expect(full.uuid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    const read = await app.request('GET', at(`${full.uuid}/`), { token: admin.token })
    expect([read.status, read.body]).toEqual([200, full])
  })

  it('does not contain invitations of other organizations, which return 404 by their uuid', async () => {
    const other = await createSite(app, 'globex')
    const { uuid, invitee } = (await invite('mine@example.net')).body
    const path = '/api/cloud/organizations/globex-org/invitations/'
    expect((await app.request('GET', path, { token: other.owner.token })).body.count).toBe(0)
    for (const [method, rest] of [
      ['GET', `${uuid}/`],
      ['DELETE', `${uuid}/`],
    ] as const) {
      expect((await app.request(method, `${path}${rest}`, { token: other.owner.token })).status).toBe(404)
    }
    const resend = await app.request('POST', `${path}${invitee}/resend/`, { token: other.owner.token })
    expect([resend.status, resend.body]).toEqual([
      400,
      { user_id: 'No pending invitation found for this user.' },
    ])
    expect((await app.request('GET', at(`${uuid}/`), { token: admin.token })).body.uuid).toBe(uuid)
    expect((await app.request('GET', at('x/'), { token: admin.token })).status).toBe(404)
  })
})

describe('the token of an invitation', () => {
  it('returns 404 if it is unknown, and otherwise the public view, repeatedly', async () => {
    for (const token of [crypto.randomUUID(), 'x', `${crypto.randomUUID()}'--`]) {
      expect((await details(encodeURIComponent(token))).status).toBe(404)
      expect((await accept(encodeURIComponent(token))).status).toBe(404)
    }
    const { body: full } = await invite('reader@example.net')
    const { id: _, uuid: __, ...inviter } = full.invited_by_user
    for (let times = 0; times < 2; times++) {
      const { status, body } = await details(full.uuid)
      expect([status, body]).toEqual([200, { ...full, invited_by_user: inviter }])
    }
  })

  it('returns 410 if the invitation is older than INVITATION_MAX_AGE_DAYS', async () => {
    const { uuid } = (await invite('late@example.net')).body
    await app.sql(`update invitations set created = now() - interval '8 days' where uuid = $1`, [uuid])
    const strict = app.with({ INVITATION_MAX_AGE_DAYS: '7' })
    expect([(await details(uuid, strict)).status, (await accept(uuid, person, strict)).status]).toEqual([
      410, 410,
    ])
    expect((await details(uuid)).status).toBe(200)
  })
})

describe('accepting an invitation', () => {
  it.each<[string, unknown, string[]]>([
    ['an empty body', {}, ['password', 'first_name', 'last_name']],
    ['a weak password', { ...person, password: 'short' }, ['password']],
    ['an empty name', { ...person, first_name: '  ' }, ['first_name']],
    ['a name that is not a string', { ...person, last_name: 5 }, ['last_name']],
  ])('returns 400 for %s, and the invitation stays pending', async (_, body, fields) => {
    const { uuid } = (await invite('careless@example.net')).body
    const answer = await accept(uuid, body)
    expect([answer.status, Object.keys(answer.body)]).toEqual([400, fields])
    expect((await details(uuid)).status).toBe(200)
  })

  it('grants membership, groups and permissions, but ignores sites of other organizations', async () => {
    const second = await app.request('POST', '/api/cloud/organizations/acme-org/sites/', {
      token: admin.token,
      body: { name: 'Second', slug: 'acme-second' },
    })
    expect(second.status).toBe(201)
    await createSite(app, 'initech')
    const { uuid } = (
      await invite('whole@example.net', {
        group: ['Staff', 'Writers'],
        site: [
          { slug: 'acme', permissions: ['access_site'] },
          { slug: 'initech', permissions: ['admin_site'] },
          { slug: 'nowhere', permissions: ['access_site'] },
        ],
      })
    ).body
    const { status, body } = await accept(uuid)
    expect([status, body]).toEqual([
      200,
      {
        success: true,
        message: 'You are now a member of acme org.',
        user: { id: expect.any(Number), email: 'whole@example.net', first_name: 'Ada', last_name: 'Byron' },
        organization: { id: expect.any(Number), slug: 'acme-org', name: 'acme org' },
      },
    ])
    const { access } = (await signIn('whole@example.net')).body
    expect(await organizationsOf(access)).toEqual(['acme-org'])
    const statuses = ['acme', 'acme-second', 'initech'].map(
      async (slug) => (await app.request('GET', `/sites/${slug}/api/apps/`, { token: access })).status,
    )
    expect(await Promise.all(statuses)).toEqual([200, 403, 403])
    expect(
      (await app.request('POST', '/sites/acme/api/apps/', { token: access, body: { name: 'x' } })).status,
    ).toBe(403)
    const { results } = (
      await app.request('GET', '/api/cloud/organizations/acme-org/members/?page_size=100', {
        token: admin.token,
      })
    ).body
    expect(results.find(({ user }: { user: { id: number } }) => user.id === body.user.id)).toMatchObject({
      role: 'member',
      groups: ['Staff', 'Writers'],
    })
  })

  it('is possible once: then the invitation returns 410, and can be neither cancelled nor resent', async () => {
    const { uuid, invitee } = (await invite('once@example.net')).body
    expect((await accept(uuid)).status).toBe(200)
    for (const answer of [
      await details(uuid),
      await accept(uuid),
      await app.request('DELETE', at(`${uuid}/`), { token: admin.token }),
    ]) {
      expect([answer.status, answer.body]).toEqual([
        410,
        { detail: 'This invitation has already been accepted.', code: 'invitation_accepted' },
      ])
    }
    expect((await app.request('POST', at(`${invitee}/resend/`), { token: admin.token })).status).toBe(400)
  })

  it('returns 404 for an unknown token and 410 for an accepted one, with any body', async () => {
    const { uuid } = (await invite('hasty-body@example.net')).body
    expect((await accept(uuid)).status).toBe(200)
    for (const body of [
      {},
      { password: 1, code: [], nothing: 'x' },
      [],
      '{"password":',
      '{"code": 1, "code": 2}',
    ]) {
      const [unknown, accepted] = [await accept(crypto.randomUUID(), body), await accept(uuid, body)]
      expect([unknown.status, unknown.body]).toEqual([404, { detail: 'Not found.', code: 'not_found' }])
      expect([accepted.status, accepted.body]).toEqual([
        410,
        { detail: 'This invitation has already been accepted.', code: 'invitation_accepted' },
      ])
    }
  })

  it('succeeds for one of 50 concurrent requests, and 49 get 410', async () => {
    const { uuid, invitee } = (await invite('crowd@example.net', { group: ['Crowd'] })).body
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, n) => accept(uuid, { ...person, first_name: `Ada${n}` })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(49).fill(410)])
    const winner = answers.find(({ status }) => status === 200)?.body.user.first_name
    expect(await app.sql('select first_name from users where id = $1', [invitee])).toEqual([
      { first_name: winner },
    ])
    expect(await app.sql('select role from memberships where user_id = $1', [invitee])).toEqual([
      { role: 'member' },
    ])
  })

  it('creates a new account if the one for the invitation was deleted', async () => {
    const { uuid, invitee } = (await invite('gone@example.net')).body
    await app.sql('delete from users where id = $1', [invitee])
    expect((await accept(uuid)).status).toBe(200)
    expect((await signIn('gone@example.net')).status).toBe(200)
  })

  it('counts towards the rate limit for passwords', async () => {
    const limited = app.with({ RATE_LIMIT_SCALE: '0.1' })
    const { uuid } = (await invite('hasty@example.net')).body
    const headers = { 'cf-connecting-ip': '203.0.113.9' }
    const statuses = []
    for (let times = 0; times < 2; times++) {
      statuses.push(
        (await limited.request('POST', `/api/cloud/invitations/${uuid}/accept/`, { body: person, headers }))
          .status,
      )
    }
    expect(statuses).toEqual([200, 429])
  })
})

describe('accepting for an existing account', () => {
  it('replaces the password, ends all sessions and notifies the owner by e-mail', async () => {
    const home = await createSite(app, 'home')
    const known = home.owner
    const keyed = await app.request('POST', `${home.api}/api-keys/`, {
      token: known.token,
      body: { name: 'ci' },
    })
    expect(keyed.status).toBe(201)
    const { uuid, id } = (await invite('HOME-owner@example.org')).body
    const permissive = app.with({ INVITATION_EXISTING_ACCOUNTS: 'specification' })
    expect((await accept(uuid, person, permissive)).status).toBe(200)
    expect(await app.sql('select from api_keys where user_id = $1', [known.id])).toEqual([])
    expect((await app.request('GET', '/api/users/me/', { token: known.token })).status).toBe(401)
    const { access } = (await signIn(known.username)).body
    expect(await organizationsOf(access)).toEqual(['acme-org', 'home-org'])
    // The notice goes to the address that the account had when it was changed.
    await app.sql(`update users set email = 'elsewhere@example.net' where id = $1`, [known.id])
    for (let times = 0; times < 2; times++)
      await handleJob({ kind: 'send-password-notice', invitationId: id })
    expect(await emailsTo(known.email)).toHaveLength(1)
    expect((await emailsTo(known.email))[0]).toMatchObject({
      subject: 'Your password was changed',
      text: expect.stringContaining('acme org'),
    })
  })

  it('returns 403 for a superuser and changes nothing', async () => {
    const root = await app.user('root', { superuser: true, password })
    const { uuid } = (await invite(root.email)).body
    expect((await accept(uuid, { ...person, password: 'Another-horse-2' })).status).toBe(403)
    expect((await signIn('root')).status).toBe(200)
    expect((await details(uuid)).status).toBe(200)
  })

  describe('with INVITATION_EXISTING_ACCOUNTS=verify', () => {
    const another = { ...person, password: 'Another-horse-2' }
    let strict: TestApp
    beforeAll(() => {
      strict = app.with({ INVITATION_EXISTING_ACCOUNTS: 'verify' })
    })

    it('returns 403 without a code, with a wrong code and as another user', async () => {
      const known = await app.user('verified', { password })
      const { uuid, id } = (await invite(known.email)).body
      await handleJob(emailJob(id), 'tessera-jobs', strict)
      const wrong = [
        await accept(uuid, another, strict),
        await accept(uuid, { ...another, code: 'x' }, strict),
        await accept(uuid, another, strict, admin),
      ]
      const detail =
        'The address has an account. Send the code of the newest e-mail of this invitation, or a token of ' +
        'the account.'
      expect(wrong).toMatchObject(
        Array(3).fill({ status: 403, body: { detail, code: 'ownership_not_proved' } }),
      )
      expect((await signIn('verified')).status).toBe(200)
      expect((await details(uuid)).status).toBe(200)
    })

    it('needs no code from the owner with a bearer token, who keeps the password', async () => {
      const known = await app.user('oneself', { password })
      const { uuid } = (await invite(known.email)).body
      expect((await accept(uuid, another, strict, known)).status).toBe(200)
      expect((await signIn('oneself')).status).toBe(200)
      expect(await organizationsOf(known.token)).toEqual(['acme-org'])
    })

    it('sets a new password with the code from the e-mail', async () => {
      const known = await app.user('lettered', { password })
      const { uuid, id } = (await invite(known.email)).body
      await handleJob(emailJob(id), 'tessera-jobs', strict)
      const [email] = await emailsTo(known.email)
      expect((await accept(uuid, { ...another, code: codeIn(email?.text as string) }, strict)).status).toBe(
        200,
      )
      expect((await signIn('lettered', another.password)).status).toBe(200)
    })

    it('needs no code from an invitee without an account, but returns 400 for a wrong one', async () => {
      const { uuid } = (await invite('fresh@example.net')).body
      expect(await accept(uuid, { ...person, code: 'x' }, strict)).toMatchObject({
        status: 400,
        body: {
          code: [
            'This is not the code of the newest e-mail. Open the link in that e-mail, or omit the code.',
          ],
        },
      })
      expect((await accept(uuid, person, strict)).status).toBe(200)
    })
  })
})

describe('an account made for an invitation', () => {
  it('has a username that reveals no token', async () => {
    const first = (await invite("o'brien@example.net")).body
    expect(first.invitee_user.username).toMatch(/^invited-[0-9a-f-]{36}$/)
    expect(first.invitee_user.username).not.toContain(first.uuid)
  })

  it('does not prevent a new account with the address, which then gets the invitation', async () => {
    const { uuid, invitee } = (await invite('newhire@example.net')).body
    const employer = await createSite(app, 'employer')
    const account = { username: 'newhire', email: 'NewHire@example.net', password }
    const taken = await app.request('POST', '/api/users/', {
      token: employer.owner.token,
      body: { ...account, username: admin.username },
    })
    expect([taken.status, (await app.sql('select from users where id = $1', [invitee])).length]).toEqual([
      400, 1,
    ])
    const made = await app.request('POST', '/api/users/', { token: employer.owner.token, body: account })
    expect(made.status).toBe(201)
    expect((await app.request('GET', at(`${uuid}/`), { token: admin.token })).body).toMatchObject({
      invitee: made.body.id,
      invitee_user: { username: 'newhire' },
    })
    expect(
      (await accept(uuid, person, app.with({ INVITATION_EXISTING_ACCOUNTS: 'specification' }))).body.user.id,
    ).toBe(made.body.id)
  })
})

describe('the address of an invitee', () => {
  it.each(['\u212aate@example.net', 'zoë@example.net', 'a\u200bb@example.net'])(
    'returns 400 for %j, because letters beyond ASCII can be folded into those of another address',
    async (address) => {
      expect((await invite(address)).status).toBe(400)
    },
  )

  it('cannot be the username of an account with another e-mail', async () => {
    const body = { username: 'victim@example.net', email: 'mallory@example.net', password }
    const { status, body: refusal } = await app.request('POST', '/api/users/', { token: admin.token, body })
    expect([status, refusal]).toEqual([
      400,
      { username: ['A user name with an @ must be the e-mail of the same account.'] },
    ])
  })

  it('is no longer verified after a change', async () => {
    const { uuid, id } = (await invite('proven@example.net')).body
    await handleJob(emailJob(id))
    const [email] = await emailsTo('proven@example.net')
    await accept(uuid, { ...person, code: codeIn(email?.text as string) })
    const verified = async () =>
      (
        await app.sql<{ at: string | null }>(
          `select email_verified_at::text as at from users where email = any ($1)`,
          [['proven@example.net', 'PROVEN@example.net', 'ceo@example.net']],
        )
      )[0]?.at
    expect(await verified()).toEqual(expect.any(String))
    const change = (name: string, email: string) =>
      app.request('PATCH', `/api/users/${name}/`, { token: admin.token, body: { email } })
    expect((await change('proven@example.net', 'PROVEN@example.net')).status).toBe(200)
    expect(await verified()).toEqual(expect.any(String))
    expect((await change('PROVEN@example.net', 'ceo@example.net')).status).toBe(200)
    expect(await verified()).toBeNull()
  })
})

describe('an inviter who is no longer allowed to invite', () => {
  it('makes the invitation return 410', async () => {
    const former = await app.user('former')
    await app.sql(
      `insert into memberships (organization_id, user_id, role)
       select id, $1, 'admin' from organizations where slug = 'acme-org'`,
      [former.id],
    )
    const { uuid } = (
      await invite(
        'smuggled@example.net',
        { site: [{ slug: 'acme', permissions: ['admin_site'] }] },
        former.token,
      )
    ).body
    expect((await details(uuid)).status).toBe(200)
    expect(
      (
        await app.request('DELETE', `/api/cloud/organizations/acme-org/members/${former.id}/`, {
          token: admin.token,
        })
      ).status,
    ).toBe(204)
    expect([(await details(uuid)).status, (await accept(uuid)).status]).toEqual([410, 410])
  })
})

describe('concurrent requests about one address', () => {
  it('all succeed or get a clear error: invitations, cancellations and acceptances', async () => {
    const seen = new Set<string>()
    for (let round = 0; round < 12; round++) {
      const address = `race${round % 3}@example.net`
      const { uuid } = (await invite(address)).body
      const answers = await Promise.all([
        invite(address).then(({ status, body }) => [
          `invited ${status}`,
          body.invitee === null ? 'without an account' : 'for one',
        ]),
        app
          .request('DELETE', at(`${uuid}/`), { token: admin.token })
          .then(({ status }) => [`cancelled ${status}`]),
        accept(uuid).then(({ status }) => [`accepted ${status}`]),
        invite(address).then(({ status }) => [`invited ${status}`]),
      ])
      for (const one of answers.flat()) seen.add(one)
      await app.sql(`delete from memberships m using users u where u.id = m.user_id and u.email = $1`, [
        address,
      ])
      const orphans = await app.sql(
        `select i.uuid from invitations i
          where i.invitee is null and public.is_pending(i) and i.invitee_identifier = $1`,
        [address],
      )
      expect(orphans).toEqual([])
    }
    const possible = [
      'invited 201',
      'invited 400',
      'cancelled 204',
      'cancelled 410',
      'accepted 200',
      'accepted 404',
      'accepted 410',
      'for one',
    ]
    expect([...seen].filter((one) => !possible.includes(one))).toEqual([])
  })
})

describe('cancelling an invitation', () => {
  it('returns 403 to members, 204 to owners, and deletes the unused account', async () => {
    const { uuid, invitee } = (await invite('cancelled@example.net')).body
    expect((await app.request('DELETE', at(`${uuid}/`), { token: member.token })).status).toBe(403)
    expect((await app.request('DELETE', at(`${uuid}/`), { token: admin.token })).status).toBe(204)
    expect((await app.request('DELETE', at(`${uuid}/`), { token: admin.token })).status).toBe(404)
    expect([(await details(uuid)).status, (await accept(uuid)).status]).toEqual([404, 404])
    expect(await app.sql('select from users where id = $1', [invitee])).toEqual([])
  })

  it('keeps an account that is in use or that an invitation of another organization is for', async () => {
    const known = await app.user('used', { password })
    const other = await createSite(app, 'umbrella')
    const first = (await invite('twice@example.net')).body
    const second = await app.request('POST', '/api/cloud/organizations/umbrella-org/invitations/', {
      token: other.owner.token,
      body: { invitee_identifier: 'twice@example.net' },
    })
    const third = (await invite(known.email)).body
    for (const { uuid } of [first, third])
      expect((await app.request('DELETE', at(`${uuid}/`), { token: admin.token })).status).toBe(204)
    expect((await signIn('used')).status).toBe(200)
    expect((await accept(second.body.uuid)).status).toBe(200)
  })
})

describe('the invitation e-mail', () => {
  const inviteAndSend = async (address: string) => {
    const { id, uuid } = (await invite(address)).body
    await handleJob(emailJob(id))
    return {
      id,
      uuid,
      email: (await emailsTo(address))[0] as { subject: string; text: string; html: string },
    }
  }

  it('links to PUBLIC_URL, and differs for new and existing users', async () => {
    await app.user('familiar', { password })
    const fresh = await inviteAndSend('unknown@example.net')
    const known = await inviteAndSend('familiar@example.org')
    for (const { uuid, email } of [fresh, known]) {
      expect(email.text).toMatch(
        new RegExp(`^https://app\\.example\\.com/invitations/${uuid}/\\?code=[\\w-]{24}$`, 'm'),
      )
      expect(email.html).toContain(`href="https://app.example.com/invitations/${uuid}/?code=`)
    }
    expect(fresh.email.text).toContain('choose a password')
    expect(known.email.text).toContain('You already have an account with this e-mail address')
  })

  it('contains names as plain text, which adds no lines and no markup', async () => {
    const evil = await createSite(app, 'evil')
    await app.sql(`update organizations set name = $1 where slug = 'evil-org'`, [
      '<b>x</b>\r\nBcc: victim\u202e',
    ])
    await app.sql(`update users set first_name = $1 where id = $2`, [
      '<script>alert(1)</script>',
      evil.owner.id,
    ])
    const { id } = (
      await app.request('POST', '/api/cloud/organizations/evil-org/invitations/', {
        token: evil.owner.token,
        body: { invitee_identifier: 'target@example.net' },
      })
    ).body
    await handleJob(emailJob(id))
    const [email] = await emailsTo('target@example.net')
    expect(email?.subject).toBe("You're invited to join <b>x</b> Bcc: victim")
    expect(email?.html).not.toMatch(/<b>|<script/)
    expect(email?.html).toContain('&lt;script&gt;')
  })

  it('is sent once for each request; resending takes the pending invitation', async () => {
    const first = await inviteAndSend('again@example.net')
    const second = await inviteAndSend('again@example.net')
    await handleJob(emailJob(second.id))
    expect(await emailsTo('again@example.net')).toHaveLength(2)
    const [row] = await app.sql<{ invitee: string }>('select invitee from invitations where id = $1', [
      second.id,
    ])
    const { status, body } = await app.request('POST', at(`${row?.invitee}/resend/`), { token: admin.token })
    expect([status, body]).toEqual([
      200,
      { status: 'success', message: 'The invitation is being sent again.' },
    ])
    // A message is about one request only, even if that request has failed permanently.
    await handleJob(emailJob(second.id), 'tessera-dead-jobs')
    await handleJob(emailJob(first.id))
    await handleJob(emailJob(second.id, 2))
    const all = await emailsTo('again@example.net')
    expect(all).toHaveLength(3)
    expect(all[0]?.text).toContain(second.uuid)
  })

  it('is retried, then marked as failed, and the invitation stays pending', async () => {
    const withoutTransport = app.with({ EMAIL_TRANSPORT: '' })
    const { id, uuid } = (await invite('unreached@example.net')).body
    const state = async () =>
      (await app.sql<{ mail: string }>('select mail from invitations where id = $1', [id]))[0]?.mail
    await handleJob(emailJob(id), 'tessera-jobs', withoutTransport)
    expect([await state(), await emailsTo('unreached@example.net')]).toEqual(['wanted', []])
    await handleJob(emailJob(id), 'tessera-dead-jobs', withoutTransport)
    expect([await state(), (await details(uuid)).status]).toEqual(['failed', 200])
  })
})
