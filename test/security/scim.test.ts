/**
 * Attacks on SCIM: with the key of another organization, on protected accounts, with filters, and through the
 * content of responses.
 */
import { beforeAll, describe, expect, it } from 'vitest'
import { newKey } from '../../src/kernel/access/api-keys/key.ts'
import { createSite, type Site, startApp, type TestApp, type User } from '../support/app.ts'
import { changed } from '../support/changed.ts'
import { createDirectory, type Directory, patch, schemas, scimError } from '../support/scim.ts'

let app: TestApp
let site: Site
let other: Site
let admin: User
let root: User
/** With a key that an owner has created. */
let directory: Directory
/** With a key that an admin has created. */
let ofAdmin: Directory
let foreign: Directory

const join = (user: User, of: Site, role: string) =>
  app.sql(
    `insert into memberships (organization_id, user_id, role)
     select id, $1, $2 from organizations where slug = $3`,
    [user.id, role, `${of.slug}-org`],
  )

beforeAll(async () => {
  app = (await startApp()).with({ RATE_LIMIT_SCALE: '1000' })
  site = await createSite(app, 'fort')
  other = await createSite(app, 'camp')
  admin = await app.user('admin')
  root = await app.user('root', { superuser: true })
  await join(admin, site, 'admin')
  await join(root, site, 'member')
  directory = await createDirectory(app, site)
  ofAdmin = await createDirectory(app, site, admin)
  foreign = await createDirectory(app, other)
})

const writes = (id: number): [method: string, path: string, body: unknown][] => [
  ['PUT', `/Users/${id}`, { userName: 'taken@fort.example', emails: [{ value: 'taken@fort.example' }] }],
  ['PATCH', `/Users/${id}`, patch({ op: 'replace', path: 'active', value: false })],
  ['DELETE', `/Users/${id}`, undefined],
]
const accountsNow = () =>
  app.sql('select id, username, email, is_active, generation, is_superuser from users order by id')

describe('credentials for SCIM', () => {
  it('are refused if they are missing, tokens of users, API keys, mistyped keys or keys of another organization', async () => {
    const ask = (headers: Record<string, string>) =>
      app.request('GET', `${directory.base}/Users`, { headers })
    const { body: personal } = await app.request('POST', `${site.api}/api-keys/`, {
      token: site.owner.token,
      body: { name: 'k' },
    })
    const missing = await ask({})
    expect([missing.status, missing.body, missing.headers.get('www-authenticate')]).toEqual([
      401,
      scimError(401, 'Authentication credentials were not provided.'),
      'Bearer',
    ])
    for (const authorization of [
      `Bearer ${site.owner.token}`,
      `Bearer ${root.token}`,
      `Bearer ${personal.key}`,
      `Api-Key ${directory.key}`,
      `Bearer ${changed(directory.key)}`,
      `Bearer ${directory.key.toLowerCase()}`,
      `Bearer tsc_${personal.key.slice(4)}`,
    ])
      expect([authorization, (await ask({ authorization })).status]).toEqual([authorization, 401])
  })

  it('of one organization give no access to another one, existing or not', async () => {
    const answers = await Promise.all(
      ['fort-org', 'nowhere-org'].flatMap((slug) =>
        ['/Users', '/Groups', '/ServiceProviderConfig', `/Users/${site.owner.id}`].map((path) =>
          app.request('GET', `/api/cloud/organizations/${slug}/scim/v2${path}`, { token: foreign.key }),
        ),
      ),
    )
    expect([...new Set(answers.map(({ status, text }) => `${status} ${text}`))]).toEqual([
      `404 ${JSON.stringify(scimError(404, 'Not found.'))}`,
    ])
  })

  it('give no access to other endpoints', async () => {
    for (const path of ['/api/users/me/', '/api/users/', `${site.api}/apps/`, '/api/cloud/organizations/'])
      expect([path, (await app.request('GET', path, { token: directory.key })).status]).toEqual([path, 401])
    const path = '/api/cloud/organizations/fort-org/scim-keys/'
    expect((await app.request('POST', path, { token: directory.key, body: { name: 'x' } })).status).toBe(401)
  })
})

describe('accounts and groups of other organizations', () => {
  it('return 404 for reads and changes, and 400 in a group', async () => {
    const before = await accountsNow()
    for (const [method, path, body] of [
      ...writes(other.owner.id),
      ['GET', `/Users/${other.owner.id}`, undefined] as const,
    ])
      expect([method, (await directory.call(method, path, body)).status]).toEqual([method, 404])
    const joined = await directory.call('POST', '/Groups', {
      displayName: 'Spies',
      members: [{ value: String(other.owner.id) }],
    })
    expect(joined.status).toBe(400)
    expect(await accountsNow()).toEqual(before)
  })

  it('return 404 for groups', async () => {
    const { body } = await foreign.call('POST', '/Groups', { displayName: 'Theirs' })
    for (const [method, sent] of [
      ['GET', undefined],
      ['PUT', { displayName: 'Ours' }],
      ['PATCH', patch({ op: 'replace', path: 'displayName', value: 'Ours' })],
      ['DELETE', undefined],
    ] as const)
      expect([method, (await directory.call(method, `/Groups/${body.id}`, sent)).status]).toEqual([
        method,
        404,
      ])
    expect((await foreign.call('GET', `/Groups/${body.id}`)).body.displayName).toBe('Theirs')
  })
})

describe('protected accounts in SCIM', () => {
  it('of superusers cannot be changed: 403', async () => {
    const before = await accountsNow()
    for (const [method, path, body] of writes(root.id)) {
      const refused = await directory.call(method, path, body)
      expect([method, refused.status, refused.body]).toEqual([
        method,
        403,
        scimError(
          403,
          'A directory cannot change superusers, and nobody who ranks above the creator of its key: owners ' +
            'need a key that an owner has created.',
        ),
      ])
    }
    expect(await accountsNow()).toEqual(before)
  })

  it('of owners cannot be changed with a key that an admin has created: 403', async () => {
    for (const [method, path, body] of writes(site.owner.id))
      expect([method, (await ofAdmin.call(method, path, body)).status]).toEqual([method, 403])
  })

  it('include that of the last owner who can sign in: 400, also for two simultaneous requests', async () => {
    for (const [method, path, body] of writes(site.owner.id).slice(1)) {
      const refused = await directory.call(method, path, body)
      expect([method, refused.status, refused.body]).toEqual([
        method,
        400,
        scimError(
          400,
          'active: An organization must have at least one owner who can sign in.',
          'invalidValue',
        ),
      ])
    }
    const second = await app.user('second')
    await join(second, site, 'owner')
    const off = (id: number) =>
      directory.call('PATCH', `/Users/${id}`, patch({ op: 'replace', path: 'active', value: false }))
    const answers = await Promise.all([off(second.id), off(site.owner.id)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400])
    const owners = await app.sql(
      `select 1 from memberships m join users u on u.id = m.user_id join organizations o on o.id = m.organization_id
        where o.slug = 'fort-org' and m.role = 'owner' and u.is_active`,
    )
    expect(owners).toHaveLength(1)
    await app.sql('update users set is_active = true where id = any ($1)', [[second.id, site.owner.id]])
  })
})

describe('the content of SCIM responses', () => {
  it('does not tell if an address outside the organization has an account', async () => {
    const outside = await app.user('outside')
    const create = (email: string) => directory.call('POST', '/Users', { userName: email, displayName: 'D' })
    const [known, unknown] = [await create(outside.email), await create('nobody@example.org')]
    const shape = ({ status, text, body }: typeof known, email: string) =>
      `${status} ${text}`
        .replaceAll(email, 'E')
        .replaceAll(`"${body.id}"`, '"I"')
        .replaceAll(`/Users/${body.id}`, '/Users/I')
        .replaceAll(/\d{4}-\d\d-\d\dT[^"]+/g, 'T')
    expect(shape(known, outside.email)).toBe(shape(unknown, 'nobody@example.org'))
    // The address of a superuser gets the same response as any other.
    const { body } = await foreign.call('POST', '/Users', { userName: root.email })
    expect(body.active).toBe(true)
    expect((await foreign.call('DELETE', `/Users/${body.id}`)).status).toBe(204)
  })

  it('does not tell it for a new address of a user, whose account keeps the old one', async () => {
    const { body } = await directory.call('POST', '/Users', { userName: 'mover@fort.example' })
    const moved = await directory.call(
      'PATCH',
      `/Users/${body.id}`,
      patch({ op: 'replace', path: 'emails', value: [{ value: other.owner.email }] }),
    )
    expect([moved.status, moved.body.emails[0].value]).toEqual([200, other.owner.email])
    expect(await app.sql('select email from users where id = $1', [body.id])).toEqual([
      { email: 'mover@fort.example' },
    ])
  })

  it('contains only data of the directory for an invited account', async () => {
    const outside = await app.user('quiet')
    await app.sql(`update users set first_name = 'Secret', last_name = 'Person' where id = $1`, [outside.id])
    const { body } = await directory.call('POST', '/Users', { userName: outside.email })
    const { text } = await directory.call('GET', `/Users/${body.id}`)
    expect(text).not.toMatch(/Secret|Person/)
    const filter = encodeURIComponent('name.givenName eq "Secret"')
    expect((await directory.call('GET', `/Users?filter=${filter}`)).body.totalResults).toBe(0)
  })
})

describe('hostile SCIM requests', () => {
  const hostile = [
    `userName eq "' or 1=1 --"`,
    `userName eq "%1$L"`,
    `userName eq "\\\\' ; drop table users; --"`,
    `userName co "\\u0000"`,
    `userName co "\\ud800"`,
    `a.email) or (1=1`,
    `userName eq "a" union select password_hash from users`,
    `password_hash pr`,
    `__proto__ pr`,
    `constructor.prototype pr`,
    `groups[display eq "x" and groups[display pr]]`,
    `meta.created gt "infinity"`,
    `meta.created gt "9999-99-99T99:99:99Z"`,
    `${'not '.repeat(500)}active eq true`,
    `${'('.repeat(2000)}`,
    `"`,
    `\\`,
  ]
  it.each(hostile)('with a filter get 200 without users or 400: %s', async (filter) => {
    for (const path of ['/Users', '/Groups']) {
      const { status, body } = await directory.call('GET', `${path}?filter=${encodeURIComponent(filter)}`)
      expect([200, 400]).toContain(status)
      expect(status === 200 ? body.totalResults : body.schemas).toEqual(status === 200 ? 0 : schemas.error)
    }
  })

  it('with invalid bodies get 400, 415 or 413, and change nothing', async () => {
    const before = await accountsNow()
    const bodies = [
      '[]',
      'null',
      '"x"',
      '{"userName":"a@b.example","__proto__":{"is_superuser":true}}',
      '{"userName":"a@b.example","is_superuser":true}',
      '{"userName":"a\\u0000@b.example"}',
      '{"userName":"a@b.example","name":{"givenName":"\\u0007"}}',
      '{"userName":"a@b.example","userName":"c@d.example"}',
      `{"userName":"a@b.example","emails":${'['.repeat(200)}${']'.repeat(200)}}`,
    ]
    for (const body of bodies) {
      const refused = await directory.call('POST', '/Users', body)
      expect([body.slice(0, 60), refused.status, refused.body.schemas]).toEqual([
        body.slice(0, 60),
        400,
        schemas.error,
      ])
    }
    const options = { token: directory.key, headers: { 'content-type': 'text/plain' }, body: 'x' }
    expect(await app.request('POST', `${directory.base}/Users`, options)).toMatchObject({
      status: 415,
      body: scimError(415, 'The body must be application/scim+json or application/json.'),
    })
    expect(await accountsNow()).toEqual(before)
  })

  it('with a path that selects addresses by a built-in property get 400', async () => {
    for (const name of ['constructor', 'toString', 'valueOf']) {
      const Operations = [{ op: 'replace', path: `emails[${name} ne "x"].value`, value: 'a@b.example' }]
      const { status, body } = await directory.call('PATCH', '/Users/1', JSON.stringify({ Operations }))
      expect([name, status, body]).toEqual([
        name,
        400,
        scimError(
          400,
          'Select an e-mail address by its type or primary, for example emails[type eq "work"].',
          'invalidFilter',
        ),
      ])
    }
  })

  it('without an operation get errors in the SCIM format', async () => {
    expect((await directory.call('GET', '/Nothing')).body).toMatchObject({
      schemas: schemas.error,
      status: '404',
    })
    expect((await directory.call('POST', '/Users/1', {})).body).toMatchObject({
      schemas: schemas.error,
      status: '405',
    })
  })

  it('above the limit get 429 for the key', async () => {
    const strict = app.with({ RATE_LIMIT_SCALE: '0.000001' })
    // A new key, because the isolate may still have leases for others.
    const { key: token } = newKey('directory')
    const ask = () => strict.request('GET', `${ofAdmin.base}/Users`, { token })
    await ask()
    const refused = await ask()
    expect([refused.status, refused.body.status, refused.headers.get('retry-after')]).toEqual([
      429,
      '429',
      expect.stringMatching(/^\d+$/),
    ])
  })
})
