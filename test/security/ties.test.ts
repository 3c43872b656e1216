/**
 * A tie is something the person made: a stranger's invitation or permission takes nothing from the organization
 * of an account, and each organization can end what is its own. T11.
 */
import { beforeAll, describe, expect, it } from 'vitest'
import { createSite, type Site, startApp, type TestApp, type User } from '../support/app.ts'
import { linkTokenOf, sendAccountEmails } from '../support/letters.ts'
import { createDirectory, type Directory, patch } from '../support/scim.ts'

let app: TestApp
/** The organization of the account, and that of a stranger. */
let home: Site
let stranger: Site
let directory: Directory

const password = 'Correct-horse-1'
const own = 'Another-horse-2'
const as = (user: User, method: string, path: string, body?: unknown) =>
  app.request(method, path, { token: user.token, ...(body === undefined ? {} : { body }) })
const organization = (site: Site) => `/api/cloud/organizations/${site.slug}-org`

interface Person {
  id: number
  username: string
  email: string
}
let people = 0
async function member(): Promise<Person> {
  const username = `person-${people++}`
  const email = `${username}@example.net`
  const { body } = await as(home.owner, 'POST', `${home.api}/users/`, { username, email, password })
  return { id: body.id, username, email }
}
const tokenOf = async ({ username }: Person, secret = password): Promise<string> =>
  (await app.request('POST', '/api/auth/jwt/token/', { body: { username, password: secret } })).body.access
const grant = ({ id }: Person, permissions: string[], site = stranger) =>
  as(site.owner, 'PUT', `/api/cloud/sites/${site.slug}/permissions/${id}/`, { permissions })
const giveRole = ({ id }: Person) =>
  as(stranger.owner, 'PUT', `/api/cloud/sites/${stranger.slug}/permissions/${id}/`, {
    permissions: [],
    roles: ['clerk'],
  })
const use = (token: string, site = stranger) => app.request('GET', `${site.api}/apps/`, { token })
const accounts = ({ id }: Person) => app.sql('select is_active from users where id = $1', [id])

/** Ties that the organization of a stranger has to an account, and whether the person has made them. */
const ties: Readonly<Record<string, [isOwn: boolean, tie: (person: Person) => Promise<unknown>]>> = {
  'a pending invitation': [
    false,
    ({ email }) =>
      as(stranger.owner, 'POST', `${organization(stranger)}/invitations/`, { invitee_identifier: email }),
  ],
  'a permission': [false, (person) => grant(person, ['access_site'])],
  'a role': [false, (person) => giveRole(person)],
  'a role that the person has accepted': [
    true,
    async (person) => {
      await giveRole(person)
      const path = `/api/users/me/permissions/${stranger.slug}/`
      expect((await app.request('PUT', path, { token: await tokenOf(person) })).status).toBe(204)
    },
  ],
  'a permission that the person has used': [
    true,
    async (person) => {
      await grant(person, ['access_site'])
      expect((await use(await tokenOf(person))).status).toBe(200)
    },
  ],
  'a permission that the person has used, and that was revoked': [
    true,
    async (person) => {
      await grant(person, ['access_site'])
      expect((await use(await tokenOf(person))).status).toBe(200)
      await grant(person, [])
    },
  ],
  'a permission that the person has accepted': [
    true,
    async (person) => {
      await grant(person, ['access_site'])
      const path = `/api/users/me/permissions/${stranger.slug}/`
      expect((await app.request('PUT', path, { token: await tokenOf(person) })).status).toBe(204)
    },
  ],
  'a membership': [
    true,
    ({ id }) =>
      app.sql(
        `insert into memberships (organization_id, user_id, role) select organization_id, $1, 'member' from sites where slug = $2`,
        [id, stranger.slug],
      ),
  ],
  'an account that it has made': [
    true,
    ({ id }) =>
      app.sql(
        'update made_accounts set organization_id = (select organization_id from sites where slug = $2) where user_id = $1',
        [id, stranger.slug],
      ),
  ],
}
const byName = ({ username }: Person) => `/api/users/${username}/`

/** Ways in which an organization ends an account. The status of the directory is 200, whatever it ends. */
const endings: Readonly<Record<string, (person: Person) => Promise<{ status: number }>>> = {
  'switching it off': (person) => as(home.owner, 'PATCH', byName(person), { is_active: false }),
  'deleting it': (person) => as(home.owner, 'DELETE', byName(person)),
}
/** Ways in which an organization takes an account over. */
const takeovers: Readonly<Record<string, object>> = {
  'a password': { password: own },
  'an address': { email: 'taken@example.net' },
  'a password with the activity': { password: own, is_active: true },
}

beforeAll(async () => {
  app = (await startApp()).with({
    EMAIL_TRANSPORT: 'mailbox',
    PUBLIC_URL: 'https://app.example.com',
    RATE_LIMIT_SCALE: '100000',
  })
  home = await createSite(app, 'home')
  stranger = await createSite(app, 'stranger')
  directory = await createDirectory(app, home)
  await as(stranger.owner, 'PUT', `/api/cloud/sites/${stranger.slug}/roles/`, [{ name: 'clerk' }])
})

const cases = Object.entries(ties).flatMap(([name, [isOwn, tie]]) =>
  Object.entries(endings).map(([way, end]) => [name, way, isOwn, tie, end] as const),
)

describe('a tie of a stranger to an account', () => {
  it.each(cases)('%s: %s by its own organization is refused: %s', async (_name, _way, isOwn, tie, end) => {
    const person = await member()
    await tie(person)
    const { status } = await end(person)
    expect(status === 403).toBe(isOwn)
    const ended = status === 204 ? [] : [{ is_active: false }]
    expect(await accounts(person)).toEqual(isOwn ? [{ is_active: true }] : ended)
  })

  it.each(Object.entries(ties))(
    '%s keeps its own organization from taking it over: 403',
    async (_name, [, tie]) => {
      const person = await member()
      await tie(person)
      for (const body of Object.values(takeovers))
        expect((await as(home.owner, 'PATCH', byName(person), body)).status).toBe(403)
      expect(await tokenOf(person)).toEqual(expect.any(String))
    },
  )

  it.each(Object.entries(ties))(
    '%s: the directory ends the account, or the membership only',
    async (_name, [isOwn, tie]) => {
      const person = await member()
      await tie(person)
      const off = patch({ op: 'replace', path: 'active', value: false })
      expect((await directory.call('PATCH', `/Users/${person.id}`, off)).body.active).toBe(false)
      expect(await accounts(person)).toEqual([{ is_active: isOwn }])
    },
  )
})

describe('a member who is removed', () => {
  it('loses the API keys, links and permissions of the organization, and keeps the tie of the records', async () => {
    const person = await member()
    await grant(person, ['access_site', 'change_site'], home)
    const token = await tokenOf(person)
    expect((await use(token, home)).status).toBe(200)
    const key = await app.request('POST', `${home.api}/api-keys/`, { token, body: { name: 'ci' } })
    expect(key.status).toBe(201)
    await app.sql(
      `insert into social_accounts (site_id, social_app_id, issuer, subject, user_id) select id, 1, 'i', $2, $1 from sites where slug = 'home'`,
      [person.id, person.username],
    )
    expect((await as(home.owner, 'DELETE', `${organization(home)}/members/${person.id}/`)).status).toBe(204)
    expect(await app.sql(`select kind from public.ties($1) order by kind`, [person.id])).toEqual([
      { kind: 'guest' },
      { kind: 'made' },
    ])
    expect(await app.sql('select id from api_keys where user_id = $1', [person.id])).toEqual([])
  })
})

describe('an address whose account nobody has used', () => {
  const signUp = async (email: string) => {
    await as(stranger.owner, 'PATCH', `/api/cloud/sites/${stranger.slug}/`, { sign_up: 'open' })
    await app.request('POST', `${stranger.api}/auth/sign-up/`, { body: { email, password: own } })
    const body = { token: await linkTokenOf(app, email), password: own }
    return app.request('POST', `${stranger.api}/auth/sign-up/confirm/`, { body })
  }

  it('is free for its owner to sign up with; the new account inherits nothing', async () => {
    const person = await member()
    await grant(person, ['access_site'], home)
    const made = await signUp(person.email)
    expect([made.status, made.body.id === person.id]).toEqual([201, false])
    expect(await accounts(person)).toEqual([])
    expect(await app.sql('select distinct kind from public.ties($1)', [made.body.id])).toEqual([
      { kind: 'guest' },
    ])
    expect(await tokenOf({ ...person, username: person.email }, password)).toBeUndefined()
    expect(await tokenOf({ ...person, username: person.email }, own)).toEqual(expect.any(String))
  })

  it.each<[string, (person: Person) => Promise<unknown>]>([
    ['somebody has signed in to it', (person) => tokenOf(person)],
    [
      'an organization has switched it off',
      (person) => endings['switching it off']?.(person) as Promise<unknown>,
    ],
    [
      'it stands in a directory',
      ({ id }) =>
        directory.call('PATCH', `/Users/${id}`, patch({ op: 'replace', path: 'displayName', value: 'X' })),
    ],
    ['it is a superuser’s', ({ id }) => app.sql('update users set is_superuser = true where id = $1', [id])],
    [
      'it owns an organization',
      ({ id }) => app.sql(`update memberships set role = 'owner' where user_id = $1`, [id]),
    ],
  ])('is not free if %s', async (_why, change) => {
    const person = await member()
    await change(person)
    await sendAccountEmails(app)
    expect((await signUp(person.email)).status).toBe(400)
    expect(await accounts(person)).toHaveLength(1)
  })
})
