import { beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp, type User } from '../support/app.ts'

let app: TestApp
let owner: User
let stranger: User

const post = (path: string, body: unknown, user = owner) => app.request('POST', `/api/cloud/organizations/${path}`, { token: user.token, body })
const get = (path: string, user = owner) => app.request('GET', `/api/cloud/organizations/${path}`, { token: user.token })

beforeAll(async () => {
  app = await startApp()
  owner = await app.user('owner')
  stranger = await app.user('stranger')
})

describe('organizations', () => {
  it('401 without credentials', async () => {
    expect((await app.request('GET', '/api/cloud/organizations/')).status).toBe(401)
  })

  it('201 for any signed-in user, who becomes its owner; 400 when its slug is taken', async () => {
    const created = await post('', { name: 'Quiet Harbour' })
    expect(created.status).toBe(201)
    expect(created.body).toEqual({
      id: expect.any(Number),
      uuid: expect.any(String),
      name: 'Quiet Harbour',
      slug: 'quiet-harbour',
      created: expect.stringMatching(/Z$/),
    })
    expect(await app.sql('select role from memberships where user_id = $1', [owner.id])).toEqual([{ role: 'owner' }])
    expect(await post('', { name: 'quiet  harbour' })).toMatchObject({
      status: 400,
      body: { name: ['An organization with the slug "quiet-harbour" exists already.'] },
    })
    expect(await post('', { name: '…' })).toMatchObject({
      status: 400,
      body: { name: ['No letter or digit of the name can stand in a slug: send a slug beside it.'] },
    })
    expect(await post('', { name: '…', slug: 'dots' })).toMatchObject({ status: 201, body: { name: '…', slug: 'dots' } })
    expect(await post('', { name: 'Other', slug: 'dots' })).toMatchObject({
      status: 400,
      body: { slug: ['An organization with the slug "dots" exists already.'] },
    })
    expect(await get('quiet-harbour/')).toMatchObject({ status: 200, body: created.body })
  })

  it('are seen by their members alone, and by superusers', async () => {
    const root = await app.user('root', { superuser: true })
    expect((await get('', stranger)).body).toEqual({ count: 0, next: null, previous: null, results: [] })
    expect((await get('quiet-harbour/', stranger)).status).toBe(403)
    expect((await get('nowhere/', stranger)).status).toBe(404)
    expect((await get('', root)).body).toMatchObject({ count: 2, results: [{ slug: 'quiet-harbour' }, { slug: 'dots' }] })
  })
})

describe('sites', () => {
  it('403 for members who are neither owner nor admin, and for strangers', async () => {
    const member = await app.user('member')
    await app.sql(
      `insert into memberships (organization_id, user_id, role) select id, $1, 'member' from organizations where slug = 'quiet-harbour'`,
      [member.id],
    )
    expect((await post('quiet-harbour/sites/', { name: 'x' }, member)).status).toBe(403)
    expect((await post('quiet-harbour/sites/', { name: 'x' }, stranger)).status).toBe(403)
    expect((await get('quiet-harbour/sites/', member)).status).toBe(200)
    expect((await get('quiet-harbour/sites/', stranger)).status).toBe(403)
  })

  it('400 names what is wrong', async () => {
    expect(await post('quiet-harbour/sites/', { name: '', slug: 'Not A Slug', environment: 'moon', extra: 1 })).toMatchObject({
      status: 400,
      body: {
        name: ['This field may not be blank.'],
        slug: [expect.stringContaining('A slug has 1 to 63')],
        environment: ['Must be one of: production, staging, development.'],
        extra: ['Unknown field.'],
      },
    })
    expect(await post('quiet-harbour/sites/', { name: 'x'.repeat(80) })).toMatchObject({
      status: 400,
      body: { name: [expect.stringContaining('give a "slug"')] },
    })
  })

  it('201 with its schema, its role and its tables', async () => {
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
        domains: [],
        created: expect.stringMatching(/Z$/),
      },
    ])
    const [role] = await app.sql('select rolname, rolsuper, rolcanlogin, rolcreaterole, rolcreatedb, rolbypassrls from pg_roles where rolname = $1', [
      body.schema_name,
    ])
    expect(role).toEqual({
      rolname: body.schema_name,
      rolsuper: false,
      rolcanlogin: false,
      rolcreaterole: false,
      rolcreatedb: false,
      rolbypassrls: false,
    })
    const tables = await app.sql<{ table_name: string }>('select table_name from information_schema.tables where table_schema = $1 order by 1', [
      body.schema_name,
    ])
    expect(tables.map(({ table_name }) => table_name)).toEqual([
      '_apps',
      '_claims',
      '_datasources',
      '_datatables',
      '_deleted_datatables',
      '_deliveries',
      '_functions',
      '_invocations',
      '_locks',
      '_migrations',
      '_operations',
      '_secret_history',
      '_secret_reads',
      '_secret_tags',
      '_secret_types',
      '_secrets',
      '_social_apps',
      '_social_attempts',
      '_subscribers',
      '_tags',
    ])
  })

  it('of many creates with one slug at once, one wins, and the others leave nothing behind', async () => {
    const schemas = async () => (await app.sql(`select from information_schema.schemata where schema_name like 'site\\_%'`)).length
    const before = await schemas()
    const answers = await Promise.all(Array.from({ length: 12 }, () => post('quiet-harbour/sites/', { name: 'Raced', slug: 'raced' })))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(11).fill(400)])
    expect(answers.find(({ status }) => status === 400)?.body).toEqual({ slug: ['A site with the slug "raced" exists already.'] })
    expect(await schemas()).toBe(before + 1)
  })
})
