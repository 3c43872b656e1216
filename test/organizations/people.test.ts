/** The people of a site: who is listed, and how one is kept out. X2. */
import { beforeAll, beforeEach, expect, it } from 'vitest'
import { startApp, type TestApp, type User } from '../support/app.ts'
import { createShop, type Shop } from '../support/fixtures.ts'
import { commitWhenAwaited } from '../support/locks.ts'
import { createDirectory, schemas } from '../support/scim.ts'

let app: TestApp
let shop: Shop
let ada: User
let count = 0

const key = { name: 'id', type: 'integer' }
const access = { rules: [{ name: 'of users', who: 'user', can: ['read'] }] }
const people = (method: string, path = '', body?: object, by = shop.owner) =>
  app.request(method, `/api/cloud/sites/${shop.slug}/people/${path}`, { token: by.token, body })
const join = (user: User) => app.request('POST', `${shop.api}/auth/join/`, { token: user.token })
const read = async (user: User) =>
  (await app.request('GET', shop.data('notes'), { token: user.token })).status
const listed = async (user: User) =>
  (await people('GET', '?page_size=100')).body.results.find(
    (person: { user: number }) => person.user === user.id,
  )
const forbidden = {
  status: 403,
  body: { detail: 'You do not have permission to perform this action.', code: 'permission_denied' },
}

beforeAll(async () => {
  app = await startApp()
  shop = await createShop(app, 'surgery', {
    resources: [{ name: 'notes', schema: { fields: [key], primaryKey: 'id', access } }],
  })
  const open = { sign_up: 'open', require_verified_email: false }
  await app.request('PATCH', `/api/cloud/sites/${shop.slug}/`, { token: shop.owner.token, body: open })
})
beforeEach(async () => {
  ada = await app.user(`patient-${++count}`)
})

it('are listed for those with manage_site_users alone', async () => {
  expect(await people('GET', '', undefined, ada)).toMatchObject(forbidden)
  await join(ada)
  for (const [method, body] of [
    ['PUT', { blocked: true }],
    ['DELETE', undefined],
  ] as const)
    expect(await people(method, `${shop.owner.id}/`, body, ada)).toMatchObject(forbidden)
})

it('are listed with what makes them so, and strangers to whom only a permission was given without names', async () => {
  expect(await listed(ada)).toBeUndefined()
  await join(ada)
  expect(await listed(ada)).toEqual({
    user: ada.id,
    username: `patient-${count}`,
    email: ada.email,
    full_name: '',
    kind: 'sign_up',
    joined_by: 'sign_up',
    role: null,
    permissions: [],
    roles: [],
    since: expect.stringMatching(/^\d{4}-.*Z$/),
    blocked: false,
  })
  expect(await listed(shop.owner)).toMatchObject({ kind: 'member', role: 'owner' })
  const stranger = await app.user(`stranger-${count}`)
  const grant = { permissions: ['access_site'] }
  const path = `/api/cloud/sites/${shop.slug}/permissions/${stranger.id}/`
  await app.request('PUT', path, { token: shop.owner.token, body: grant })
  expect(await listed(stranger)).toMatchObject({
    username: null,
    email: null,
    full_name: null,
    kind: 'permission',
    permissions: ['access_site'],
    since: null,
  })
  const { body } = await people('GET', `?kind=permission&search=stranger-${count}`)
  expect(body.results).toEqual([])
  expect((await people('DELETE', `${stranger.id}/`)).status).toBe(403)
  expect((await people('PUT', `${shop.owner.id}/`, { blocked: true })).status).toBe(403)
})

it('are users of the site until a manager removes them, and can join again', async () => {
  expect((await people('DELETE', `${ada.id}/`)).status).toBe(404)
  await join(ada)
  expect(await read(ada)).toBe(200)
  expect((await people('DELETE', `${ada.id}/`)).status).toBe(204)
  expect(await read(ada)).toBe(403)
  expect(await listed(ada)).toMatchObject({ kind: 'visit', blocked: false })
  await join(ada)
  expect(await read(ada)).toBe(200)
})

it('who are kept out are nobody to the rules, and neither leaving nor joining changes that', async () => {
  await join(ada)
  expect((await people('PUT', `${ada.id}/`, { blocked: true })).status).toBe(204)
  expect(await read(ada)).toBe(403)
  const leave = `/api/users/me/permissions/${shop.slug}/`
  expect((await app.request('DELETE', leave, { token: ada.token })).status).toBe(404)
  expect((await join(ada)).status).toBe(403)
  expect(await listed(ada)).toMatchObject({ blocked: true })
  expect((await people('PUT', `${ada.id}/`, { blocked: false })).status).toBe(204)
  expect(await read(ada)).toBe(403)
  expect((await join(ada)).status).toBe(204)
  expect(await read(ada)).toBe(200)
})

const site = `(select s.id from public.sites s where s.slug = 'surgery')`
it.each([
  [
    'permissions',
    (user: number) => `
    update public.site_permissions set permissions = '{admin_site}' where user_id = ${user}`,
    'permission',
  ],
  [
    'first permissions',
    (user: number) => `
    insert into public.site_permissions (site_id, user_id, permissions)
    values (${site}, ${user}, '{admin_site}')`,
    'permission',
  ],
  [
    'a membership',
    (user: number) => `
    insert into public.memberships (organization_id, user_id, role)
    select s.organization_id, ${user}, 'member' from public.sites s where s.slug = 'surgery'`,
    'member',
  ],
] as const)('who get %s at the same moment are not removed: 403', async (what, statement, kind) => {
  await join(ada)
  if (what === 'permissions')
    await app.sql(`insert into site_permissions (site_id, user_id, permissions) values (${site}, $1, '{}')`, [
      ada.id,
    ])
  const { committed } = await commitWhenAwaited(app, statement(ada.id))
  expect((await people('DELETE', `${ada.id}/`)).status).toBe(403)
  await committed
  expect(await listed(ada)).toMatchObject({ kind })
})

it('say by which act they came: an invitation, a directory, or none that is known', async () => {
  const actOf = async (email: string) => {
    const { body } = await people('GET', `?search=${encodeURIComponent(email)}`)
    return body.results.map(({ kind, joined_by }: Record<string, string>) => [kind, joined_by])
  }
  expect(await actOf(shop.owner.email)).toEqual([['member', null]])
  const invited = await app.user(`invited-${count}`)
  const invitations = `/api/cloud/organizations/${shop.slug}-org/invitations/`
  await app.request('POST', invitations, {
    token: shop.owner.token,
    body: { invitee_identifier: invited.email },
  })
  await app.sql(`select public.grant_invited(i, $2) from invitations i where i.invitee_identifier = $1`, [
    invited.email,
    invited.id,
  ])
  expect(await actOf(invited.email)).toEqual([['member', 'invitation']])
  const directory = await createDirectory(app, shop)
  const email = `listed-${count}@example.org`
  const made = await directory.call('POST', '/Users', {
    schemas: schemas.user,
    userName: email,
    emails: [{ value: email, primary: true }],
  })
  expect(made.status).toBe(201)
  expect(await actOf(email)).toEqual([['member', 'directory']])
})
