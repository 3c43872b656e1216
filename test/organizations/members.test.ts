/** Members of organizations, and renaming organizations. T4, T6. */
import { beforeAll, describe, expect, it } from 'vitest'
import { createSite, type Site, startApp, type TestApp, type User } from '../support/app.ts'

let app: TestApp
let site: Site
let owner: User
let admin: User
let member: User
let stranger: User
let root: User

const base = '/api/cloud/organizations/crew-org'
const call = (method: string, path: string, user: User, body?: unknown) =>
  app.request(method, `${base}${path}`, { token: user.token, ...(body ? { body } : {}) })
const join = (user: User, role: string) =>
  app.sql(
    `insert into memberships (organization_id, user_id, role)
     select id, $1, $2 from organizations where slug = 'crew-org'`,
    [user.id, role],
  )

beforeAll(async () => {
  app = await startApp()
  site = await createSite(app, 'crew')
  owner = site.owner
  ;[admin, member, stranger] = (await Promise.all(
    ['admin', 'member', 'stranger'].map((name) => app.user(name)),
  )) as [User, User, User]
  root = await app.user('root', { superuser: true })
  await join(admin, 'admin')
  await join(member, 'member')
})

describe('PATCH /api/cloud/organizations/{slug}/', () => {
  it('returns 403 to members and strangers, 200 to managers, and keeps the slug', async () => {
    expect((await call('PATCH', '/', member, { name: 'X' })).status).toBe(403)
    expect((await call('PATCH', '/', stranger, { name: 'X' })).status).toBe(403)
    expect(await call('PATCH', '/', admin, { name: '' })).toMatchObject({
      status: 400,
      body: { name: ['This field may not be blank.'] },
    })
    expect(await call('PATCH', '/', admin, { name: 'The Crew' })).toMatchObject({
      status: 200,
      body: { name: 'The Crew', slug: 'crew-org' },
    })
  })
})

describe('GET …/members/', () => {
  it('returns 403 to strangers', async () => {
    expect((await call('GET', '/members/', stranger)).status).toBe(403)
  })

  it('returns 200 with user, role, groups and joined to every member', async () => {
    await app.sql(
      `with g as (insert into groups (organization_id, name)
                  select id, 'sailors' from organizations where slug = 'crew-org' returning id)
                   insert into group_members (group_id, user_id) select id, $1 from g`,
      [member.id],
    )
    const { status, body } = await call('GET', '/members/?page_size=2&page=2', member)
    expect([status, body]).toEqual([
      200,
      {
        count: 3,
        next: null,
        previous: `http://localhost${base}/members/?page_size=2&page=1`,
        results: [
          {
            user: {
              id: member.id,
              uuid: expect.any(String),
              username: 'member',
              email: 'member@example.org',
              first_name: '',
              last_name: '',
              full_name: '',
              is_active: true,
            },
            role: 'member',
            groups: ['sailors'],
            joined: expect.stringMatching(/Z$/),
          },
        ],
      },
    ])
  })
})

describe('PATCH …/members/{user_id}/', () => {
  const change = (user: User, target: User, role: string) =>
    call('PATCH', `/members/${target.id}/`, user, { role })

  it('returns 400 for an unknown role, 404 for a user who is not a member', async () => {
    expect(await change(owner, member, 'captain')).toMatchObject({
      status: 400,
      body: { role: ['Must be one of: owner, admin, member.'] },
    })
    expect((await change(owner, stranger, 'admin')).status).toBe(404)
    expect((await call('PATCH', '/members/x/', owner, { role: 'admin' })).status).toBe(404)
  })

  it('returns 403 to members, and to admins who make or change an owner', async () => {
    expect((await change(member, member, 'owner')).status).toBe(403)
    expect((await change(admin, admin, 'owner')).status).toBe(403)
    expect((await change(admin, owner, 'member')).status).toBe(403)
  })

  it('returns 400 if no owner would remain', async () => {
    expect(await change(owner, owner, 'admin')).toMatchObject({
      status: 400,
      body: { role: ['An organization must have at least one owner.'] },
    })
  })

  it('returns 200 with the member', async () => {
    expect(await change(admin, member, 'admin')).toMatchObject({
      status: 200,
      body: { user: { id: member.id }, role: 'admin' },
    })
    expect(await change(root, member, 'member')).toMatchObject({ status: 200, body: { role: 'member' } })
  })

  it('keeps one owner when two step down at the same time', async () => {
    const second = await app.user('second')
    await join(second, 'owner')
    for (let round = 0; round < 5; round++) {
      const answers = await Promise.all([change(owner, owner, 'admin'), change(second, second, 'admin')])
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 400])
      await app.sql(`update memberships set role = 'owner' where user_id = any ($1)`, [[owner.id, second.id]])
    }
    await app.sql('delete from memberships where user_id = $1', [second.id])
  })
})

describe('DELETE …/members/{user_id}/', () => {
  const remove = (user: User, target: User) => call('DELETE', `/members/${target.id}/`, user)

  it('returns 403 to members, 400 for the last owner, 404 for a user who is not a member', async () => {
    expect((await remove(member, admin)).status).toBe(403)
    expect((await remove(stranger, stranger)).status).toBe(403)
    expect((await remove(owner, owner)).status).toBe(400)
    expect((await remove(owner, stranger)).status).toBe(404)
  })

  it('returns 400 for the last owner who can sign in, even if another owner exists', async () => {
    const second = await app.user('deactivated-owner')
    await app.sql(
      `insert into memberships (organization_id, user_id, role) select id, $1, 'owner' from organizations where slug = 'crew-org'`,
      [second.id],
    )
    await app.sql('update users set is_active = false where id = $1', [second.id])
    expect((await remove(owner, owner)).status).toBe(400)
    expect((await remove(owner, second)).status).toBe(204)
  })

  it('returns 204, and also removes groups and site permissions', async () => {
    await app.sql(
      `insert into site_permissions (site_id, user_id, permissions)
       select id, $1, '{access_site}' from sites where slug = 'crew'`,
      [member.id],
    )
    expect((await app.request('GET', `${site.api}/apps/`, { token: member.token })).status).toBe(200)
    expect((await remove(admin, member)).status).toBe(204)
    expect((await app.request('GET', `${site.api}/apps/`, { token: member.token })).status).toBe(403)
    expect(await app.sql('select from group_members where user_id = $1', [member.id])).toEqual([])
  })

  it('returns 204 to a member who leaves', async () => {
    expect((await remove(admin, admin)).status).toBe(204)
    expect((await call('GET', '/members/', admin)).status).toBe(403)
  })
})
