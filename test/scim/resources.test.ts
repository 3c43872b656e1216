/** SCIM keys, users and groups: the changed accounts and the side effects. RFC 7644; T7. */

import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { newTokens, signTokens } from '../../src/kernel/access/tokens.ts'
import { configOf } from '../../src/kernel/env.ts'
import { createSite, type Site, startApp, type TestApp, type User } from '../support/app.ts'
import { lettersTo, linkTokenOf } from '../support/letters.ts'
import { createDirectory, type Directory, patch, schemas, scimError } from '../support/scim.ts'

let app: TestApp
let site: Site
let other: Site
let directory: Directory
const organization = '/api/cloud/organizations/quay-org'
const password = 'Correct-horse-1'

beforeAll(async () => {
  app = (await startApp()).with({
    EMAIL_TRANSPORT: 'mailbox',
    PUBLIC_URL: 'https://app.example.com',
    RATE_LIMIT_SCALE: '1000',
  })
  site = await createSite(app, 'quay')
  other = await createSite(app, 'elsewhere')
  directory = await createDirectory(app, site)
})

const person = (name: string, more: object = {}) => ({
  schemas: schemas.user,
  userName: `${name}@quay.example`,
  name: { givenName: name, familyName: 'Quay' },
  ...more,
})
const create = async (name: string, more: object = {}, by: Directory = directory) => {
  const made = await by.call('POST', '/Users', person(name, more))
  expect(made.status).toBe(201)
  return made.body
}
const setActive = (id: string | number, active: boolean) =>
  directory.call('PATCH', `/Users/${id}`, patch({ op: 'replace', path: 'active', value: active }))
const join = (user: Pick<User, 'id'>, of: Site, role = 'member') =>
  app.sql(
    `insert into memberships (organization_id, user_id, role)
     select id, $1, $2 from organizations where slug = $3`,
    [user.id, role, `${of.slug}-org`],
  )
const accountOf = async (id: string | number) =>
  (
    await app.sql<Record<string, unknown>>('select email, first_name, is_active from users where id = $1', [
      id,
    ])
  )[0]
const rolesOf = async (id: string | number) =>
  (
    await app.sql<{ slug: string; role: string }>(
      `select o.slug, m.role from memberships m join organizations o on o.id = m.organization_id
        where m.user_id = $1 order by o.slug`,
      [id],
    )
  ).map(({ slug, role }) => `${slug} ${role}`)
/** Creates a user who belongs to both organizations, so that this one does not manage the account. */
const shared = async (name: string) => {
  const user = await app.user(name)
  await join(user, site)
  await join(user, other)
  return user
}

describe('the SCIM keys of an organization', () => {
  it('return 403 for members and for an old sign-in, and 400 for the sixth key', async () => {
    const member = await app.user('keyless')
    await join(member, site)
    const post = (user: User, name: string) =>
      app.request('POST', `${organization}/scim-keys/`, { token: user.token, body: { name } })
    expect((await post(member, 'x')).status).toBe(403)
    const identity = { ...(await app.identity(site.owner)), signedInAt: new Date(Date.now() - 3_600_000) }
    const config = configOf(app.env)
    const { access } = await signTokens(config, newTokens(config, identity))
    const old = await post({ ...site.owner, token: access }, 'x')
    expect([old.status, old.body.detail]).toEqual([403, expect.stringContaining('Sign in again.')])
    for (const name of ['2', '3', '4', '5']) expect((await post(site.owner, name)).status).toBe(201)
    expect(await post(site.owner, '6')).toMatchObject({
      status: 400,
      body: { non_field_errors: ['An organization has at most 5 keys. Delete one first.'] },
    })
  })

  it('are shown once, listed without the key, and end when they are deleted', async () => {
    const { body } = await app.request('GET', `${organization}/scim-keys/?ordering=-id`, {
      token: site.owner.token,
    })
    expect(body.count).toBe(5)
    expect(body.results[0]).toEqual({
      id: expect.any(Number),
      name: '5',
      prefix: expect.stringMatching(/^tsc_\w{8}$/),
      created_by: site.owner.id,
      created_at: expect.stringMatching(/Z$/),
      last_used_at: null,
    })
    for (const { id, name } of body.results)
      if (name !== 'Okta') {
        const path = `${organization}/scim-keys/${id}/`
        expect((await app.request('DELETE', path, { token: site.owner.token })).status).toBe(204)
      }
    const ended = await createDirectory(app, site)
    expect((await ended.call('GET', '/Users')).status).toBe(200)
    const used = await app.sql('select last_used_at is not null as used, hash from scim_keys where id = $1', [
      ended.keyId,
    ])
    expect(used).toEqual([{ used: true, hash: expect.stringMatching(/^[0-9a-f]{64}$/) }])
    await app.request('DELETE', `${organization}/scim-keys/${ended.keyId}/`, { token: site.owner.token })
    const refused = await ended.call('GET', '/Users')
    expect([refused.status, refused.body]).toEqual([
      401,
      scimError(401, 'The credentials are invalid or have expired.'),
    ])
  })
})

describe('a new SCIM user', () => {
  it('gets 400 with the error in the body', async () => {
    const wrong: [body: unknown, detail: string, scimType: string][] = [
      [{}, 'userName: This field is required.', 'invalidValue'],
      [{ userName: 'ada' }, 'emails: Required unless the userName is an e-mail address.', 'invalidValue'],
      [
        person('x', { emails: [{ value: 'nowhere' }] }),
        'emails: An e-mail address is required.',
        'invalidValue',
      ],
      [
        person('x', { displayNam: 'X' }),
        'displayNam: Unknown field. Did you mean "displayName"?',
        'invalidValue',
      ],
      [person('x', { active: 'perhaps' }), 'active: Must be true or false.', 'invalidValue'],
      ['{"userName":', 'The body is not valid JSON.', 'invalidSyntax'],
    ]
    for (const [body, detail, scimType] of wrong) {
      const { status, body: answer } = await directory.call('POST', '/Users', body)
      expect([status, answer]).toEqual([400, scimError(400, detail, scimType)])
    }
  })

  it('is a member with an account without a password, and chooses one with a mailed link', async () => {
    const made = await create('ada')
    expect(await rolesOf(made.id)).toEqual(['quay-org member'])
    const token = await linkTokenOf(app, 'ada@quay.example')
    expect((await lettersTo(app, 'ada@quay.example')).map(({ subject }) => subject)).toEqual([
      'Choose a password for your account',
    ])
    const reset = await app.request('POST', '/api/auth/password/reset/confirm/', {
      body: { token, password },
    })
    expect(reset.status).toBe(200)
    const signedIn = await app.request('POST', '/api/auth/jwt/token/', {
      body: { username: 'ada@quay.example', password },
    })
    expect(signedIn.status).toBe(200)
  })

  it('whose address has an account is invited, with the same response, and becomes a member by accepting', async () => {
    const known = await app.user('known')
    await app.sql(`update users set email = 'known@quay.example', first_name = 'Private' where id = $1`, [
      known.id,
    ])
    const made = await create('known')
    const fresh = await create('fresh')
    const shape = (body: Record<string, unknown>) => ({ ...body, id: 0, meta: 0 })
    expect(JSON.parse(JSON.stringify(shape(made)).replaceAll('known', 'fresh'))).toEqual(shape(fresh))
    expect([made.id, made.name.givenName, made.active]).toEqual([String(known.id), 'known', true])
    expect(await rolesOf(known.id)).toEqual([])
    const group = await directory.call('POST', '/Groups', {
      schemas: schemas.group,
      displayName: 'Awaited',
      members: [{ value: made.id }],
    })
    expect(group.body.members.map(({ value }: { value: string }) => value)).toEqual([made.id])
    await directory.call(
      'PATCH',
      `/Users/${made.id}`,
      patch({ op: 'replace', path: 'name.givenName', value: 'New' }),
    )
    expect(await accountOf(known.id)).toMatchObject({ first_name: 'Private', is_active: true })
    const [invitation] = await app.sql<{ uuid: string }>('select uuid from invitations where invitee = $1', [
      known.id,
    ])
    const accepted = await app.request('POST', `/api/cloud/invitations/${invitation?.uuid}/accept/`, {
      token: known.token,
      body: { password, first_name: 'K', last_name: 'N' },
    })
    expect(accepted.status).toBe(200)
    expect(await rolesOf(known.id)).toEqual(['quay-org member'])
    const { body } = await directory.call('GET', `/Users/${known.id}`)
    expect([body.active, body.groups]).toEqual([true, [{ value: group.body.id, display: 'Awaited' }]])
  })

  it('that is invited and then deactivated is no longer invited', async () => {
    const known = await app.user('fickle')
    await app.sql(`update users set email = 'fickle@quay.example' where id = $1`, [known.id])
    const made = await create('fickle')
    const pending = () =>
      app.sql('select id from invitations i where invitee = $1 and public.is_pending(i)', [known.id])
    expect(await pending()).toHaveLength(1)
    expect((await setActive(made.id, false)).body.active).toBe(false)
    expect([await pending(), await accountOf(known.id)]).toMatchObject([[], { is_active: true }])
    expect((await setActive(made.id, true)).body.active).toBe(true)
    expect(await pending()).toHaveLength(1)
    expect((await directory.call('DELETE', `/Users/${made.id}`)).status).toBe(204)
    expect([await pending(), await accountOf(known.id)]).toMatchObject([[], { is_active: true }])
  })

  it('that is not active gets no e-mail until it is active', async () => {
    const made = await create('later', { active: false })
    expect([made.active, await accountOf(made.id)]).toMatchObject([false, { is_active: false }])
    expect(await linkTokenOf(app, 'later@quay.example')).toBeUndefined()
    expect((await setActive(made.id, true)).body.active).toBe(true)
    expect(await linkTokenOf(app, 'later@quay.example')).toMatch(/^[\w-]{32}$/)
  })
})

describe('a member in a SCIM request', () => {
  it('whose account the organization manages is changed and deactivated, with the sign-ins', async () => {
    const user = await app.user('managed')
    await join(user, site)
    expect((await app.request('GET', '/api/users/me/', { token: user.token })).status).toBe(200)
    const changed = await directory.call(
      'PATCH',
      `/Users/${user.id}`,
      patch({
        op: 'replace',
        value: { 'name.givenName': 'Mo', emails: [{ value: 'mo@quay.example', type: 'work' }] },
      }),
    )
    expect(changed).toMatchObject({ status: 200, body: { userName: 'managed@example.org', active: true } })
    expect(await accountOf(user.id)).toEqual({ email: 'mo@quay.example', first_name: 'Mo', is_active: true })
    expect((await setActive(user.id, false)).body.active).toBe(false)
    expect((await app.request('GET', '/api/users/me/', { token: user.token })).status).toBe(401)
    expect((await setActive(user.id, true)).body.active).toBe(true)
    expect((await app.request('GET', '/api/users/me/', { token: user.token })).status).toBe(401)
    expect(await rolesOf(user.id)).toEqual(['quay-org member'])
  })

  it('who also belongs to another organization loses and regains only the membership, with its groups', async () => {
    const user = await shared('both')
    const { body: group } = await directory.call('POST', '/Groups', {
      schemas: schemas.group,
      displayName: 'Pilots',
      members: [{ value: String(user.id) }],
    })
    const key = await app.request('POST', `${site.api}/api-keys/`, { token: user.token, body: { name: 'k' } })
    expect(key.status).toBe(403)
    await app.sql(
      `insert into site_permissions (site_id, user_id, permissions) select id, $1, '{access_site}' from sites where slug = 'quay'`,
      [user.id],
    )
    const made = await app.request('POST', `${site.api}/api-keys/`, {
      token: user.token,
      body: { name: 'k' },
    })
    expect(made.status).toBe(201)
    const changed = await directory.call(
      'PATCH',
      `/Users/${user.id}`,
      patch(
        { op: 'replace', path: 'name.givenName', value: 'Other' },
        { op: 'replace', path: 'emails[type eq "work"].value', value: 'other@quay.example' },
      ),
    )
    expect(changed.body).toMatchObject({
      name: { givenName: 'Other' },
      emails: [{ value: 'other@quay.example' }],
    })
    expect(await accountOf(user.id)).toEqual({ email: 'both@example.org', first_name: '', is_active: true })
    expect((await setActive(user.id, false)).body).toMatchObject({
      active: false,
      groups: [{ value: group.id, display: 'Pilots' }],
    })
    expect([await rolesOf(user.id), await accountOf(user.id)]).toMatchObject([
      ['elsewhere-org member'],
      { is_active: true },
    ])
    expect((await app.request('GET', `${site.api}/apps/`, { token: user.token })).status).toBe(403)
    expect(await app.sql('select id from api_keys where user_id = $1', [user.id])).toEqual([])
    expect((await setActive(user.id, true)).body).toMatchObject({
      active: true,
      groups: [{ value: group.id, display: 'Pilots' }],
    })
    expect(await rolesOf(user.id)).toEqual(['elsewhere-org member', 'quay-org member'])
    expect((await directory.call('DELETE', `/Users/${user.id}`)).status).toBe(204)
    expect([await rolesOf(user.id), await accountOf(user.id)]).toMatchObject([
      ['elsewhere-org member'],
      { is_active: true },
    ])
  })

  it('who has left is inactive, and can be invited again', async () => {
    const user = await shared('leaver')
    await directory.call('PATCH', `/Users/${user.id}`, patch({ op: 'add', path: 'externalId', value: 'x-1' }))
    const path = `${organization}/members/${user.id}/`
    expect((await app.request('DELETE', path, { token: user.token })).status).toBe(204)
    expect((await directory.call('GET', `/Users/${user.id}`)).body.active).toBe(false)
    expect((await setActive(user.id, true)).body.active).toBe(true)
    expect(await rolesOf(user.id)).toEqual(['elsewhere-org member'])
  })

  it('is changed in one round trip, with the key as the actor in the audit log', async () => {
    const made = await create('traced')
    const development = app.with({ ENVIRONMENT: 'development' })
    const answer = await development.request('PUT', `${directory.base}/Users/${made.id}`, {
      token: directory.key,
      body: person('traced', { displayName: 'T' }),
    })
    expect([answer.status, answer.headers.get('server-timing')]).toEqual([
      200,
      expect.stringMatching(/\b1\b/),
    ])
    const { body } = await app.request(
      'GET',
      `${organization}/audit/?kind=membership&page_size=1&object=traced@quay.example`,
      {
        token: site.owner.token,
      },
    )
    expect(body.results[0]).toMatchObject({
      actor: { id: null, username: expect.stringMatching(/^SCIM key Okta \(tsc_\w{8}\)$/) },
      action: 'create',
      object: 'traced@quay.example',
    })
  })
})

describe('a SCIM user', () => {
  it('gets 409 for the name of another user of the organization', async () => {
    await create('first')
    const { id } = await create('second')
    const name = 'first@quay.example'
    for (const [method, body] of [
      ['PUT', person('second', { userName: name })],
      ['PATCH', patch({ op: 'replace', path: 'userName', value: name })],
    ] as const) {
      const answer = await directory.call(method, `/Users/${id}`, body)
      expect([answer.status, answer.body]).toEqual([
        409,
        scimError(409, 'userName: Another user of the organization has this value.', 'uniqueness'),
      ])
    }
  })
})

describe('a SCIM group', () => {
  it('gets 400, 404 and 409 with the error', async () => {
    const { body: group } = await directory.call('POST', '/Groups', {
      schemas: schemas.group,
      displayName: 'One',
    })
    const path = `/Groups/${group.id}`
    await directory.call('POST', '/Groups', { schemas: schemas.group, displayName: 'Taken' })
    const taken = scimError(
      409,
      'displayName: Another group of the organization has this name.',
      'uniqueness',
    )
    const wrong: [method: string, path: string, body: unknown, status: number, answer: unknown][] = [
      ['POST', '/Groups', { displayName: 'One' }, 409, taken],
      ['PUT', path, { schemas: schemas.group, displayName: 'Taken' }, 409, taken],
      ['PATCH', path, patch({ op: 'replace', path: 'displayName', value: 'Taken' }), 409, taken],
      [
        'POST',
        '/Groups',
        { displayName: 'Two', members: [{ value: String(other.owner.id) }] },
        400,
        scimError(400, `members: There is no user "${other.owner.id}" in the organization.`, 'invalidValue'),
      ],
      [
        'PATCH',
        path,
        patch({ op: 'add', path: 'members', value: [{ value: 'x' }] }),
        400,
        scimError(400, 'members.0.value: The id of a user of the organization is required.', 'invalidValue'),
      ],
      [
        'PATCH',
        path,
        patch({ op: 'add', path: 'owners', value: [] }),
        400,
        scimError(400, 'There is no attribute "owners".', 'invalidPath'),
      ],
      [
        'PATCH',
        path,
        patch({ op: 'remove' }),
        400,
        scimError(400, 'A "remove" operation needs a path, such as "displayName".', 'noTarget'),
      ],
      [
        'PATCH',
        path,
        patch({ op: 'replace', path: 'id', value: '1' }),
        400,
        scimError(400, 'The attribute "id" is read-only.', 'mutability'),
      ],
      [
        'PATCH',
        path,
        patch({ op: 'move', path: 'id', value: '1' }),
        400,
        scimError(400, expect.stringContaining('Operations.0.op: '), 'invalidValue'),
      ],
      ['PUT', '/Groups/999999', { displayName: 'X' }, 404, scimError(404, 'Not found.')],
      [
        'PATCH',
        '/Groups/999999',
        patch({ op: 'replace', path: 'displayName', value: 'X' }),
        404,
        scimError(404, 'Not found.'),
      ],
      ['DELETE', '/Groups/999999', undefined, 404, scimError(404, 'Not found.')],
      [
        'GET',
        '/Groups?count=x',
        undefined,
        400,
        scimError(400, 'count: A whole number is required.', 'invalidValue'),
      ],
      [
        'GET',
        '/Groups?sortBy=members',
        undefined,
        400,
        scimError(400, 'Sorting by "members" is not possible.', 'invalidPath'),
      ],
    ]
    for (const [method, at, body, status, answer] of wrong) {
      const refused = await directory.call(method, at, body)
      expect([method, at, refused.status, refused.body]).toEqual([method, at, status, answer])
    }
    expect((await directory.call('GET', '/Groups?filter=displayName eq "Two"')).body.totalResults).toBe(0)
  })

  it('loses the members that a filter selects', async () => {
    const members = [await create('m1'), await create('m2'), await create('m3')]
    const { body: group } = await directory.call('POST', '/Groups', {
      displayName: 'Filtered',
      members: members.map(({ id }) => ({ value: id })),
    })
    const remaining = async (path: string) =>
      (await directory.call('PATCH', `/Groups/${group.id}`, patch({ op: 'remove', path }))).body.members.map(
        ({ value }: { value: string }) => value,
      )
    expect(await remaining(`members[value eq "${members[0].id}" or display sw "M2"]`)).toEqual([
      members[2].id,
    ])
    expect(await remaining('members')).toEqual([])
  })
})

describe('SCIM lists', () => {
  it('have pages, orders, and the requested attributes', async () => {
    const { body: all } = await directory.call('GET', '/Users?sortBy=userName&sortOrder=descending')
    const names = all.Resources.map(({ userName }: { userName: string }) => userName)
    expect(names).toEqual([...names].sort((a, b) => (a.toLowerCase() < b.toLowerCase() ? 1 : -1)))
    const { body: page } = await directory.call(
      'GET',
      '/Users?sortBy=userName&sortOrder=descending&startIndex=2&count=2&attributes=userName,name.givenName',
    )
    expect(page).toEqual({
      schemas: schemas.list,
      totalResults: all.totalResults,
      startIndex: 2,
      itemsPerPage: 2,
      Resources: all.Resources.slice(1, 3).map(
        ({ id, userName, name }: { id: string; userName: string; name?: { givenName?: string } }) => ({
          schemas: schemas.user,
          id,
          userName,
          ...(name ? { name: name.givenName ? { givenName: name.givenName } : {} } : {}),
        }),
      ),
    })
    const none = await directory.call('GET', '/Users?count=0&startIndex=-3')
    expect(none.body).toMatchObject({ totalResults: all.totalResults, startIndex: 1, Resources: [] })
  })

  it('with a filter contain what a second evaluator finds in the whole list', async () => {
    await create('Łukasz%_', {
      userName: 'l@quay.example',
      displayName: 'it\'s "L" \\ 100%',
      externalId: 'X-7',
    })
    const { body } = await directory.call('GET', '/Users?count=200')
    const resources: Resource[] = body.Resources
    await fc.assert(
      fc.asyncProperty(filters, async (filter) => {
        const text = textOf(filter)
        const answer = await directory.call('GET', `/Users?count=200&filter=${encodeURIComponent(text)}`)
        expect([text, answer.status]).toEqual([text, 200])
        const found = answer.body.Resources.map(({ id }: Resource) => id)
        expect([text, found]).toEqual([
          text,
          resources.filter((one) => matches(filter, one)).map(({ id }) => id),
        ])
      }),
      { numRuns: 60 },
    )
  })
})

type Resource = Record<string, unknown> & { id: string }
type Test = { path: string; operator: string; value: string | boolean }
type Model = Test | { not: Model } | { both: [Model, Model] } | { any: [Model, Model] }

const textPaths = [
  'userName',
  'name.givenName',
  'displayName',
  'externalId',
  'emails.value',
  'groups.display',
]
const words = [
  'a',
  'M',
  'quay',
  '@quay.example',
  'x-7',
  'X-7',
  'ada@quay.example',
  'm1',
  "it's",
  '%',
  '_',
  '\\',
  '"',
  '',
]
const test: fc.Arbitrary<Test> = fc.oneof(
  fc.record({
    path: fc.constantFrom(...textPaths),
    operator: fc.constantFrom('eq', 'ne', 'co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le', 'pr'),
    value: fc.constantFrom(...words),
  }),
  fc.record({ path: fc.constant('active'), operator: fc.constantFrom('eq', 'ne'), value: fc.boolean() }),
)
const { filters } = fc.letrec<{ filters: Model }>((tie) => ({
  filters: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    test,
    fc.record({ not: tie('filters') }),
    fc.record({ both: fc.tuple(tie('filters'), tie('filters')) }),
    fc.record({ any: fc.tuple(tie('filters'), tie('filters')) }),
  ),
}))

function textOf(filter: Model): string {
  if ('not' in filter) return `not (${textOf(filter.not)})`
  if ('both' in filter) return `(${textOf(filter.both[0])}) and (${textOf(filter.both[1])})`
  if ('any' in filter) return `(${textOf(filter.any[0])} or ${textOf(filter.any[1])})`
  const { path, operator, value } = filter
  return operator === 'pr' ? `${path} pr` : `${path} ${operator} ${JSON.stringify(value)}`
}

function matches(filter: Model, resource: Resource): boolean {
  if ('not' in filter) return !matches(filter.not, resource)
  if ('both' in filter) return filter.both.every((one) => matches(one, resource))
  if ('any' in filter) return filter.any.some((one) => matches(one, resource))
  const { path, operator, value } = filter
  const values = valuesAt(resource, path)
  if (operator === 'pr') return values.length > 0
  if (operator === 'ne') return !matches({ path, operator: 'eq', value }, resource)
  const fold = (one: unknown) => (path === 'externalId' ? String(one) : String(one).toLowerCase())
  const right = fold(value)
  return values.map(fold).some((left) => {
    if (operator === 'eq') return left === right
    if (operator === 'co') return left.includes(right)
    if (operator === 'sw') return left.startsWith(right)
    if (operator === 'ew') return left.endsWith(right)
    if (operator === 'gt') return left > right
    if (operator === 'ge') return left >= right
    return operator === 'lt' ? left < right : left <= right
  })
}

function valuesAt(resource: Resource, path: string): unknown[] {
  return path.split('.').reduce<unknown[]>(
    (all, name) =>
      all.flatMap((one) => {
        const value = (one as Record<string, unknown>)[name]
        return value === undefined ? [] : value
      }),
    [resource],
  )
}
