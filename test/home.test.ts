/**
 * The start page: a description of the service for everybody, and the account and its sites for signed-in
 * users.
 */
import { beforeAll, describe, expect, it } from 'vitest'
import { issueSession } from '../src/kernel/access/tokens.ts'
import { configOf } from '../src/kernel/env.ts'
import { createSite, type Site, startApp, type TestApp, type User } from './support/app.ts'
import { grant } from './support/fixtures.ts'

let app: TestApp
let mine: Site
let theirs: Site
let guest: User

beforeAll(async () => {
  app = await startApp()
  mine = await createSite(app, 'mine')
  theirs = await createSite(app, 'theirs')
  guest = await app.user('guest')
  await grant(app, theirs, guest, ['access_site'])
})

const origin = 'https://tessera.test'
const cookieOf = async (user: User) =>
  `sessionid=${await issueSession(configOf(app.env), await app.identity(user))}`
const open = (cookie?: string) =>
  app.request('GET', `${origin}/`, cookie === undefined ? {} : { headers: { cookie } })
const sitesIn = (body: string) => [...body.matchAll(/href="\/console\/([\w-]+)\/"/g)].map(([, slug]) => slug)

describe('the start page without a session', () => {
  it('describes the service, and links to sign-in, console, documentation and API reference', async () => {
    const { status, body, headers } = await open()
    expect([status, headers.get('content-type'), headers.get('cache-control')]).toEqual([
      200,
      'text/html; charset=UTF-8',
      'no-store',
    ])
    for (const address of ['/accounts/login/', '/console/', '/docs/', '/api/docs/'])
      expect(body).toContain(`href="${address}"`)
    expect(body).not.toMatch(/<style|style="|<script/)
  })

  it('is in the language that the browser prefers', async () => {
    const { body, headers } = await app.request('GET', `${origin}/`, {
      headers: { 'accept-language': 'de-AT, en;q=0.5' },
    })
    expect(headers.get('content-language')).toBe('de')
    expect(body).toContain('<html lang="de">')
    expect(body).toContain('Tessera läuft')
  })

  it.each(['nonsense', 'a.b.c'])('is also shown with the invalid cookie %j', async (value) => {
    const { status, body } = await open(`sessionid=${value}`)
    expect([status, body.includes('href="/accounts/login/"')]).toEqual([200, true])
  })

  it('is also shown with a session that has ended', async () => {
    const cookie = await cookieOf(await app.user('gone'))
    await app.sql(`update users set is_active = false where username = 'gone'`)
    const { status, body } = await open(cookie)
    expect([status, body.includes('href="/accounts/login/"')]).toEqual([200, true])
  })
})

describe('the start page with a session', () => {
  it('names the account and lists only the sites that it can access', async () => {
    const { status, body } = await open(await cookieOf(guest))
    expect([status, sitesIn(body)]).toEqual([200, ['theirs']])
    expect(body).toContain(`Signed in as guest, ${guest.email}`)
    expect(body).toContain('href="/accounts/me/"')
    expect(body).toContain('href="/sites/theirs/api/docs/"')
    expect(sitesIn((await open(await cookieOf(mine.owner))).body)).toEqual(['mine'])
  })

  it('lists every site for a superuser, and none for strangers and members without permissions', async () => {
    const root = await app.user('root', { superuser: true })
    expect(sitesIn((await open(await cookieOf(root))).body)).toEqual(['mine', 'theirs'])
    const member = await app.user('member')
    expect(sitesIn((await open(await cookieOf(member))).body)).toEqual([])
    await app.sql(
      `insert into memberships (organization_id, user_id, role)
       select id, $1, 'member' from organizations where slug = 'mine-org'`,
      [member.id],
    )
    expect(sitesIn((await open(await cookieOf(member))).body)).toEqual([])
  })

  it('lists only the sites of one organization for a sign-in by the provider of that organization', async () => {
    await grant(app, mine, guest, ['access_site'])
    const [{ id } = { id: 0 }] = await app.sql<{ id: number }>(
      `select id from organizations where slug = 'mine-org'`,
    )
    const identity = { ...(await app.identity(guest)), organizationId: Number(id) }
    const cookie = `sessionid=${await issueSession(configOf(app.env), identity)}`
    const { body } = await open(cookie)
    expect(sitesIn(body)).toEqual([])
    expect(body).toContain('href="/accounts/login/"')
    expect(sitesIn((await open(await cookieOf(guest))).body)).toEqual(['mine', 'theirs'])
  })

  it('contains names as plain text', async () => {
    const crafted = await app.user('crafted')
    await app.sql(`update users set first_name = '<script>alert(1)</script>' where id = $1`, [crafted.id])
    const { body } = await open(await cookieOf(crafted))
    expect(body).toContain('&lt;script&gt;')
    expect(body).not.toContain('<script>')
  })
})

describe('POST /accounts/logout/', () => {
  const signOut = (cookie: string, headers: Record<string, string> = { origin }) =>
    app.request('POST', `${origin}/accounts/logout/`, {
      headers: { cookie, 'content-type': 'application/x-www-form-urlencoded', ...headers },
      body: '',
    })

  it('signs nobody out for a form of another page', async () => {
    const cookie = await cookieOf(guest)
    expect((await signOut(cookie, { origin: 'https://evil.test' })).status).toBe(403)
    expect((await open(cookie)).body).toContain('Signed in as')
  })

  it('ends the session, removes the cookie and redirects to the start page', async () => {
    const cookie = await cookieOf(guest)
    const { status, headers } = await signOut(cookie)
    expect([status, headers.get('location')]).toEqual([303, '/'])
    expect(headers.get('set-cookie')).toMatch(/^sessionid=; Max-Age=0; Path=\//)
    expect((await open(cookie)).body).not.toContain('Signed in as')
  })
})
