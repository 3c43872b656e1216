/** Names that differ by case only, and addresses at international domains, at every door. T12. */
import { beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '../support/app.ts'
import { lettersTo, linkTokenOf } from '../support/letters.ts'
import { createDirectory, type Directory, patch, schemas } from '../support/scim.ts'
import { createSocialSite, type SocialSite, verified } from '../support/social-login.ts'

let app: TestApp
let site: SocialSite
let directory: Directory
const password = 'Correct-horse-1'

beforeAll(async () => {
  app = (await startApp()).with({
    ALLOW_PRIVATE_HOSTS: 'true',
    EMAIL_TRANSPORT: 'mailbox',
    PUBLIC_URL: 'https://app.example.com',
    RATE_LIMIT_SCALE: '1000',
  })
  site = await createSocialSite(app, 'dune', ['one'])
  directory = await createDirectory(app, site)
  const settings = { sign_up: 'open', sign_up_by_provider: true }
  await app.request('PATCH', '/api/cloud/sites/dune/', { token: site.owner.token, body: settings })
})

const asOwner = (method: string, path: string, body?: unknown, of = app) =>
  of.request(method, `/api${path}`, { token: site.owner.token, ...(body === undefined ? {} : { body }) })
const addUser = (username: string, email: string) => asOwner('POST', '/users/', { username, email, password })
const signIn = (username: string, secret = password, of = app) =>
  of.request('POST', '/api/auth/jwt/token/', { body: { username, password: secret } })
const person = (userName: string) => ({ schemas: schemas.user, userName })
const storedAs = async (email: string) =>
  (await app.sql<{ count: number }>('select count(*)::int as count from users where email = $1', [email]))[0]
    ?.count

describe('a user name', () => {
  beforeAll(async () => {
    expect((await addUser('Grace', 'grace@example.net')).status).toBe(201)
  })

  it.each(['Grace', 'grace', 'GRACE'])('%s cannot be made, because another account has it', async (name) => {
    expect(await addUser(name, `${crypto.randomUUID()}@example.net`)).toMatchObject({
      status: 400,
      body: { username: ['A user with this name already exists.'] },
    })
  })

  it.each(['ME', 'Me'])('%s is reserved, as `me` is', async (name) => {
    expect(await addUser(name, 'me@example.net')).toMatchObject({
      status: 400,
      body: { username: ['This name is reserved.'] },
    })
  })

  it.each(['Grace', 'grace', 'GRACE'])('%s names the account in paths, and signs in', async (name) => {
    expect(await asOwner('GET', `/users/${name}/`)).toMatchObject({
      status: 200,
      body: { username: 'Grace' },
    })
    expect(await asOwner('PATCH', `/users/${name}/`, { first_name: name })).toMatchObject({
      status: 200,
      body: { username: 'Grace', first_name: name },
    })
    expect((await signIn(name)).status).toBe(200)
  })

  it('is counted as one account in any case', async () => {
    expect((await addUser('Hopper', 'hopper@example.net')).status).toBe(201)
    const strict = app.with({ RATE_LIMIT_SCALE: '1', RATE_LIMIT_PASSWORD: '4' })
    const tries = ['hopper', 'HOPPER', 'Hopper', 'hOPPER', 'hopPER', 'hopper@EXAMPLE.net']
    const statuses: number[] = []
    for (const [index, name] of tries.entries()) {
      const headers = { 'cf-connecting-ip': `203.0.113.${index}` }
      const body = { username: name, password: 'Wrong-horse-1' }
      statuses.push((await strict.request('POST', '/api/auth/jwt/token/', { headers, body })).status)
    }
    expect(statuses).toEqual([401, 401, 401, 401, 429, 429])
  })

  it('that a provider prefers gets a variation if another account has it in another case', async () => {
    const claims = { ...verified('g1', 'g1@example.net'), preferred_username: 'gRACE' }
    const made = await site.signIn('one', claims)
    expect([made.status, made.body.user.username]).toEqual([200, expect.stringMatching(/^gRACE-/)])
  })

  it('that is an address cannot be somebody else’s address in another case', async () => {
    expect((await addUser('ADA@example.net', 'ada@example.net')).status).toBe(201)
    expect(await addUser('ada2', 'Ada@Example.net')).toMatchObject({
      status: 400,
      body: { email: [expect.any(String)] },
    })
  })

  it('is deleted by its name in any case', async () => {
    expect((await asOwner('DELETE', '/users/gRaCe/')).status).toBe(204)
    expect(await app.sql(`select id from users where username = 'Grace'`)).toEqual([])
  })
})

describe('a group', () => {
  it('cannot be made or renamed to a name that another one has in another case', async () => {
    const group = (displayName: string) =>
      directory.call('POST', '/Groups', { schemas: schemas.group, displayName })
    expect((await group('Sales')).status).toBe(201)
    expect((await group('SALES')).status).toBe(409)
    const { body } = await group('Buyers')
    const rename = patch({ op: 'replace', path: 'displayName', value: 'sales' })
    expect((await directory.call('PATCH', `/Groups/${body.id}`, rename)).status).toBe(409)
  })

  it('is joined by an invitation that names it in another case', async () => {
    const invited = await asOwner('POST', '/cloud/organizations/dune-org/invitations/', {
      invitee_identifier: 'seller@example.net',
      invitation_config: { group: ['sales', 'Sales', 'Packers', 'PACKERS'], site: [] },
    })
    const body = { password, first_name: 'S', last_name: 'L' }
    const path = `/api/cloud/invitations/${invited.body.uuid}/accept/`
    expect((await app.request('POST', path, { body })).status).toBe(200)
    const groups = await app.sql<{ name: string }>(
      `select g.name from groups g join group_members m on m.group_id = g.id
         join users u on u.id = m.user_id where u.email = 'seller@example.net' order by 1`,
    )
    expect(groups.map(({ name }) => name.toLowerCase())).toEqual(['packers', 'sales'])
    expect(await app.sql(`select name from groups where lower(name) = 'sales'`)).toEqual([{ name: 'Sales' }])
  })
})

/** Each door takes an address, and returns the address that its answer shows. */
const doors: Readonly<Record<string, (address: string) => Promise<string>>> = {
  'POST /api/users/': async (address) => (await addUser(`user-${address.slice(0, 1)}`, address)).body.email,
  'POST /api/users/ with the address as the name': async (address) =>
    (await addUser(address, address)).body.email,
  'PATCH /api/users/{username}/': async (address) => {
    await addUser('patched', 'patched@example.net')
    return (await asOwner('PATCH', '/users/patched/', { email: address })).body.email
  },
  'an invitation': async (address) =>
    (await asOwner('POST', '/cloud/organizations/dune-org/invitations/', { invitee_identifier: address }))
      .body.invitee_identifier,
  'SCIM, as the user name': async (address) =>
    (await directory.call('POST', '/Users', person(address))).body.emails[0].value,
  'SCIM, as an e-mail': async (address) =>
    (
      await directory.call('POST', '/Users', {
        ...person(`scim-${address.slice(0, 1)}`),
        emails: [{ value: address, type: 'work', primary: true }],
      })
    ).body.emails[0].value,
  'a provider': async (address) =>
    (await site.signIn('one', verified(`subject-${address.slice(0, 1)}`, address))).body.user.email,
  'a sign-up': async (address) => {
    await app.request('POST', `${site.api}/auth/sign-up/`, { body: { email: address, password } })
    const token = await linkTokenOf(app, address.replace('bücher', 'xn--bcher-kva'))
    const confirm = { body: { token, password } }
    return (await app.request('POST', `${site.api}/auth/sign-up/confirm/`, confirm)).body.email
  },
}

describe('an address at an international domain', () => {
  it.each(Object.entries(doors).map(([door, enter], index) => ({ door, enter, index })))(
    'is stored as Punycode and shown as it was written: $door',
    async ({ enter, index }) => {
      const local = 'abcdefgh'[index]
      expect(await enter(`${local}@bücher.example`)).toBe(`${local}@bücher.example`)
      expect(await storedAs(`${local}@xn--bcher-kva.example`)).toBe(1)
    },
  )

  it('is found by its two forms, by sign-in, path, search, filter and reset', async () => {
    const forms = ['b@bücher.example', 'B@BÜCHER.example', 'b@xn--bcher-kva.example']
    for (const form of forms) {
      expect((await signIn(form)).status).toBe(200)
      expect((await asOwner('GET', `/users/${encodeURIComponent(form)}/`)).status).toBe(200)
      expect((await addUser('other', form)).body).toEqual({ email: [expect.any(String)] })
      await app.sql('delete from account_emails')
      await app.request('POST', '/api/auth/password/reset/', { body: { email: form } })
      expect(await linkTokenOf(app, 'b@xn--bcher-kva.example')).toEqual(expect.any(String))
    }
    expect(await lettersTo(app, 'b@xn--bcher-kva.example')).toHaveLength(3)
    const found = await asOwner('GET', `/users/?search=${encodeURIComponent('b@büch')}`)
    expect(found.body.results.map(({ email }: { email: string }) => email)).toContain('b@bücher.example')
    const filter = encodeURIComponent('emails.value eq "f@bücher.example"')
    expect((await directory.call('GET', `/Users?filter=${filter}`)).body.totalResults).toBe(1)
  })

  it('is in the events and the members as it was written', async () => {
    const { body } = await asOwner('GET', '/cloud/organizations/dune-org/members/?limit=100')
    const addresses = body.results.map(({ user }: { user: { email: string } }) => user.email)
    expect(addresses).toContain('a@bücher.example')
    expect(JSON.stringify(addresses)).not.toContain('xn--')
    const [event] = await app.sql<{ email: string }>(
      `select public.account_json(u) ->> 'email' as email from users u where u.email like 'a@xn--%'`,
    )
    expect(event?.email).toBe('a@bücher.example')
  })

  it('is decoded as the standard says, and left alone if it is not encoded correctly', async () => {
    const hosts = [
      'bücher.example',
      'пример.рф',
      '例え.テスト',
      'straße.example',
      'faß-bär-öl.example',
      'मराठी.भारत',
      '💩.example',
    ]
    for (const host of hosts) {
      const address = `x@${new URL(`http://${host}`).hostname}`
      const [row] = await app.sql<{ shown: string }>('select public.shown_address($1) as shown', [address])
      expect(row?.shown).toBe(`x@${host}`)
    }
    for (const address of ['x@xn--a.example', 'x@xn--99999999999.example', 'x@xn--.example', 'xn--bcher-kva'])
      expect(await app.sql('select public.shown_address($1) as shown', [address])).toEqual([
        { shown: address },
      ])
  })
})
