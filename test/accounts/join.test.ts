/** Joining a site with an account, and who is a user of a site. X2. */
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { TestApp, User } from '../support/app.ts'
import { createEventful, type Eventful, eventfulShop, noop } from '../support/events.ts'
import { createShop, type Shop } from '../support/fixtures.ts'

let app: TestApp
let shop: Shop
let mine: Eventful
let theirs: Eventful
let ada: User
let count = 0

const key = { name: 'id', type: 'integer' }
const rule = { name: 'of users', who: 'user', can: ['read', 'create'] }
const terms = (change: object) =>
  app.request('PATCH', `/api/cloud/sites/${shop.slug}/`, { token: shop.owner.token, body: change })
const join = (user: User | undefined, at = shop) =>
  app.request('POST', `${at.api}/auth/join/`, { token: user?.token })
const read = async (user: User) => {
  const { status } = await app.request('GET', shop.data('notes'), { token: user.token })
  return status
}
const prove = (user: User) => app.sql('update users set email_verified_at = now() where id = $1', [user.id])

beforeAll(async () => {
  mine = await createEventful('practice')
  theirs = await eventfulShop(mine.app, 'laboratory', mine.queue)
  app = mine.app
  shop = await createShop(app, 'clinic', {
    resources: [{ name: 'notes', schema: { fields: [key], primaryKey: 'id', access: { rules: [rule] } } }],
  })
})

beforeEach(async () => {
  await terms({ sign_up: 'open', allowed_domains: [], require_verified_email: true })
  ada = await app.user(`ada-${++count}`)
  await prove(ada)
})

describe('joining a site', () => {
  it('returns 401 without credentials, and 403 where sign-ups are closed', async () => {
    expect((await join(undefined)).status).toBe(401)
    await terms({ sign_up: 'closed' })
    expect(await join(ada)).toMatchObject({
      status: 403,
      body: { detail: 'This site does not allow sign-ups.', code: 'sign_up_closed' },
    })
    expect(await read(ada)).toBe(403)
  })

  it('returns 403 without an invitation where sign-ups need one', async () => {
    await terms({ sign_up: 'invited' })
    expect(await join(ada)).toMatchObject({ status: 403, body: { code: 'sign_up_closed' } })
  })

  it('returns 400 for a domain that the site does not allow, and for an address that is not verified', async () => {
    await terms({ allowed_domains: ['elsewhere.example'] })
    expect(await join(ada)).toMatchObject({
      status: 400,
      body: { email: ['This site does not allow e-mail addresses of this domain.'] },
    })
    await terms({ allowed_domains: [] })
    await app.sql('update users set email_verified_at = null where id = $1', [ada.id])
    expect(await join(ada)).toMatchObject({
      status: 400,
      body: { email: ['This site requires a verified e-mail address. Verify yours first.'] },
    })
    expect(await read(ada)).toBe(403)
  })

  it('makes the account a user of this site alone, also a second time', async () => {
    expect(await read(ada)).toBe(403)
    expect([(await join(ada)).status, (await join(ada)).status]).toEqual([204, 204])
    expect(await read(ada)).toBe(200)
    const other = await createShop(app, `other-${count}`, {
      resources: [{ name: 'notes', schema: { fields: [key], primaryKey: 'id', access: { rules: [rule] } } }],
    })
    const there = await app.request('POST', other.data('notes'), { token: ada.token, body: { id: 1 } })
    expect(there.status).toBe(403)
  })

  it('ends when the person leaves', async () => {
    await join(ada)
    const path = `/api/users/me/permissions/${shop.slug}/`
    expect((await app.request('DELETE', path, { token: ada.token })).status).toBe(204)
    expect(await read(ada)).toBe(403)
  })
})

it('a visit makes nobody a user of the site, but a person of it, as whom managers can see', async () => {
  expect(await read(ada)).toBe(403)
  const seen = async () =>
    (
      await app.request('GET', shop.data('notes'), {
        token: shop.owner.token,
        headers: { 'x-view-as': String(ada.id) },
      })
    ).status
  await app.sql(
    `insert into site_guests (user_id, site_id) select $1, s.id from sites s where s.slug = $2
     on conflict do nothing`,
    [ada.id, shop.slug],
  )
  expect(await seen()).toBe(403)
  await join(ada)
  expect(await seen()).toBe(200)
})

it('the functions of the site, and of no other, hear of who joins, and can refuse it', async () => {
  const open = { sign_up: 'open' }
  for (const site of [mine.shop, theirs.shop])
    await mine.app.request('PATCH', `/api/cloud/sites/${site.slug}/`, { token: site.owner.token, body: open })
  await mine.listener('doorman', ['PRE_USER_CREATE'], {
    code: 'export default ({ phase }) => { if (phase === "joined") throw new Error("Not today") }',
  })
  for (const { listener } of [mine, theirs]) await listener('greeter', ['POST_USER_CREATE'], noop)
  // The organization of the other site knows the person.
  const member = theirs.shop.owner
  await prove(member)
  const refused = await join(member, mine.shop)
  expect([refused.status, JSON.stringify(refused.body)]).toEqual([400, expect.stringContaining('Not today')])
  await mine.app.sql('delete from tenant._subscribers where event = $1', ['PRE_USER_CREATE'])
  expect((await join(member, mine.shop)).status).toBe(204)
  expect(await mine.runs('greeter')).toMatchObject([
    { event: 'POST_USER_CREATE', params: { id: member.id, email: member.email, phase: 'joined' } },
  ])
  expect(await theirs.runs('greeter')).toEqual([])
})
