/**
 * The page `/accounts/me/` of the signed-in account. Each part of it is a form that works without scripts.
 */
import { beforeAll, describe, expect, it } from 'vitest'
import { signToken } from '../../src/kernel/access/signed-tokens.ts'
import { newSession } from '../../src/kernel/access/tokens.ts'
import { configOf } from '../../src/kernel/env.ts'
import { createSite, startApp, type TestApp, type User } from '../support/app.ts'
import { roundTrips } from '../support/secrets.ts'

const path = '/accounts/me/'
const forms = [
  ...['person/', 'address/', 'password/', 'sign-ins/end/', 'sign-ins/end-others/', 'providers/unlink/'],
  ...['permissions/accept/', 'permissions/decline/', 'join/', 'export/', 'delete/', 'keep/'],
]
const password = 'Correct-horse-1'
const another = 'Another-horse-2'
const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

let app: TestApp

beforeAll(async () => {
  app = (await startApp()).with({ EMAIL_TRANSPORT: 'mailbox', PUBLIC_URL: 'http://localhost' })
  await createSite(app, 'acme')
})

const show = (cookie: string, query = '') => app.request('GET', `${path}${query}`, { headers: { cookie } })
const send = (
  name: string,
  cookie: string,
  fields: Record<string, string> = {},
  headers: Record<string, string> = { origin: 'http://localhost' },
) =>
  app.request('POST', `${path}${name}`, {
    body: new URLSearchParams(fields).toString(),
    headers: { cookie, 'content-type': 'application/x-www-form-urlencoded', ...headers },
  })

/** Signs in as a browser does. Returns the cookie of the session. */
async function signIn(username: string, secret = password): Promise<string> {
  const { headers } = await app.request('POST', '/api/auth/session/', {
    body: { username, password: secret },
    headers: { 'user-agent': firefox },
  })
  return headers.get('set-cookie')?.split(';')[0] ?? ''
}

/** Returns the cookie of a session that started an hour ago. */
async function oldCookie(user: User): Promise<string> {
  const config = configOf(app.env)
  const session = newSession(config, { ...(await app.identity(user)), methods: ['pwd'] })
  const signedInAt = new Date(Date.now() - 3_600_000)
  return `sessionid=${await signToken(config, 'session', { ...session, signedInAt })}`
}

const statusOf = (page: string) => /role="status">([^<]+)</.exec(page)?.[1]
const alertOf = (page: string) => /role="alert"[^>]*>([^<]+)</.exec(page)?.[1]

describe('/accounts/me/', () => {
  it('returns 401 without a session, with a link back; 403 for forms of other pages, which change nothing', async () => {
    const user = await app.user('ada', { password })
    const cookie = await signIn('ada')
    const foreign: Record<string, string>[] = [
      {},
      { origin: 'https://evil.test' },
      { 'sec-fetch-site': 'cross-site' },
    ]
    const shown = await app.request('GET', path)
    expect([shown.status, shown.body.includes(`next=${encodeURIComponent(path)}`)]).toEqual([401, true])
    for (const name of forms) {
      expect((await send(name, '')).status).toBe(401)
      for (const headers of foreign)
        expect([name, (await send(name, cookie, {}, headers)).status]).toEqual([name, 403])
    }
    expect((await app.request('GET', '/api/users/me/', { token: user.token })).body.deletes_at).toBeNull()
  })

  it('returns 400 or 404 for invalid input, with the page and the errors', async () => {
    await app.user('bo', { password })
    const cookie = await signIn('bo')
    const wrong: [name: string, fields: Record<string, string>, status: number, text: string][] = [
      [
        'person/',
        { first_name: '\u0007', last_name: '', preferred_language: '' },
        400,
        'A name must not contain control characters.',
      ],
      [
        'person/',
        { first_name: '', last_name: '', preferred_language: 'klingon' },
        400,
        'A language is a code such as &quot;de&quot; or &quot;en-GB&quot;.',
      ],
      ['address/', { email: '"><b>' }, 400, 'An e-mail address is required.'],
      ['password/', { current_password: 'no', password: another }, 400, 'This is not the current password.'],
      [
        'password/',
        { current_password: password, password: 'Password1' },
        400,
        'This is one of the 10,000 most common passwords.',
      ],
      ['sign-ins/end/', { id: crypto.randomUUID() }, 404, 'This page does not exist.'],
      ['providers/unlink/', { id: '1' }, 404, 'This page does not exist.'],
      ['permissions/accept/', { id: 'acme' }, 404, 'This page does not exist.'],
      ['permissions/decline/', { id: 'acme' }, 404, 'This page does not exist.'],
    ]
    for (const [name, fields, status, text] of wrong) {
      const answer = await send(name, cookie, fields)
      expect([name, answer.status, alertOf(answer.body)?.includes(text)]).toEqual([name, status, true])
      expect(answer.body).toContain(`action="${path}person/"`)
      expect(answer.body).not.toMatch(/<script|<b>/)
    }
    expect((await show(cookie)).status).toBe(200)
  })

  it('returns 403 for an old sign-in where the API needs a recent one, with a link to sign in', async () => {
    const cookie = await oldCookie(await app.user('cy', { password }))
    for (const [name, fields] of [
      ['address/', { email: 'new@example.org' }],
      ['export/', {}],
      ['delete/', {}],
    ] as const) {
      const { status, body } = await send(name, cookie, fields)
      expect([name, status]).toEqual([name, 403])
      expect(body).toContain('href="/accounts/login/?auto_redirect=false&amp;next=%2Faccounts%2Fme%2F"')
    }
  })

  it('tells an account without a password how to get one', async () => {
    const user = await app.user('dee', { password })
    const cookie = await signIn('dee')
    await app.sql('update users set password_hash = null where id = $1', [user.id])
    const { status, body } = await send('password/', cookie, {
      current_password: password,
      password: another,
    })
    expect([status, body.includes('/api/'), body.includes('href="/accounts/password/reset/"')]).toEqual([
      400,
      false,
      true,
    ])
  })

  it('changes names and language, and confirms it once', async () => {
    const user = await app.user('eve', { password })
    const cookie = await signIn('eve')
    const names = { first_name: 'Eve', last_name: '"><script>' }
    const saved = await send('person/', cookie, { ...names, preferred_language: 'de-AT' })
    expect([saved.status, saved.headers.get('location')]).toEqual([303, `${path}?done=saved`])
    const page = await show(cookie, '?done=saved')
    expect(statusOf(page.body)).toBe('Your changes are saved.')
    expect(page.body).toContain('value="&quot;&gt;&lt;script&gt;"')
    expect(statusOf((await show(cookie, '?done=toString')).body)).toBeUndefined()
    const mine = await app.request('GET', '/api/users/me/', { token: user.token })
    expect(mine.body).toMatchObject({ ...names, preferred_language: 'de-AT' })
    await send('person/', cookie, { ...names, preferred_language: '' })
    const without = await app.request('GET', '/api/users/me/', { token: user.token })
    expect(without.body).toMatchObject({ preferred_language: null })
  })

  it('changes the password, ends the other sign-ins, and keeps this browser signed in', async () => {
    await app.user('flo', { password })
    const [cookie, other] = [await signIn('flo'), await signIn('flo')]
    const changed = await send('password/', cookie, { current_password: password, password: another })
    expect([changed.status, changed.headers.get('location')]).toEqual([303, `${path}?done=passwordChanged`])
    const next = changed.headers.get('set-cookie')?.split(';')[0] ?? ''
    expect([(await show(cookie)).status, (await show(other)).status, (await show(next)).status]).toEqual([
      401, 401, 200,
    ])
    expect(await signIn('flo', another)).toMatch(/^sessionid=/)
  })

  it('lets the person join the site of the page, where sign-ups are open', async () => {
    const user = await app.user('hal', { password })
    const { owner } = await createSite(app, 'harbour')
    const cookie = await signIn('hal')
    const at = `/sites/harbour${path}`
    const shown = async (query = '') =>
      (await app.request('GET', `${at}${query}`, { headers: { cookie } })).body
    const submit = () =>
      app.request('POST', `${at}join/`, {
        body: '',
        headers: {
          cookie,
          'content-type': 'application/x-www-form-urlencoded',
          origin: 'http://localhost',
        },
      })
    const terms = (body: object) =>
      app.request('PATCH', '/api/cloud/sites/harbour/', { token: owner.token, body })
    expect((await shown()).includes('Join harbour')).toBe(false)
    const refused = await submit()
    expect([refused.status, alertOf(refused.body)]).toEqual([403, 'This site does not allow sign-ups.'])
    await terms({ sign_up: 'open', branding: { name: 'The <Harbour>' } })
    expect(await shown()).toMatch(/<button type="submit" class="button main">Join The &lt;Harbour&gt;</)
    const unproved = await submit()
    expect([unproved.status, alertOf(unproved.body)?.includes('verified e-mail address')]).toEqual([
      400,
      true,
    ])
    await terms({ require_verified_email: false })
    const joined = await submit()
    expect([joined.status, joined.headers.get('location')]).toEqual([303, `${at}?done=joined`])
    const after = await shown('?done=joined')
    expect([statusOf(after), after.includes('Join The')]).toEqual(['You have joined this site.', false])
    expect((await show(cookie)).body).not.toContain('Join ')
    const kinds = await app.sql(
      `select p.kind from sites s, public.people_of(s.id) p where s.slug = 'harbour' and p.user_id = $1`,
      [user.id],
    )
    expect(kinds).toEqual([{ kind: 'sign_up' }])
  })

  it('lists rights that organizations have given, in the language of the browser, and accepts or declines them', async () => {
    const user = await app.user('ines', { password })
    await createSite(app, 'depot')
    const cookie = await signIn('ines')
    expect((await show(cookie)).body).not.toContain('Rights in sites')
    await app.sql(
      `insert into site_permissions (site_id, user_id, permissions)
       select id, $1, '{access_site}' from sites where slug in ('acme', 'depot')`,
      [user.id],
    )
    const offered = ({ body }: { body: string }) =>
      [...body.matchAll(/permissions\/(\w+)\/"><input type="hidden" name="id" value="([^"]+)"/g)].map(
        ([, action, id]) => `${action} ${id}`,
      )
    const shown = await show(cookie)
    expect(offered(shown)).toEqual(['accept acme', 'decline acme', 'accept depot', 'decline depot'])
    expect(shown.body).toContain('aria-label="Accept the rights in acme (')
    const german = await app.request('GET', path, { headers: { cookie, 'accept-language': 'de' } })
    expect(german.body).toMatch(/Rechte in Sites[\s\S]*aria-label="Rechte in acme \([^"]+\) annehmen"/)

    const accepted = await send('permissions/accept/', cookie, { id: 'acme' })
    expect([accepted.status, accepted.headers.get('location')]).toEqual([303, `${path}?done=accepted`])
    const declined = await send('permissions/decline/', cookie, { id: 'depot' })
    expect([declined.status, declined.headers.get('location')]).toEqual([303, `${path}?done=declined`])
    const after = await show(cookie, '?done=accepted')
    expect([statusOf(after.body), offered(after)]).toEqual(['You have accepted the rights.', []])
    const standing = await app.sql(
      `select s.slug, p.user_id is not null as permitted, g.user_id is not null as accepted
         from sites s left join site_permissions p on p.site_id = s.id and p.user_id = $1
         left join site_guests g on g.site_id = s.id and g.user_id = $1
        where s.slug in ('acme', 'depot') order by s.slug`,
      [user.id],
    )
    expect(standing).toEqual([
      { slug: 'acme', permitted: true, accepted: true },
      { slug: 'depot', permitted: false, accepted: false },
    ])
  })

  it('lists the sign-ins of the account, ends one, and ends all others', async () => {
    await app.user('gil', { password })
    const cookies = [await signIn('gil'), await signIn('gil'), await signIn('gil')] as const
    const { body } = await show(cookies[0])
    expect(body).toContain('Firefox on Linux, this browser')
    const ids = [...body.matchAll(/name="id" value="([^"]+)"/g)].map(([, id]) => id as string)
    expect(ids).toHaveLength(2)
    await app.user('hedy', { password })
    expect((await send('sign-ins/end/', await signIn('hedy'), { id: ids[0] as string })).status).toBe(404)
    expect((await send('sign-ins/end/', cookies[0], { id: ids[0] as string })).status).toBe(303)
    const statuses = async () => Promise.all(cookies.map(async (cookie) => (await show(cookie)).status))
    expect((await statuses()).toSorted()).toEqual([200, 200, 401])
    expect((await send('sign-ins/end-others/', cookies[0])).status).toBe(303)
    expect(await statuses()).toEqual([200, 401, 401])
  })

  it('returns the same file with the data of the account as the API', async () => {
    const { token } = await app.user('filer', { password })
    const { status, headers, body } = await send('export/', await signIn('filer'))
    expect([status, headers.get('content-disposition')]).toEqual([200, 'attachment; filename="account.json"'])
    expect(JSON.stringify(body)).toBe((await app.request('GET', '/api/users/me/export/', { token })).text)
  })

  it('plans the deletion of the account and signs out; signing in again can cancel it', async () => {
    await app.user('ian', { password })
    const cookie = await signIn('ian')
    const planned = await send('delete/', cookie)
    expect([planned.status, planned.headers.get('set-cookie')]).toEqual([
      200,
      expect.stringMatching(/^sessionid=; /),
    ])
    expect(statusOf(planned.body)).toMatch(
      /^You are signed out everywhere\. Your account is deleted on \d{4}-/,
    )
    expect((await show(cookie)).status).toBe(401)
    const again = await signIn('ian')
    expect((await show(again)).body).toContain('Keep the account')
    expect((await send('keep/', again)).headers.get('location')).toBe(`${path}?done=kept`)
    expect((await show(again)).body).not.toContain('Keep the account')
  })

  it('is read in one round trip', async () => {
    await app.user('jo', { password })
    const cookie = await signIn('jo')
    expect(roundTrips(await show(cookie))).toBe(1)
  })
})
