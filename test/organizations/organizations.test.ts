/** Organizations and their sites: creating and listing them. T1, T4, T6. */
import { beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp, type User } from '../support/app.ts'

let app: TestApp
let owner: User
let stranger: User

const post = (path: string, body: unknown, user = owner) =>
  app.request('POST', `/api/cloud/organizations/${path}`, { token: user.token, body })
const get = (path: string, user = owner) =>
  app.request('GET', `/api/cloud/organizations/${path}`, { token: user.token })

beforeAll(async () => {
  app = await startApp()
  owner = await app.user('owner')
  stranger = await app.user('stranger')
})

describe('the API of organizations', () => {
  it('returns 401 without credentials', async () => {
    expect((await app.request('GET', '/api/cloud/organizations/')).status).toBe(401)
  })

  it('creates one with 201 for any user, who becomes the owner; 400 if the slug is taken', async () => {
    const created = await post('', { name: 'Quiet Harbour' })
    expect(created.status).toBe(201)
    expect(created.body).toEqual({
      id: expect.any(Number),
      uuid: expect.any(String),
      name: 'Quiet Harbour',
      slug: 'quiet-harbour',
      deletes_at: null,
      requires_factor: false,
      created: expect.stringMatching(/Z$/),
    })
    expect(await app.sql('select role from memberships where user_id = $1', [owner.id])).toEqual([
      { role: 'owner' },
    ])
    expect(await post('', { name: 'quiet  harbour' })).toMatchObject({
      status: 400,
      body: { name: ['An organization with the slug "quiet-harbour" already exists.'] },
    })
    expect(await post('', { name: '…' })).toMatchObject({
      status: 400,
      body: { name: ['This name cannot be converted to a slug. Also send a "slug".'] },
    })
    expect(await post('', { name: '…', slug: 'dots' })).toMatchObject({
      status: 201,
      body: { name: '…', slug: 'dots' },
    })
    expect(await post('', { name: 'Other', slug: 'dots' })).toMatchObject({
      status: 400,
      body: { slug: ['An organization with the slug "dots" already exists.'] },
    })
    expect(await get('quiet-harbour/')).toMatchObject({ status: 200, body: created.body })
  })

  it('shows an organization only to its members and to superusers', async () => {
    const root = await app.user('root', { superuser: true })
    expect((await get('', stranger)).body).toEqual({ count: 0, next: null, previous: null, results: [] })
    expect((await get('quiet-harbour/', stranger)).status).toBe(403)
    expect((await get('nowhere/', stranger)).status).toBe(404)
    expect((await get('', root)).body).toMatchObject({
      count: 2,
      results: [{ slug: 'quiet-harbour' }, { slug: 'dots' }],
    })
  })
})

describe('creating a site', () => {
  it('returns 403 to plain members and to strangers', async () => {
    const member = await app.user('member')
    await app.sql(
      `insert into memberships (organization_id, user_id, role)
       select id, $1, 'member' from organizations where slug = 'quiet-harbour'`,
      [member.id],
    )
    expect((await post('quiet-harbour/sites/', { name: 'x' }, member)).status).toBe(403)
    expect((await post('quiet-harbour/sites/', { name: 'x' }, stranger)).status).toBe(403)
    expect((await get('quiet-harbour/sites/', member)).status).toBe(200)
    expect((await get('quiet-harbour/sites/', stranger)).status).toBe(403)
  })

  it('returns 400 with each invalid field', async () => {
    expect(
      await post('quiet-harbour/sites/', { name: '', slug: 'Not A Slug', environment: 'moon', extra: 1 }),
    ).toMatchObject({
      status: 400,
      body: {
        name: ['This field may not be blank.'],
        slug: [expect.stringContaining('A slug has 1 to 63')],
        environment: ['Must be one of: production, staging, development, preview.'],
        extra: ['Unknown field.'],
      },
    })
    expect(await post('quiet-harbour/sites/', { name: 'x'.repeat(80) })).toMatchObject({
      status: 400,
      body: { name: [expect.stringContaining('Also send a "slug"')] },
    })
  })

  it('returns 201, and creates its schema, its role and its rows in the shared tables', async () => {
    const { status, body } = await post('quiet-harbour/sites/', { name: 'Pier One', environment: 'staging' })
    expect([status, body]).toEqual([
      201,
      {
        id: expect.any(Number),
        uuid: expect.any(String),
        name: 'Pier One',
        slug: 'pier-one',
        schema_name: `site_${body.id}`,
        environment: 'staging',
        paused: false,
        state: 'active',
        deletes_at: null,
        domains: [],
        sign_up: 'closed',
        allowed_domains: [],
        require_verified_email: true,
        sign_up_by_provider: true,
        domain_groups: [],
        roles: [],
        requires_factor: false,
        branding: { name: null, logo: null, color: null },
        created: expect.stringMatching(/Z$/),
      },
    ])
    const [role] = await app.sql(
      `select rolname, rolsuper, rolcanlogin, rolcreaterole, rolcreatedb, rolbypassrls
         from pg_roles where rolname = $1`,
      [body.schema_name],
    )
    expect(role).toEqual({
      rolname: body.schema_name,
      rolsuper: false,
      rolcanlogin: false,
      rolcreaterole: false,
      rolcreatedb: false,
      rolbypassrls: false,
    })
    // Its rows are in the tables of the schema `tenant`, which all sites share.
    expect(
      await app.sql('select from information_schema.tables where table_schema = $1', [body.schema_name]),
    ).toEqual([])
    expect(await app.sql('select from tenant._secret_types where site_id = $1', [body.id])).not.toEqual([])
  })

  it('succeeds for one of many concurrent requests with the same slug; the others create nothing', async () => {
    const schemas = async () =>
      (await app.sql(`select from information_schema.schemata where schema_name ~ '^site_[0-9]+$'`)).length
    const before = await schemas()
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => post('quiet-harbour/sites/', { name: 'Raced', slug: 'raced' })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(11).fill(400)])
    expect(answers.find(({ status }) => status === 400)?.body).toEqual({
      slug: ['A site with the slug "raced" already exists.'],
    })
    expect(await schemas()).toBe(before + 1)
  })
})
