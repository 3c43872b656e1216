/** The roles of a site: who has them, who gives them, and what access rules make of them. X2. */
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startApp, type TestApp, type User } from '../support/app.ts'
import { createShop, grant, type Shop } from '../support/fixtures.ts'
import { invitationCode, linkTokenOf } from '../support/letters.ts'
import { commitWhenAwaited } from '../support/locks.ts'

let app: TestApp
let practice: Shop
/** Another site of the same organization. */
let branch: Shop
let ada: User
let count = 0

const clerk = { name: 'clerk', title: 'Clerk', description: 'At the desk', groups: [] as string[] }
const doctor = { name: 'doctor', title: '', description: '', groups: ['Doctors'] }
const fields = [
  { name: 'id', type: 'integer' },
  { name: 'kind', type: 'string' },
]
const rooms = {
  name: 'rooms',
  schema: {
    fields,
    primaryKey: 'id',
    access: {
      rules: [
        { name: 'of clerks', who: 'role:clerk', can: ['read'], where: { id: 1 } },
        { name: 'of their kind', who: 'user', can: ['read'], where: { kind__in: { $: 'user.roles' } } },
      ],
    },
  },
}

const sitePath = (path: string, { slug } = practice) => `/api/cloud/sites/${slug}/${path}`
const as = (user: User, method: string, path: string, body?: unknown) =>
  app.request(method, path, { token: user.token, ...(body === undefined ? {} : { body }) })
const roles = (method: string, body?: unknown, by = practice.owner, at = practice) =>
  as(by, method, sitePath('roles/', at), body)
const give = (user: User, body: object, by = practice.owner, at = practice) =>
  as(by, 'PUT', sitePath(`permissions/${user.id}/`, at), { permissions: [], ...body })
const read = async (user: User, at = practice) => {
  const { status, body } = await as(user, 'GET', at.data('rooms'))
  return status === 200 ? body.data.map(({ id }: { id: number }) => id).sort() : status
}
const invitations = '/api/cloud/organizations/practice-org/invitations/'
const forbidden = {
  status: 403,
  body: { detail: 'You do not have permission to perform this action.', code: 'permission_denied' },
}

beforeAll(async () => {
  app = (await startApp()).with({
    EMAIL_TRANSPORT: 'mailbox',
    PUBLIC_URL: 'https://app.example.com',
    RATE_LIMIT_SCALE: '100000',
  })
  practice = await createShop(app, 'practice', { resources: [rooms] })
  branch = await createShop(app, 'branch', { resources: [rooms] })
  await app.sql(
    `update sites set organization_id = (select o.organization_id from sites o where o.slug = 'practice')
      where slug = 'branch'`,
  )
  branch = { ...branch, owner: practice.owner }
  for (const shop of [practice, branch]) {
    const records = [1, 2, 3].map((id) => ({ id, kind: ['clerk', 'doctor', 'nurse'][id - 1] }))
    const made = await as(practice.owner, 'POST', shop.data('rooms'), records)
    expect(made.status).toBe(201)
    expect((await roles('PUT', [clerk, doctor], practice.owner, shop)).status).toBe(200)
  }
})
beforeEach(async () => {
  ada = await app.user(`ada-${++count}`)
})

describe('the roles of a site', () => {
  it('are read by its members and replaced with admin_site: 403 for others', async () => {
    expect(await roles('GET', undefined, ada)).toMatchObject(forbidden)
    await grant(app, practice, ada, ['manage_site', 'manage_site_users'])
    expect((await roles('GET', undefined, ada)).status).toBe(200)
    expect(await roles('PUT', [], ada)).toMatchObject(forbidden)
    expect((await app.request('GET', sitePath('roles/'))).status).toBe(401)
    expect((await as(practice.owner, 'GET', '/api/cloud/sites/nowhere/roles/')).status).toBe(404)
  })

  it('have names of lower-case letters, each once: 400', async () => {
    for (const name of ['', 'Clerk', '1st', 'a b', 'a'.repeat(64)]) {
      const { status, body } = await roles('PUT', [{ name }])
      expect([name, status, JSON.stringify(body)]).toEqual([
        name,
        400,
        expect.stringContaining('lower-case letters'),
      ])
    }
    const twice = await roles('PUT', [{ name: 'a' }, { name: 'a' }])
    expect([twice.status, JSON.stringify(twice.body)]).toEqual([
      400,
      expect.stringContaining('Two roles have the same name.'),
    ])
    expect((await roles('PUT', [{ name: 'a', rights: [] }])).status).toBe(400)
  })

  it('are listed by name, with their number, and are a setting of the site', async () => {
    const answer = await roles('GET')
    expect([answer.status, answer.body, answer.headers.get('x-total-count')]).toEqual([
      200,
      [clerk, doctor],
      '2',
    ])
    expect((await as(practice.owner, 'GET', sitePath(''))).body.roles).toEqual([clerk, doctor])
  })
})

describe('a role of a person', () => {
  it('is one of the site: 400', async () => {
    expect(await give(ada, { roles: ['nurse'] })).toMatchObject({
      status: 400,
      body: { roles: ['The site has no role "nurse".'] },
    })
  })

  it('is given and taken by those who have it, or hold admin_site: 403 for others', async () => {
    const manager = await app.user(`manager-${count}`)
    expect(await give(ada, { roles: ['clerk'] }, manager)).toMatchObject(forbidden)
    await grant(app, practice, manager, ['manage_site_users'])
    expect(await give(ada, { roles: ['clerk'] }, manager)).toMatchObject(forbidden)
    await give(manager, { permissions: ['manage_site_users'], roles: ['clerk'] })
    expect(await give(ada, { roles: ['clerk'] }, manager)).toMatchObject({
      status: 200,
      body: { permissions: [], roles: ['clerk'] },
    })
    await give(ada, { roles: ['clerk', 'doctor'] })
    expect(await give(ada, { roles: ['clerk'] }, manager)).toMatchObject(forbidden)
    expect((await give(ada, { roles: ['doctor'] }, manager)).body.roles).toEqual(['doctor'])
    await grant(app, practice, manager, ['admin_site'])
    expect((await give(ada, { roles: [] }, manager)).body).toEqual({ permissions: [], roles: [] })
  })

  it('that another manager gives at the same moment is not taken by who does not have it: 403', async () => {
    const manager = await app.user(`hasty-${count}`)
    await give(manager, { permissions: ['manage_site_users'], roles: ['clerk'] })
    await give(ada, { roles: ['clerk'] })
    const { committed } = await commitWhenAwaited(
      app,
      `update public.site_permissions set roles = '{clerk,doctor}' where user_id = ${ada.id}`,
    )
    expect(await give(ada, { roles: [] }, manager)).toMatchObject(forbidden)
    await committed
    expect((await as(practice.owner, 'GET', sitePath(`permissions/${ada.id}/`))).body.roles).toEqual([
      'clerk',
      'doctor',
    ])
  })

  it('stays if permissions are changed without it, and is in the audit', async () => {
    await give(ada, { roles: ['doctor', 'clerk', 'clerk'] })
    expect((await give(ada, { permissions: ['view_site'] })).body).toEqual({
      permissions: ['view_site'],
      roles: ['clerk', 'doctor'],
    })
    const { body } = await as(practice.owner, 'GET', sitePath('audit/?kind=permission&page_size=2'))
    expect(body.results.map(({ values }: { values: object }) => values)).toEqual([
      { permissions: { from: [], to: ['view_site'] } },
      { roles: { to: ['clerk', 'doctor'] }, permissions: { to: [] } },
    ])
  })

  it('is what rules ask for, by name and as a value, at this site alone', async () => {
    expect(await read(ada)).toBe(403)
    await give(ada, { roles: ['clerk'] })
    expect(await read(ada)).toEqual([1])
    await give(ada, { roles: ['clerk', 'doctor'] })
    expect(await read(ada)).toEqual([1, 2])
    expect(await read(ada, branch)).toBe(403)
    await give(ada, { roles: [] })
    expect(await read(ada)).toBe(403)
  })

  it('is that of a group, as long as the person is a member of the group', async () => {
    await app.sql(
      `with o as (select organization_id as id from sites where slug = 'practice'),
            m as (insert into memberships (organization_id, user_id, role) select id, $1, 'member' from o),
            g as (insert into groups (organization_id, name) select id, 'Doctors' from o
                  on conflict (organization_id, lower(name)) do update set name = excluded.name returning id)
       insert into group_members (group_id, user_id) select g.id, $1 from g`,
      [ada.id],
    )
    expect(await read(ada)).toEqual([2])
    const { body } = await as(practice.owner, 'GET', sitePath(`people/?search=ada-${count}`))
    expect(body.results).toMatchObject([{ user: ada.id, kind: 'member', roles: ['doctor'] }])
    expect((await as(practice.owner, 'GET', sitePath(`permissions/${ada.id}/`))).body.roles).toEqual([])
    await app.sql('delete from group_members where user_id = $1', [ada.id])
    expect(await read(ada)).toEqual([])
  })

  it('makes an account a person of the site, without a name for managers, who can keep it out', async () => {
    await give(ada, { roles: ['clerk'] })
    const people = async () => {
      const { body } = await as(practice.owner, 'GET', sitePath('people/?kind=role&page_size=100'))
      return body.results.filter(({ user }: { user: number }) => user === ada.id)
    }
    expect(await people()).toMatchObject([
      { username: null, email: null, kind: 'role', roles: ['clerk'], permissions: [] },
    ])
    const manager = await app.user(`manager-${count}`)
    await grant(app, practice, manager, ['manage_site_users'])
    const block = (by: User) => as(by, 'PUT', sitePath(`people/${ada.id}/`), { blocked: true })
    expect(await block(manager)).toMatchObject(forbidden)
    expect(await read(ada)).toEqual([1])
    expect((await block(practice.owner)).status).toBe(204)
    expect(await read(ada)).toBe(403)
    await give(ada, { roles: ['clerk'] })
    expect(await read(ada)).toBe(403)
  })

  it('is known to explanations and to X-View-As', async () => {
    const explain = (body: object) =>
      as(practice.owner, 'POST', `${practice.api}/apps/shop/datatables/rooms/access/explain/`, {
        action: 'read',
        record: 1,
        ...body,
      })
    expect(await explain({ as: { role: 'nurse' } })).toMatchObject({
      status: 400,
      body: { as: ['The site has no role "nurse".'] },
    })
    const standing = { signed_in: true, user: true, groups: [], permissions: [], roles: ['clerk'] }
    expect((await explain({ as: { role: 'clerk' } })).body).toMatchObject({ allowed: true, standing })
    await give(ada, { roles: ['clerk'] })
    expect((await explain({ as: { user: ada.id } })).body).toMatchObject({ allowed: true, standing })
    expect((await explain({ as: { group: 'Doctors' } })).body.standing.roles).toEqual(['doctor'])
    const seen = await app.request('GET', practice.data('rooms'), {
      token: practice.owner.token,
      headers: { 'x-view-as': String(ada.id) },
    })
    expect([seen.status, seen.body.total]).toEqual([200, 1])
  })

  it('comes with an invitation, whose roles the site must have: 400', async () => {
    const email = `nora-${count}@example.net`
    const invite = (names: string[]) =>
      as(practice.owner, 'POST', invitations, {
        invitee_identifier: email,
        invitation_config: { site: [{ slug: 'practice', roles: names }] },
      })
    expect(await invite(['nurse'])).toMatchObject({
      status: 400,
      body: { invitation_config: ['The site has no role "nurse".'] },
    })
    const made = await invite(['clerk', 'clerk'])
    expect(made.body.config.site).toEqual([{ slug: 'practice', permissions: [], roles: ['clerk'] }])
    const accepted = await app.request('POST', `/api/cloud/invitations/${made.body.uuid}/accept/`, {
      body: {
        password: 'Correct-horse-1',
        first_name: 'N',
        last_name: 'B',
        code: await invitationCode(app, made.body),
      },
    })
    expect(accepted.status).toBe(200)
    const held = await app.sql('select permissions, roles from site_permissions where user_id = $1', [
      accepted.body.user.id,
    ])
    expect(held).toEqual([{ permissions: [], roles: ['clerk'] }])
  })

  it('comes with a sign-up by a domain, without a membership', async () => {
    const rule = (name: string) =>
      as(practice.owner, 'PATCH', sitePath(''), {
        sign_up: 'open',
        domain_groups: [{ domain: 'clinic.example', role: name }],
      })
    expect(await rule('nurse')).toMatchObject({
      status: 400,
      body: { domain_groups: ['The site has no role "nurse".'] },
    })
    expect((await rule('clerk')).status).toBe(200)
    const body = { email: `kim-${count}@clinic.example`, password: 'Correct-horse-1' }
    await app.request('POST', `${practice.api}/auth/sign-up/`, { body })
    const token = await linkTokenOf(app, body.email)
    const made = await app.request('POST', `${practice.api}/auth/sign-up/confirm/`, {
      body: { token, password: body.password },
    })
    expect(made.status).toBe(201)
    const held = await app.sql(
      `select p.roles, (select count(*)::int from memberships m where m.user_id = p.user_id) as memberships
         from site_permissions p where p.user_id = $1`,
      [made.body.id],
    )
    expect(held).toEqual([{ roles: ['clerk'], memberships: 0 }])
    await as(practice.owner, 'PATCH', sitePath(''), { sign_up: 'closed', domain_groups: [] })
  })
})

describe('a role that is used', () => {
  it('is not removed: 409 names the rules, the people, the invitations and the sign-up rules', async () => {
    const porter = { name: 'porter', title: '', description: '', groups: [] }
    const all = [clerk, doctor, porter]
    expect((await roles('PUT', all)).status).toBe(200)
    const access = `${practice.api}/apps/shop/datatables/rooms/access/`
    const rule = { name: 'of porters', who: 'role:porter', can: ['read'], where: { id: 3 } }
    await as(practice.owner, 'PUT', access, { rules: [...rooms.schema.access.rules, rule] })
    await give(ada, { roles: ['porter'] })
    const known = await app.user(`known-${count}`)
    await give(known, { roles: ['porter'] })
    expect(await read(known)).toEqual([3])
    const invited = await as(practice.owner, 'POST', invitations, {
      invitee_identifier: `porter-${count}@example.net`,
      invitation_config: { site: [{ slug: 'practice', roles: ['porter'] }] },
    })
    const settings = (domain_groups: object[]) => as(practice.owner, 'PATCH', sitePath(''), { domain_groups })
    await settings([{ domain: 'gate.example', role: 'porter' }])
    const removed = await roles('PUT', [clerk, doctor])
    expect([removed.status, removed.body]).toEqual([
      409,
      {
        detail:
          'A role that is used is not removed: "porter" is used by the rule "of porters" of shop/rooms, ' +
          `known-${count}, the account ${ada.id}, 1 invitation, the sign-up rule of gate.example.`,
        code: 'still_referenced',
      },
    ])
    const bySettings = await as(practice.owner, 'PATCH', sitePath(''), { roles: [clerk, doctor] })
    expect([bySettings.status, bySettings.body]).toEqual([removed.status, removed.body])
    expect((await roles('GET')).body).toEqual(all.toSorted((a, b) => (a.name < b.name ? -1 : 1)))
    await as(practice.owner, 'PUT', access, rooms.schema.access)
    for (const user of [ada, known]) await give(user, { roles: [] })
    await as(practice.owner, 'DELETE', `${invitations}${invited.body.uuid}/`)
    await settings([])
    expect((await roles('PUT', [clerk, doctor])).body).toEqual([clerk, doctor])
  })

  it('is either given or removed by two managers at once, never both', async () => {
    for (let round = 0; round < 5; round++) {
      await roles('PUT', [clerk, doctor, { name: 'brief' }])
      const [given, removed] = await Promise.all([
        give(ada, { roles: ['brief'] }),
        roles('PUT', [clerk, doctor]),
      ])
      expect([
        [200, 409],
        [400, 200],
      ]).toContainEqual([given.status, removed.status])
      await give(ada, { roles: [] })
    }
    await roles('PUT', [clerk, doctor])
  })
})

describe('advice on access rules', () => {
  it('warns of a role that the site does not have, and of signed-in where sign-ups are closed', async () => {
    const access = `${practice.api}/apps/shop/datatables/rooms/access/`
    const rules = [
      { name: 'nurses', who: 'role:nurse', can: ['read'], where: { id: 1 } },
      { name: 'accounts', who: 'signed-in', can: ['read'], where: { id: 1 } },
    ]
    const advice = async () => {
      const { body } = await as(practice.owner, 'PUT', `${access}?dry_run=true`, { rules })
      return body.advice.map(({ message }: { message: string }) => message)
    }
    const lacking = 'It is for nobody: the site has no role "nurse".'
    const strangers =
      'It is for every account of the whole service, although nobody can sign up at this site. ' +
      'The people of the site are "user".'
    expect(await advice()).toEqual([lacking, strangers])
    await as(practice.owner, 'PATCH', sitePath(''), { sign_up: 'open' })
    expect(await advice()).toEqual([lacking])
    await roles('PUT', [clerk, doctor, { name: 'nurse' }])
    expect(await advice()).toEqual([])
  })
})
