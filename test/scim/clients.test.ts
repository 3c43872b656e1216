/** The requests of Okta and Microsoft Entra, in the order and form of their documentation. */
import { beforeAll, describe, expect, it } from 'vitest'
import { createSite, startApp, type TestApp } from '../support/app.ts'
import { createDirectory, type Directory, patch, schemas, scimError } from '../support/scim.ts'

let app: TestApp
let okta: Directory
let entra: Directory

beforeAll(async () => {
  app = (await startApp()).with({ RATE_LIMIT_SCALE: '1000' })
  okta = await createDirectory(app, await createSite(app, 'okta'))
  entra = await createDirectory(app, await createSite(app, 'entra'))
})

const list = (total: number, resources: unknown, startIndex = 1) => ({
  schemas: schemas.list,
  totalResults: total,
  startIndex,
  itemsPerPage: Array.isArray(resources) ? resources.length : expect.any(Number),
  Resources: resources,
})

describe('Okta', () => {
  const ada = {
    schemas: schemas.user,
    userName: 'ada@okta.example',
    name: { givenName: 'Ada', familyName: 'Berg' },
    emails: [{ primary: true, value: 'ada@okta.example', type: 'work' }],
    displayName: 'Ada Berg',
    locale: 'en-US',
    externalId: '00ujl29u0le5T6Aj10h7',
    groups: [],
    password: '1mz050nq',
    active: true,
  }
  const named = (userName: string) =>
    `/Users?filter=userName%20eq%20%22${encodeURIComponent(userName)}%22&startIndex=1&count=100`
  let id: string

  it('tests the connection with a page of users and one of groups', async () => {
    const users = await okta.call('GET', '/Users?startIndex=1&count=2')
    expect([users.status, users.body]).toEqual([200, list(1, [expect.objectContaining({ active: true })])])
    expect(users.headers.get('content-type')).toBe('application/scim+json')
    const groups = await okta.call('GET', '/Groups?startIndex=1&count=100')
    expect([groups.status, groups.body]).toEqual([200, list(0, [])])
  })

  it('looks up a user by name, and creates it if it does not exist', async () => {
    expect(await okta.call('GET', named('ada@okta.example'))).toMatchObject({
      status: 200,
      body: list(0, []),
    })
    const made = await okta.call('POST', '/Users', ada)
    id = made.body.id
    expect([made.status, made.body]).toEqual([
      201,
      {
        schemas: schemas.user,
        id: expect.stringMatching(/^\d+$/),
        externalId: '00ujl29u0le5T6Aj10h7',
        userName: 'ada@okta.example',
        name: { formatted: 'Ada Berg', givenName: 'Ada', familyName: 'Berg' },
        displayName: 'Ada Berg',
        active: true,
        emails: [{ value: 'ada@okta.example', type: 'work', primary: true }],
        groups: [],
        meta: {
          resourceType: 'User',
          created: expect.stringMatching(/Z$/),
          lastModified: expect.stringMatching(/Z$/),
          location: `http://localhost${okta.base}/Users/${id}`,
        },
      },
    ])
    expect(made.headers.get('location')).toBe(`http://localhost${okta.base}/Users/${id}`)
    expect(await okta.call('GET', named('ADA@okta.example'))).toMatchObject({ body: list(1, [made.body]) })
    expect(await okta.call('GET', `/Users/${id}`)).toMatchObject({ status: 200, body: made.body })
  })

  it('gets 409 for an existing user, and 404 for a missing one', async () => {
    const again = await okta.call('POST', '/Users', ada)
    expect([again.status, again.body]).toEqual([
      409,
      scimError(409, 'userName: Another user of the organization has this value.', 'uniqueness'),
    ])
    const absent = await okta.call('GET', '/Users/010101001010101011001010101011')
    expect([absent.status, absent.body]).toEqual([404, scimError(404, 'Not found.')])
  })

  it('replaces a profile with PUT and the profile that it has read', async () => {
    const { body: read } = await okta.call('GET', `/Users/${id}`)
    const changed = await okta.call('PUT', `/Users/${id}`, {
      ...read,
      name: { givenName: 'Adele', familyName: 'Berg', middleName: '' },
      displayName: 'Adele Berg',
    })
    expect([changed.status, changed.body]).toEqual([
      200,
      {
        ...read,
        name: { formatted: 'Adele Berg', givenName: 'Adele', familyName: 'Berg' },
        displayName: 'Adele Berg',
        meta: { ...read.meta, lastModified: expect.any(String) },
      },
    ])
    expect(await app.sql('select first_name from users where id = $1', [id])).toEqual([
      { first_name: 'Adele' },
    ])
  })

  it('deactivates and activates a user with PATCH without a path', async () => {
    for (const active of [false, true]) {
      const changed = await okta.call('PATCH', `/Users/${id}`, patch({ op: 'replace', value: { active } }))
      expect([changed.status, changed.body.active]).toEqual([200, active])
      expect((await okta.call('GET', named('ada@okta.example'))).body.Resources[0].active).toBe(active)
    }
  })

  it('pushes a group: creates it, renames it, changes its members, deletes it', async () => {
    const made = await okta.call('POST', '/Groups', {
      schemas: schemas.group,
      displayName: 'Test SCIMv2',
      members: [],
    })
    const group = made.body.id
    expect([made.status, made.body]).toEqual([
      201,
      {
        schemas: schemas.group,
        id: expect.stringMatching(/^\d+$/),
        displayName: 'Test SCIMv2',
        members: [],
        meta: {
          resourceType: 'Group',
          created: expect.any(String),
          lastModified: expect.any(String),
          location: `http://localhost${okta.base}/Groups/${group}`,
        },
      },
    ])
    const renamed = await okta.call(
      'PATCH',
      `/Groups/${group}`,
      patch({ op: 'replace', value: { id: group, displayName: 'Sailors' } }),
    )
    expect([renamed.status, renamed.body.displayName]).toEqual([200, 'Sailors'])
    const joined = await okta.call(
      'PATCH',
      `/Groups/${group}`,
      patch(
        { op: 'remove', path: 'members[value eq "999999"]' },
        { op: 'add', path: 'members', value: [{ value: id, display: 'ada@okta.example' }] },
      ),
    )
    expect(joined.body.members).toEqual([{ value: id, display: 'Adele Berg', type: 'User' }])
    expect((await okta.call('GET', `/Users/${id}`)).body.groups).toEqual([
      { value: group, display: 'Sailors' },
    ])
    const replaced = await okta.call('PUT', `/Groups/${group}`, {
      schemas: schemas.group,
      id: group,
      displayName: 'Sailors',
      members: [{ value: id, display: 'ada@okta.example' }],
    })
    expect([replaced.status, replaced.body.members.length]).toEqual([200, 1])
    expect((await okta.call('DELETE', `/Groups/${group}`)).status).toBe(204)
    expect((await okta.call('GET', `/Groups/${group}`)).status).toBe(404)
  })
})

describe('Microsoft Entra', () => {
  const ola = {
    schemas: [...schemas.user, 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'],
    externalId: '0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef',
    userName: 'Ola_4@entra.example',
    active: true,
    emails: [{ primary: true, type: 'work', value: 'ola.work@entra.example' }],
    meta: { resourceType: 'User' },
    name: { formatted: 'Ola Nord', familyName: 'Nord', givenName: 'Ola' },
    roles: [],
    title: 'Engineer',
    addresses: [{ type: 'work', formatted: 'Harbour 1' }],
    'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User': { department: 'Boats' },
  }
  let id: string
  const change = (...operations: object[]) => entra.call('PATCH', `/Users/${id}`, patch(...operations))

  it('adds a flag of its own to the tenant URL, and so to each request', async () => {
    const flag = 'aadOptscim062020'
    const { status, body } = await entra.call('POST', `/Users?${flag}`, {
      ...ola,
      userName: 'flag@entra.example',
      externalId: 'flag',
      emails: [{ primary: true, type: 'work', value: 'flag@entra.example' }],
    })
    expect([status, body.userName]).toEqual([201, 'flag@entra.example'])
    const found = await entra.call('GET', `/Users?${flag}&filter=userName eq "flag@entra.example"`)
    expect([found.status, found.body]).toEqual([200, list(1, [body])])
    const change = patch({ op: 'Replace', path: 'displayName', value: 'Flag' })
    const changed = await entra.call('PATCH', `/Users/${body.id}?${flag}`, change)
    expect([changed.status, changed.body.displayName]).toEqual([200, 'Flag'])
    expect((await entra.call('DELETE', `/Users/${body.id}?${flag}`)).status).toBe(204)
    const twice = await entra.call('GET', `/Users?${flag}&count=1&count=2`)
    expect([twice.status, twice.body]).toEqual([
      400,
      scimError(400, 'count: This parameter may be given only once.', 'invalidValue'),
    ])
  })

  it('tests the connection with an unknown name', async () => {
    const { status, body } = await entra.call('GET', '/Users?filter=userName eq "non-existent user"')
    expect([status, body]).toEqual([200, list(0, [])])
  })

  it('reads the schemas and the capabilities of the service', async () => {
    const types = await entra.call('GET', '/ResourceTypes')
    expect(
      types.body.Resources.map(({ id: name, endpoint }: { id: string; endpoint: string }) => [
        name,
        endpoint,
      ]),
    ).toEqual([
      ['User', '/Users'],
      ['Group', '/Groups'],
    ])
    const read = await entra.call('GET', '/Schemas')
    expect(
      read.body.Resources.map(({ attributes }: { attributes: { name: string }[] }) =>
        attributes.map(({ name }) => name),
      ),
    ).toEqual([
      ['userName', 'name', 'displayName', 'preferredLanguage', 'active', 'emails', 'groups'],
      ['displayName', 'members'],
    ])
    expect((await entra.call('GET', `/Schemas/${schemas.user[0]}`)).body).toEqual(read.body.Resources[0])
    expect((await entra.call('GET', '/ResourceTypes/User')).body).toEqual(types.body.Resources[0])
    expect((await entra.call('GET', '/Schemas/urn:none')).status).toBe(404)
    expect((await entra.call('GET', '/ServiceProviderConfig')).body).toMatchObject({
      patch: { supported: true },
      bulk: { supported: false },
      filter: { supported: true, maxResults: 200 },
      sort: { supported: true },
      etag: { supported: false },
      authenticationSchemes: [{ type: 'oauthbearertoken' }],
    })
  })

  it('gets 501 for unsupported operations, after 401 and 404', async () => {
    const none = '/Me is not supported: the key belongs to the organization, not to a user.'
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
      const body = method === 'GET' || method === 'DELETE' ? undefined : { schemas: schemas.user }
      expect(await entra.call(method, '/Me', body)).toMatchObject({ status: 501, body: scimError(501, none) })
    }
    const bulk = { schemas: ['urn:ietf:params:scim:api:messages:2.0:BulkRequest'], Operations: [] }
    expect(await entra.call('POST', '/Bulk', bulk)).toMatchObject({
      status: 501,
      body: scimError(501, 'Bulk operations are not supported: see /ServiceProviderConfig.'),
    })
    expect((await app.request('GET', `${entra.base}/Me`)).status).toBe(401)
    const elsewhere = entra.base.replace('/organizations/', '/organizations/no-')
    expect((await app.request('GET', `${elsewhere}/Me`, { token: entra.key })).status).toBe(404)
  })

  it('creates a user, and finds it by its name and by its work address', async () => {
    const made = await entra.call('POST', '/Users', ola)
    id = made.body.id
    expect(made).toMatchObject({
      status: 201,
      body: {
        userName: 'Ola_4@entra.example',
        externalId: '0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef',
        displayName: 'Ola Nord',
        emails: [{ value: 'ola.work@entra.example', type: 'work', primary: true }],
      },
    })
    for (const filter of [
      'userName eq "ola_4@entra.example"',
      'externalId eq "0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef"',
      'emails[type eq "work"].value eq "ola.work@entra.example"',
      'emails[type eq "work" and primary eq "True"].value eq "ola.work@entra.example"',
      'urn:ietf:params:scim:schemas:core:2.0:User:userName eq "ola_4@entra.example"',
    ]) {
      const { body } = await entra.call('GET', `/Users?filter=${encodeURIComponent(filter)}`)
      expect([filter, body]).toEqual([filter, list(1, [made.body])])
    }
  })

  it('changes multi-valued and single attributes, and attributes that are not stored', async () => {
    const changed = await change(
      { op: 'Replace', path: 'emails[type eq "work"].value', value: 'ola.new@entra.example' },
      { op: 'Replace', path: 'name.familyName', value: 'Sund' },
      { op: 'Add', path: 'addresses[type eq "work"].locality', value: 'Bergen' },
      {
        op: 'Add',
        path: 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department',
        value: 'Ships',
      },
    )
    expect(changed).toMatchObject({
      status: 200,
      body: {
        name: { formatted: 'Ola Sund', givenName: 'Ola', familyName: 'Sund' },
        emails: [{ value: 'ola.new@entra.example' }],
      },
    })
    expect(await app.sql('select email, last_name from users where id = $1', [id])).toEqual([
      { email: 'ola.new@entra.example', last_name: 'Sund' },
    ])
  })

  it('changes several attributes without a path, with dots in their names', async () => {
    const changed = await change({
      op: 'replace',
      value: { displayName: 'Ola S.', 'name.givenName': 'Olav', active: 'True', title: 'Captain' },
    })
    expect(changed).toMatchObject({
      status: 200,
      body: { displayName: 'Ola S.', name: { givenName: 'Olav', familyName: 'Sund' }, active: true },
    })
  })

  it('renames a user, and disables and enables it with texts instead of booleans', async () => {
    const renamed = await change({ op: 'Replace', path: 'userName', value: 'olav@entra.example' })
    expect([renamed.status, renamed.body.userName]).toEqual([200, 'olav@entra.example'])
    for (const value of ['False', 'True']) {
      const changed = await change({ op: 'Replace', path: 'active', value })
      expect([changed.status, changed.body.active]).toEqual([200, value === 'True'])
      const { body } = await entra.call('GET', '/Users?filter=userName eq "olav@entra.example"')
      expect(body.Resources[0].active).toBe(value === 'True')
    }
  })

  it('manages a group, which it reads without its members', async () => {
    const made = await entra.call('POST', '/Groups', {
      schemas: [...schemas.group, 'http://schemas.microsoft.com/2006/11/ResourceManagement/ADSCIM/2.0/Group'],
      externalId: '8aa1a0c0-c4c3-4bc0-b4a5-2ef676900159',
      displayName: 'Harbour',
      meta: { resourceType: 'Group' },
    })
    const group = made.body.id
    expect([made.status, made.body.externalId]).toEqual([201, '8aa1a0c0-c4c3-4bc0-b4a5-2ef676900159'])
    const found = await entra.call(
      'GET',
      '/Groups?excludedAttributes=members&filter=displayName eq "harbour"',
    )
    expect(found.body).toEqual(
      list(1, [
        {
          schemas: schemas.group,
          id: group,
          externalId: '8aa1a0c0-c4c3-4bc0-b4a5-2ef676900159',
          displayName: 'Harbour',
          meta: expect.any(Object),
        },
      ]),
    )
    const joined = await entra.call(
      'PATCH',
      `/Groups/${group}`,
      patch({ op: 'Add', path: 'members', value: [{ $ref: null, value: id }] }),
    )
    expect(joined.body.members.map(({ value }: { value: string }) => value)).toEqual([id])
    const asked = `/Groups?filter=id eq "${group}" and members eq "${id}"&attributes=id`
    expect((await entra.call('GET', asked)).body.Resources).toEqual([{ schemas: schemas.group, id: group }])
    const left = await entra.call(
      'PATCH',
      `/Groups/${group}`,
      patch({ op: 'Remove', path: 'members', value: [{ $ref: null, value: id }] }),
    )
    expect(left.body.members).toEqual([])
    expect((await entra.call('DELETE', `/Groups/${group}`)).status).toBe(204)
  })

  it('deletes a user', async () => {
    expect((await entra.call('DELETE', `/Users/${id}`)).status).toBe(204)
    expect((await entra.call('GET', `/Users/${id}`)).status).toBe(404)
    expect((await entra.call('DELETE', `/Users/${id}`)).status).toBe(404)
    expect((await entra.call('POST', '/Users', ola)).status).toBe(201)
  })
})
