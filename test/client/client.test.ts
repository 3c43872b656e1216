/** The client in workerd, against the application and its database. docs/guide/client.md. */
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { type AppDocument, generateTypes } from '../../client/src/generate.ts'
import {
  ForbiddenError,
  InvalidRequestError,
  memoryStore,
  NotFoundError,
  UnauthenticatedError,
} from '../../client/src/index.ts'
import { createSite, type Site, startApp, type TestApp } from '../support/app.ts'
import { setProof } from '../support/domains.ts'
import { scaled } from '../support/scaled.ts'
import typesOfTheDemo from './demo-types.ts?raw'
import { expected } from './expected.ts'
import { playScenario, type TrialApps } from './scenario.ts'
import { clientOf } from './support.ts'

let app: TestApp
let site: Site
beforeAll(async () => {
  app = await startApp()
  site = await createSite(app, 'lamps')
})

describe('a typed client', () => {
  it('returns the same results in workerd as in Node and in a browser', async () => {
    const db = clientOf<TrialApps>(app, { site: site.slug, auth: { token: site.owner.token } })
    expect(await playScenario(db)).toEqual(expected)
  })

  it('throws an UnauthenticatedError for a 401 if it has no credentials', async () => {
    await expect(clientOf(app, { site: site.slug }).accounts.me()).rejects.toBeInstanceOf(
      UnauthenticatedError,
    )
  })
})

describe('generated types', () => {
  it('match the documents of the apps', async () => {
    const documentOf = async (slug: string) =>
      (await app.request('GET', `${site.api}/apps/${slug}/schema/`, { token: site.owner.token }))
        .body as AppDocument
    // The scenario has created the tables of the demo with other names.
    const rename = (text: string) =>
      text
        .replaceAll('"trial"', '"shop"')
        .replaceAll('"staff"', '"company"')
        .replaceAll(/\btrial/g, 'shop')
        .replaceAll(/\bstaff/g, 'company')
        .replaceAll(/\bTrial/g, 'Shop')
        .replaceAll(/\bStaff/g, 'Company')
    const text = generateTypes(
      { trial: await documentOf('trial'), staff: await documentOf('staff') },
      { from: '../../client/src/index.ts' },
    )
    expect(rename(text)).toBe(typesOfTheDemo)
  })

  it('contain the secrets and the variables of functions, and the context of each function', () => {
    const schemas = { 't.Record': {}, 't.NewRecord': {} }
    const functions = {
      shop: [
        { slug: 'charge', secrets: ['STRIPE', "it's"], variables: ['CURRENCY', 'RATE'] },
        { slug: 'add-up', secrets: [], variables: [] },
        { slug: 'unseen', secrets: [] },
      ],
    }
    const text = generateTypes({ shop: { paths: {}, tags: [], components: { schemas } } }, { functions })
    expect(text).toContain("import type { FunctionContext, Json } from 'tessera-client'\n")
    expect(text).toContain(`
export interface ShopFunctions {
  charge: { secrets: 'STRIPE' | 'it\\'s'; variables: 'CURRENCY' | 'RATE' }
  'add-up': { secrets: never; variables: never }
  unseen: { secrets: never; variables: string }
}
`)
    expect(text).toContain(`
export type ShopContext<Slug extends keyof ShopFunctions = never> = FunctionContext<
  Shop,
  ShopFunctions[Slug]['secrets'],
  ShopFunctions[Slug]['variables']
>
`)
  })

  it('contain the tables as guests get them if a rule may hide related records', async () => {
    const { token } = site.owner
    const ask = (method: string, path: string, body: object) =>
      app.request(method, `${site.api}/apps/${path}`, { token, body })
    await ask('POST', '', { name: 'desk' })
    const id = { name: 'id', type: 'integer' }
    const refer = (name: string) => ({
      fields: [`${name}_id`],
      reference: { resource: `${name}s`, fields: ['id'] },
    })
    const key = (name: string) => ({ name: `${name}_id`, type: 'integer', constraints: { required: true } })
    const read = (where?: object) => ({ rules: [{ name: 'r', who: 'anyone', can: ['read'], where }] })
    const resources = [
      { name: 'rooms', schema: { fields: [id], primaryKey: 'id', access: read() } },
      { name: 'clerks', schema: { fields: [id], primaryKey: 'id', access: read({ id__gt: 5 }) } },
      {
        name: 'files',
        schema: { fields: [id, key('clerk')], foreignKeys: [refer('clerk')], primaryKey: 'id' },
      },
      {
        name: 'tickets',
        schema: {
          fields: [id, key('room'), key('clerk')],
          primaryKey: 'id',
          foreignKeys: [refer('room'), refer('clerk')],
          access: read(),
        },
      },
    ]
    const made = await ask('POST', 'desk/datatables/create_schema/?materialize=true', { resources })
    expect(made.status).toBe(201)
    const { body } = await app.request('GET', `${site.api}/apps/desk/schema/`, { token })
    const text = generateTypes({ desk: body })
    expect(text).toContain("import type { Guest, Json } from 'tessera-client'\n")
    expect(text).toContain(`
/** The tables as guests get them: a related record that an access rule may hide can be missing. */
export interface DeskGuestTables {
  rooms: DeskTables['rooms']
  clerks: DeskTables['clerks']
  files: DeskTables['files']
  tickets: Guest<DeskTables['tickets'], 'clerk'>
}

/** The app, for \`createClient<DeskGuest>\` of guests. */
export interface DeskGuest {
  desk: DeskGuestTables
}
`)
  })

  it('escape text of a schema in comments and names', () => {
    const record = {
      properties: {
        "it's */ } \n": { type: 'string', 'x-type': 'string', description: 'ends */ the\ncomment' },
        plain: { anyOf: [{ type: ['integer', 'string'] }, { type: 'null' }], 'x-type': 'integer' },
      },
      'x-primary-key': ["it's */ } \n"],
      'x-ranges': { "it's": ['plain', 'plain'] as const },
    }
    const schemas = { 't.Record': record, 't.NewRecord': { ...record, required: [] } }
    const text = generateTypes(
      { '9-a': { paths: {}, tags: [], components: { schemas } } },
      { integers: 'exact' },
    )
    expect(text).toContain("      /** ends *\\/ the comment */\n      'it\\'s */ } \\u{a}': string\n")
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the text of a type
    expect(text).toContain('plain: number | `${bigint}` | null')
    expect(text).toContain('export interface App9A {')
    expect(text).toContain('create: never')
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the text of a type
    expect(text).toContain("    ranges: {\n      'it\\'s': number | `${bigint}`\n    }\n")
  })
})

describe('a client and the schema of a table', () => {
  it('the hash of the schema comes with each list and each record, also in a page of another origin', async () => {
    const origin = 'https://admin.example.com'
    const path = `${site.api}/apps/trial/datatables/categories`
    const ask = (to: string) =>
      app
        .with({ CORS_ORIGINS: origin })
        .request('GET', `${path}/${to}`, { token: site.owner.token, headers: { origin } })
    const { body } = await ask('schema/')
    for (const { headers } of [
      await ask('data/'),
      await ask('data/1/'),
      await ask('data/?_aggregate=count(*)'),
    ]) {
      expect(headers.get('x-schema-hash')).toBe(body.schema_hash)
      expect(headers.get('access-control-expose-headers')?.split(',')).toContain('X-Schema-Hash')
    }
  })

  it('reports once that the schema differs from the types', async () => {
    const changes: unknown[] = []
    const db = clientOf<TrialApps>(app, {
      site: site.slug,
      auth: { token: site.owner.token },
      schemas: { trial: { categories: 'of-yesterday' } },
      onSchemaChange: (change) => changes.push(change),
    })
    await db.app('trial').categories.list()
    await db.app('trial').categories.get(1)
    await db.app('trial').suppliers.list()
    expect(changes).toEqual([
      {
        app: 'trial',
        table: 'categories',
        expected: 'of-yesterday',
        actual: expect.stringMatching(/^[0-9a-f]{64}$/),
      },
    ])
  })

  it('reports a change that happens while it runs', async () => {
    const changes: { table: string }[] = []
    const auth = { token: site.owner.token }
    const db = clientOf(app, { site: site.slug, auth, onSchemaChange: (change) => changes.push(change) })
    const path = '/api/apps/trial/datatables/warehouses/'
    const table = db.app('trial').$table('warehouses')
    await table.list()
    const { json_schema: schema } = await db.request<{ json_schema: { fields: object[] } }>({ path })
    const fields = [...schema.fields, { name: 'note', type: 'string' }]
    await db.request({ method: 'PATCH', path, body: { json_schema: { ...schema, fields } } })
    await table.list()
    expect(changes.map((change) => change.table)).toEqual(['warehouses'])
  })
})

describe('the client of a table with a history', () => {
  it('lists its versions, reads it as of a time, and restores a version', async () => {
    const db = clientOf(app, { site: site.slug, auth: { token: site.owner.token } })
    const schema = {
      history: true,
      primaryKey: 'id',
      fields: [{ name: 'id', type: 'integer' }, { name: 'title' }],
    }
    const path = '/api/apps/trial/datatables/create_schema/'
    const body = { resources: [{ name: 'works', schema }] }
    await db.request({ method: 'POST', path, query: { materialize: true }, body })
    const works = db.app('trial').$table('works')
    await works.create({ id: 1, title: 'Dunes' })
    const [first] = (await works.history(1)).data
    await works.update(1, { title: 'Sea' })
    expect(await works.get(1, { asOf: first?.valid_from ?? '' })).toEqual({ id: 1, title: 'Dunes' })
    expect((await works.history(1)).data.map(({ number, operation }) => [number, operation])).toEqual([
      [2, 'update'],
      [1, 'create'],
    ])
    expect(await works.restore(1, 1)).toEqual({ id: 1, title: 'Dunes' })
  })
})

describe('the methods for organizations, sites and accounts', () => {
  const password = 'Quiet-harbour-7'
  const ofSite = (token = site.owner.token) => clientOf(app, { site: site.slug, auth: { token } })

  /** Creates a user who has just signed in with a password. */
  async function signedIn(name: string) {
    const user = await app.user(name, { password })
    const db = clientOf(app, { auth: { store: memoryStore() } })
    await db.accounts.signIn(name, password)
    return { user, db }
  }

  it('create organizations, and change their members', async () => {
    const { user, db } = await signedIn('olive')
    await expect(db.organizations.get('lamps-org')).rejects.toBeInstanceOf(ForbiddenError)
    const made = await db.organizations.create({ name: 'Olive & co', slug: 'olive' })
    expect(made).toEqual({
      id: expect.any(Number),
      uuid: expect.any(String),
      name: 'Olive & co',
      slug: 'olive',
      deletes_at: null,
      requires_factor: false,
      created: expect.any(String),
    })
    const renamed = await db.organizations.update('olive', { name: 'Olive' })
    expect(renamed).toEqual({ ...made, name: 'Olive' })
    expect(await db.organizations.get('olive')).toEqual(renamed)
    expect(await db.organizations.list({ search: 'oliv' })).toEqual({ data: [renamed], total: 1 })

    const helper = await app.user('oscar')
    await app.sql(
      `insert into memberships (organization_id, user_id, role) values (${made.id}, ${helper.id}, 'member')`,
    )
    const members = db.organizations.members('olive')
    expect((await members.update(helper.id, { role: 'admin' })).role).toBe('admin')
    const { data, total } = await members.list({ ordering: ['username'], pageSize: 5 })
    expect([total, data.map((member) => [member.user.id, member.role])]).toEqual([
      2,
      [
        [user.id, 'owner'],
        [helper.id, 'admin'],
      ],
    ])
    await members.delete(helper.id)
    await expect(members.delete(user.id)).rejects.toBeInstanceOf(InvalidRequestError)
    expect((await members.list()).total).toBe(1)
    const audit = await db.organizations.audit('olive', { kind: 'organization', action: 'change' })
    expect(audit.data.map(({ object, changed }) => [object, changed])).toEqual([['olive', ['name']]])
  })

  it('create sites, with domains and permissions', async () => {
    const { db } = await signedIn('petra')
    await expect(db.sites.get(site.slug)).rejects.toBeInstanceOf(ForbiddenError)
    await db.organizations.create({ name: 'Petra', slug: 'petra' })
    const made = await db.sites.create('petra', { name: 'Quarry', environment: 'staging' })
    const open = await db.sites.update('quarry', { sign_up: 'open', allowed_domains: ['petra.example'] })
    expect(open).toEqual({ ...made, sign_up: 'open', allowed_domains: ['petra.example'] })
    expect(await db.sites.get('quarry')).toEqual(open)
    expect(await db.sites.list('petra')).toEqual({ data: [open], total: 1 })
    expect((await db.sites.suspend('quarry')).state).toBe('suspended')
    expect((await db.sites.resume('quarry')).state).toBe('active')
    expect((await db.sites.delete('quarry')).state).toBe('deleted')
    expect((await db.organizations.delete('petra')).deletes_at).toMatch(/Z$/)
    expect((await db.organizations.restore('petra')).deletes_at).toBeNull()
    expect(await db.sites.restore('quarry')).toEqual(open)

    const domains = db.sites.domains('quarry')
    const first = await domains.create('quarry.example.com', { isPrimary: true })
    await domains.create('pit.example.com')
    await expect(domains.verify('quarry.example.com')).rejects.toBeInstanceOf(InvalidRequestError)
    await setProof('quarry.example.com', first.dns_record.value)
    expect((await domains.verify('quarry.example.com')).status).toBe('verified')
    const names = (list: { domain: string }[]) => list.map(({ domain }) => domain)
    const whole = await domains.list()
    expect([names(whole.data), whole.total]).toEqual([['quarry.example.com', 'pit.example.com'], 2])
    const page = await domains.list({ page: 2, pageSize: 1 })
    expect([names(page.data), page.total]).toEqual([['pit.example.com'], 2])
    await domains.delete('pit.example.com')
    expect((await domains.list()).total).toBe(1)

    const helper = await app.user('pavel')
    const permissions = db.sites.permissions('quarry')
    expect(await permissions.get(helper.id)).toEqual([])
    expect(await permissions.replace(helper.id, ['access_site'])).toEqual(['access_site'])
    expect(await permissions.get(helper.id)).toEqual(['access_site'])
    const roles = db.sites.roles('quarry')
    const clerk = { name: 'clerk', title: '', description: '', groups: [] }
    expect(await roles.replace([{ name: 'clerk' }])).toEqual([clerk])
    expect(await roles.list()).toEqual({ data: [clerk], total: 1 })
    await permissions.replace(helper.id, ['access_site'], { roles: ['clerk'] })
    expect(await permissions.roles(helper.id)).toEqual(['clerk'])
    await clientOf(app, { auth: { token: helper.token } }).me.declinePermissions('quarry')
    const people = db.sites.people('quarry')
    const visitor = await app.user('visitor')
    await app.sql(
      `insert into site_guests (user_id, site_id) select $1, s.id from sites s where s.slug = 'quarry'`,
      [visitor.id],
    )
    const kinds = async () =>
      (await people.list({ search: 'visitor' })).data.map(({ kind, blocked }) => [kind, blocked])
    await people.block(visitor.id, true)
    expect(await kinds()).toEqual([['visit', true]])
    await people.remove(visitor.id)
    expect(await kinds()).toEqual([['visit', false]])
    expect(await permissions.get(helper.id)).toEqual([])
    const audit = await db.sites.audit('quarry', { kind: 'domain', action: 'delete', actor: 'petra' })
    expect(audit.data.map(({ object }) => object)).toEqual(['pit.example.com'])
  })

  it('manage users', async () => {
    const { token } = await app.user('rita', { superuser: true })
    const { users } = clientOf(app, { auth: { token } })
    await expect(ofSite().users.get('rita')).rejects.toBeInstanceOf(NotFoundError)
    const input = { username: 'sten', email: 'sten@example.org', password }
    const made = await users.create({ ...input, first_name: 'Sten' })
    expect([made.username, made.full_name, made.is_active]).toEqual(['sten', 'Sten', true])
    const changed = await users.update('sten', { is_active: false, last_name: 'Berg' })
    expect(changed).toEqual({ ...made, is_active: false, last_name: 'Berg', full_name: 'Sten Berg' })
    expect(await users.get('sten')).toEqual(changed)
    expect(await users.list({ isActive: false, search: 'berg' })).toEqual({ data: [changed], total: 1 })
    await users.delete('sten')
    await expect(users.get('sten')).rejects.toBeInstanceOf(NotFoundError)
  })

  it('read, change, export, delete and restore one’s own account', async () => {
    const { user, db } = await signedIn('tove')
    await expect(db.me.changePassword('wrong', 'Loud-harbour-8')).rejects.toBeInstanceOf(InvalidRequestError)
    await expect(db.me.unlinkProvider(1)).rejects.toBeInstanceOf(NotFoundError)
    const changed = await db.me.update({ first_name: 'Tove', preferred_language: 'de' })
    expect([changed.id, changed.first_name, changed.preferred_language]).toEqual([user.id, 'Tove', 'de'])
    expect(await db.me.get()).toEqual(changed)
    expect(await db.accounts.me()).toEqual(changed)
    expect(await db.me.providers()).toEqual({ data: [], total: 0 })
    expect((await db.me.export()).account).toEqual(changed)
    await db.accounts.keepTokens(await db.me.changePassword(password, 'Loud-harbour-8'))
    const { deletes_at } = await db.me.delete()
    await expect(db.me.get()).rejects.toBeInstanceOf(UnauthenticatedError)
    await db.accounts.signIn('tove', 'Loud-harbour-8')
    expect((await db.me.get()).deletes_at).toBe(deletes_at)
    expect((await db.me.restore()).deletes_at).toBeNull()
  })

  it('list one’s own sign-ins, and end them', async () => {
    const { db } = await signedIn('ulla')
    const others = [1, 2, 3].map(() => clientOf(app, { auth: { store: memoryStore() } }))
    for (const other of others) await other.accounts.signIn('ulla', password)
    // The service records a sign-in after its response.
    const sessions = await vi.waitFor(
      async () => {
        const { data, total } = await db.sessions.list({ ordering: ['-created'] })
        expect([total, data.filter(({ kind }) => kind === 'tokens').length]).toEqual([4, 4])
        return data
      },
      { timeout: scaled(5000) },
    )
    const [own, ...rest] = sessions.sort((a, b) => Number(b.is_current) - Number(a.is_current))
    expect(sessions.map(({ is_current }) => is_current)).toEqual([true, false, false, false])
    const open = async () =>
      (await Promise.allSettled(others.map((other) => other.me.get()))).filter(
        ({ status }) => status === 'fulfilled',
      ).length
    expect(await open()).toBe(3)
    await db.sessions.delete(rest[0]?.id ?? '')
    await expect(db.sessions.delete(rest[0]?.id ?? '')).rejects.toBeInstanceOf(NotFoundError)
    expect(await open()).toBe(2)
    await db.sessions.deleteOthers()
    expect(await open()).toBe(0)
    expect((await db.sessions.list()).data.map(({ id }) => id)).toEqual([own?.id])
  })

  it('create, change, rotate and delete API keys', async () => {
    const { apiKeys } = ofSite()
    await expect(apiKeys.create({ name: '' })).rejects.toBeInstanceOf(InvalidRequestError)
    const scopes = [{ app: 'trial', tables: ['categories'], can: ['read' as const] }]
    const { key, ...made } = await apiKeys.create({ name: 'reader', scopes })
    const reader = clientOf<TrialApps>(app, { site: site.slug, auth: { apiKey: key } })
    expect(await reader.app('trial').categories.count()).toBeGreaterThan(0)
    const read = await apiKeys.get(made.id)
    expect(read).toMatchObject({ ...made, scopes, allowed_addresses: null })
    const changed = await apiKeys.update(made.id, { name: 'shelf' })
    expect([changed.name, changed.scopes]).toEqual(['shelf', scopes])
    const next = await apiKeys.rotate(made.id, { overlapSeconds: 0 })
    await expect(reader.app('trial').categories.count()).rejects.toBeInstanceOf(UnauthenticatedError)
    await apiKeys.delete(next.id)
    await expect(apiKeys.get(next.id)).rejects.toBeInstanceOf(NotFoundError)
    expect((await apiKeys.list({ search: 'shelf' })).data.map(({ id }) => id)).not.toContain(next.id)
  })

  it('list, read and restore the versions of a function', async () => {
    const functions = ofSite().app('trial').$functions
    const codes = [1, 2].map((value) => `export default async () => ${value}`)
    const { slug } = await functions.create({ name: 'Count', execution_mode: 'app', code: codes[0] ?? '' })
    await functions.update(slug, { code: codes[1] ?? '' })
    await expect(functions.version(slug, 3)).rejects.toBeInstanceOf(NotFoundError)
    expect((await functions.version(slug, 1)).code).toBe(codes[0])
    expect((await functions.restore(slug, 1)).code).toBe(codes[0])
    const { data, total } = await functions.versions(slug)
    expect([total, data.map(({ number }) => number)]).toEqual([3, [3, 2, 1]])
    expect(data[0]?.hash).toBe(data[2]?.hash)
  })
})
