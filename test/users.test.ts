/** Managing accounts. T7. */
import { beforeAll, describe, expect, it } from 'vitest'
import { createSite, startApp, type TestApp, type User } from './support/app.ts'

let app: TestApp
let owner: User
let rival: User
let root: User
let plain: User

const call = (method: string, path: string, user: User, body?: unknown) =>
  app.request(method, `/api/users${path}`, { token: user.token, ...(body ? { body } : {}) })
const input = (username: string, more = {}) => ({
  username,
  email: `${username}@mail.example`,
  password: 'Sail-away-1',
  ...more,
})
const join = (user: User, organization: string, role: string) =>
  app.sql(
    `insert into memberships (organization_id, user_id, role)
     select id, $1, $2 from organizations where slug = $3`,
    [user.id, role, organization],
  )

beforeAll(async () => {
  app = await startApp()
  owner = (await createSite(app, 'mine')).owner
  rival = (await createSite(app, 'theirs')).owner
  root = await app.user('root', { superuser: true })
  plain = await app.user('plain')
})

describe('POST /api/users/', () => {
  it('returns 403 to a caller who manages no organization', async () => {
    expect((await call('POST', '/', plain, input('x'))).status).toBe(403)
  })

  it('returns 400 with messages for every field of an invalid body', async () => {
    expect(
      await call('POST', '/', owner, {
        username: 'a b',
        email: 'nobody',
        password: 'short',
        is_superuser: true,
        first_nmae: 'X',
      }),
    ).toMatchObject({
      status: 400,
      body: {
        username: ['A user name has at most 150 characters: letters, digits and @ . + - _.'],
        email: ['An e-mail address is required.'],
        password: [
          'A password must have at least 8 characters.',
          'A password must have an upper-case letter.',
          'A password must have a digit.',
        ],
        first_nmae: ['Unknown field. Did you mean "first_name"?'],
      },
    })
    expect((await call('POST', '/', owner, input('me'))).body).toEqual({
      username: ['This name is reserved.'],
    })
  })

  it('returns 201; the new user can sign in, and is a member of the creator’s organization', async () => {
    const created = await call('POST', '/', owner, input('jonah', { first_name: 'Jonah', last_name: 'Reed' }))
    expect([created.status, created.body]).toEqual([
      201,
      {
        id: expect.any(Number),
        uuid: expect.any(String),
        username: 'jonah',
        email: 'jonah@mail.example',
        first_name: 'Jonah',
        last_name: 'Reed',
        full_name: 'Jonah Reed',
        is_active: true,
        is_superuser: false,
        date_joined: expect.stringMatching(/Z$/),
        last_login: null,
      },
    ])
    expect(
      (
        await app.request('POST', '/api/auth/jwt/token/', {
          body: { username: 'jonah', password: 'Sail-away-1' },
        })
      ).status,
    ).toBe(200)
    expect(
      await app.sql(
        `select o.slug, m.role from memberships m join organizations o on o.id = m.organization_id
          where m.user_id = $1`,
        [created.body.id],
      ),
    ).toEqual([{ slug: 'mine-org', role: 'member' }])
  })

  it('returns 400 for a name or an e-mail that is taken, and for a name that is somebody else’s e-mail', async () => {
    expect((await call('POST', '/', owner, input('jonah', { email: 'other@mail.example' }))).body).toEqual({
      username: ['A user with this name already exists.'],
    })
    expect((await call('POST', '/', owner, input('jonah2', { email: 'JONAH@mail.example' }))).body).toEqual({
      email: ['A user with this e-mail already exists.'],
    })
    expect(
      (await call('POST', '/', owner, input('Jonah@mail.example', { email: 'third@mail.example' }))).body,
    ).toEqual({
      username: ['A user name with an @ must be the e-mail of the same account.'],
    })
    expect(
      (await call('POST', '/', owner, input('sam@mail.example', { email: 'sam@mail.example' }))).status,
    ).toBe(201)
  })

  it('makes members of the organization of the request’s site if the creator manages several organizations', async () => {
    await join(owner, 'theirs-org', 'admin')
    const created = await app.request('POST', '/sites/theirs/api/users/', {
      token: owner.token,
      body: input('there'),
    })
    expect(
      await app.sql(
        `select o.slug from memberships m join organizations o on o.id = m.organization_id
          where m.user_id = $1`,
        [created.body.id],
      ),
    ).toEqual([{ slug: 'theirs-org' }])
    await app.sql(`delete from memberships where user_id = $1 and role = 'admin'`, [owner.id])
  })
})

describe('the organization of an account that POST /api/users/ creates', () => {
  const organizationsOf = async (mount: string, name: string, user = root) => {
    const created = await app.request('POST', `${mount}/api/users/`, { token: user.token, body: input(name) })
    expect(created.status).toBe(201)
    const rows = await app.sql<{ slug: string }>(
      `select o.slug from memberships m join organizations o on o.id = m.organization_id
        where m.user_id = $1`,
      [created.body.id],
    )
    return rows.map(({ slug }) => slug)
  }

  it('is that of the request’s site for a superuser', async () => {
    expect(await organizationsOf('/sites/theirs', 'by-root')).toEqual(['theirs-org'])
  })

  it('is none for a superuser if the request has no site, even if the superuser manages organizations', async () => {
    await join(root, 'mine-org', 'owner')
    expect(await organizationsOf('', 'by-root-alone')).toEqual([])
    expect(await organizationsOf('/sites/theirs', 'by-root-there')).toEqual(['theirs-org'])
    await app.sql('delete from memberships where user_id = $1', [root.id])
    expect(await organizationsOf('/sites/nowhere', 'by-root-nowhere')).toEqual([])
  })

  it('is one that the owner manages for an owner, whatever the request’s site is', async () => {
    expect(await organizationsOf('/sites/theirs', 'by-owner', owner)).toEqual(['mine-org'])
    await app.sql(`delete from users where username like 'by-%'`)
  })
})

describe('GET /api/users/', () => {
  it('lists the members of their organizations for owners and all users for superusers; others get 403', async () => {
    expect((await call('GET', '/', plain)).status).toBe(403)
    const names = async (user: User) =>
      (await call('GET', '/?page_size=100', user)).body.results.map(
        ({ username }: { username: string }) => username,
      )
    expect(await names(owner)).toEqual(['jonah', 'mine-owner', 'sam@mail.example'])
    expect(await names(rival)).toEqual(['theirs-owner', 'there'])
    expect(await names(root)).toEqual(expect.arrayContaining(['jonah', 'plain', 'there', 'root']))
  })

  it('can be searched, filtered and ordered among the users that the caller can see', async () => {
    const names = async (query: string, user = owner) =>
      (await call('GET', `/?${query}`, user)).body.results.map(({ username }: User) => username)
    const off = await app.user('off')
    await join(off, 'mine-org', 'member')
    await app.sql(`update users set is_active = false where username = 'off'`)
    expect(await names('search=JON')).toEqual(['jonah'])
    expect(await names('search=reed')).toEqual(['jonah'])
    expect(await names('search=theirs')).toEqual([])
    expect(await names('is_active=false')).toEqual(['off'])
    expect(await names('is_active=true&ordering=-username')).toEqual([
      'sam@mail.example',
      'mine-owner',
      'jonah',
    ])
    expect(await names('is_active=false&search=jonah')).toEqual([])
    // Users who have never signed in come last in both directions.
    for (const order of ['last_login', '-last_login'])
      expect((await names(`ordering=${order},username`))[0]).toBe('jonah')
    expect(await names('limit=2&offset=1')).toEqual(['mine-owner', 'off'])
    expect((await call('GET', '/?is_active=yes', owner)).body).toEqual({
      is_active: ['Must be true or false.'],
    })
    expect((await call('GET', '/?is_superuser=true', owner)).status).toBe(400)
    await app.sql('delete from users where id = $1', [off.id])
  })

  it('returns one account by its name, and 404 for an account that the caller cannot see', async () => {
    expect((await call('GET', '/jonah/', owner)).body).toMatchObject({ username: 'jonah' })
    expect((await call('GET', '/jonah/', rival)).status).toBe(404)
    expect((await call('GET', '/nobody/', root)).status).toBe(404)
    expect((await call('GET', '/jonah/', plain)).status).toBe(403)
  })
})

describe('PATCH /api/users/{username}/', () => {
  it('returns 404 for an account of other organizations, 403 for a superuser and for an account in several', async () => {
    expect((await call('PATCH', '/jonah/', rival, { first_name: 'X' })).status).toBe(404)
    await join(root, 'mine-org', 'member')
    expect((await call('PATCH', '/root/', owner, { password: 'Sail-away-2' })).status).toBe(403)
    const [jonah] = await app.sql<{ id: string }>(`select id from users where username = 'jonah'`)
    await join({ id: Number(jonah?.id) } as User, 'theirs-org', 'member')
    for (const change of [
      { password: 'Sail-away-2' },
      { email: 'evil@mail.example' },
      { is_active: false },
    ]) {
      expect((await call('PATCH', '/jonah/', owner, change)).status).toBe(403)
    }
    await app.sql(
      `delete from memberships m using organizations o
        where o.id = m.organization_id and o.slug = 'theirs-org' and m.user_id = $1`,
      [Number(jonah?.id)],
    )
  })

  it('returns 400 for a weak password, an e-mail that is taken, and unknown fields', async () => {
    expect(
      (await call('PATCH', '/jonah/', owner, { password: 'weak', emial: 'x', is_superuser: true })).body,
    ).toEqual({
      password: expect.any(Array),
      emial: ['Unknown field. Did you mean "email"?'],
    })
    expect((await call('PATCH', '/jonah/', owner, { email: 'sam@mail.example' })).body).toEqual({
      email: ['A user with this e-mail already exists.'],
    })
  })

  it('refuses another value of what cannot be changed, and accepts an account that was read, with any times', async () => {
    const { body } = await call('GET', '/jonah/', owner)
    const fixed = { id: 0, username: 'x', full_name: 'X', is_superuser: true }
    const refused = await call('PATCH', '/jonah/', owner, { ...body, ...fixed, first_name: 'X' })
    expect([refused.status, Object.keys(refused.body).sort()]).toEqual([400, Object.keys(fixed).sort()])
    const sent = { ...body, date_joined: 'never', last_login: 7 }
    expect(await call('PATCH', '/jonah/', owner, sent)).toMatchObject({ status: 200, body })
  })

  it('returns 200 with the record; omitted fields are unchanged', async () => {
    expect(await call('PATCH', '/jonah/', owner, { first_name: 'Joe' })).toMatchObject({
      status: 200,
      body: { first_name: 'Joe', last_name: 'Reed', email: 'jonah@mail.example' },
    })
  })

  it('ends all earlier sign-ins with a new password and with a deactivation', async () => {
    const signIn = async (password: string) =>
      (await app.request('POST', '/api/auth/jwt/token/', { body: { username: 'jonah', password } })).body
    const me = async (access: string) =>
      (await app.request('GET', '/api/users/me/', { token: access })).status
    const first = await signIn('Sail-away-1')
    expect(await me(first.access)).toBe(200)
    expect((await call('PATCH', '/jonah/', owner, { password: 'Sail-away-2' })).status).toBe(200)
    expect(await me(first.access)).toBe(401)
    expect(
      (await app.request('POST', '/api/auth/jwt/token/refresh/', { body: { refresh: first.refresh } }))
        .status,
    ).toBe(401)
    const second = await signIn('Sail-away-2')
    expect(await me(second.access)).toBe(200)
    expect((await call('PATCH', '/jonah/', owner, { is_active: false })).body).toMatchObject({
      is_active: false,
    })
    expect(await me(second.access)).toBe(401)
  })
})

describe('switching off an owner', () => {
  const off = (of: User, by: User) => call('PATCH', `/${of.username}/`, by, { is_active: false })
  const onlyOwner = {
    status: 400,
    body: { non_field_errors: [expect.stringContaining('only owner')] },
  }

  it('returns 400 for the only one who can sign in, except to a superuser', async () => {
    const [first, second] = [await app.user('keel'), await app.user('stern')]
    await app.sql(`insert into organizations (name, slug) values ('hull', 'hull')`)
    for (const user of [first, second]) await join(user, 'hull', 'owner')
    expect((await off(second, first)).status).toBe(200)
    expect(await off(first, first)).toMatchObject(onlyOwner)
    expect(await call('DELETE', `/${first.username}/`, first)).toMatchObject(onlyOwner)
    expect((await off(first, root)).status).toBe(200)
    expect((await call('DELETE', `/${first.username}/`, root)).status).toBe(204)
  })

  it('leaves one of two owners who switch each other off at the same moment', async () => {
    for (let round = 0; round < 5; round++) {
      const [first, second] = [await app.user(`port${round}`), await app.user(`bow${round}`)]
      await app.sql('insert into organizations (name, slug) values ($1, $1)', [`deck${round}`])
      for (const user of [first, second]) await join(user, `deck${round}`, 'owner')
      const answers = await Promise.all([off(second, first), off(first, second)])
      const statuses = answers.map(({ status }) => status).sort()
      // The one who is switched off first may not even enter.
      expect([
        [200, 400],
        [200, 401],
      ]).toContainEqual(statuses)
    }
  })
})

describe('DELETE /api/users/{username}/', () => {
  it('returns 404 and 403 like a change, and 400 for the only owner of an organization', async () => {
    expect((await call('DELETE', '/jonah/', rival)).status).toBe(404)
    expect((await call('DELETE', '/root/', owner)).status).toBe(403)
    expect(await call('DELETE', '/mine-owner/', root)).toMatchObject({
      status: 400,
      body: { non_field_errors: [expect.stringContaining('only owner')] },
    })
  })

  it('keeps an owner if one owner is deleted while the other becomes a member', async () => {
    for (let round = 0; round < 10; round++) {
      const pair = [await app.user(`first${round}`), await app.user(`second${round}`)] as const
      const [organization] = await app.sql<{ id: number }>(
        'insert into organizations (name, slug) values ($1, $1) returning id',
        [`pair${round}`],
      )
      for (const user of pair) await join(user, `pair${round}`, 'owner')
      await Promise.all([
        call('DELETE', `/first${round}/`, root),
        app.request('PATCH', `/api/cloud/organizations/pair${round}/members/${pair[1].id}/`, {
          token: root.token,
          body: { role: 'member' },
        }),
      ])
      const owners = await app.sql(`select from memberships where organization_id = $1 and role = 'owner'`, [
        organization?.id,
      ])
      expect(owners).toHaveLength(1)
    }
  })

  it('returns 204, and the account is gone', async () => {
    expect((await call('DELETE', '/jonah/', owner)).status).toBe(204)
    expect((await call('GET', '/jonah/', root)).status).toBe(404)
  })
})
