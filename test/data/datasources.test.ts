/**
 * Datasources: reading, changing and deactivating them, and the default datasource of create_schema. D1, D2,
 * D13.
 */
import { beforeAll, describe, expect, it } from 'vitest'
import { createSite, type Site, startApp, type TestApp } from '../support/app.ts'
import { ownerOf } from '../support/fixtures.ts'

let app: TestApp
let site: Site
let owner: ReturnType<typeof ownerOf>

const json_schema = { fields: [{ name: 'id', type: 'integer' }], primaryKey: 'id' }
const input = {
  name: 'Main',
  slug: 'main',
  provider_type: 'flat_table',
  provider_config: { note: 1 },
  description: 'first',
}
const notFound = { status: 404, body: { detail: 'Not found.', code: 'not_found' } }
const slugs = ({ body }: { body: { slug: string }[] }) => body.map(({ slug }) => slug)

beforeAll(async () => {
  app = await startApp()
  site = await createSite(app, 'datasources')
  await ownerOf(app, site).post('', { name: 'shop' })
  owner = ownerOf(app, site, '/apps/shop/datasources/')
  await owner.post('', input)
  await owner.post('', { ...input, name: 'Spare', slug: 'spare' })
  await owner.post('main/datatables/?materialize=true', { name: 'made', json_schema })
  await owner.post('main/datatables/', { name: 'planned', description: 'later', json_schema })
})

describe('reading datasources', () => {
  it('the list and a datasource have the shapes of the specification', async () => {
    const item = {
      id: expect.any(Number),
      name: 'Main',
      slug: 'main',
      app_name: 'shop',
      app_slug: 'shop',
      provider_type: 'flat_table',
      description: 'first',
      is_active: true,
      table_count: 2,
      created_at: expect.any(String),
      updated_at: expect.any(String),
    }
    const list = await owner.get('')
    expect(list.body).toEqual([item, { ...item, name: 'Spare', slug: 'spare', table_count: 0 }])
    expect((await owner.get('main/')).body).toEqual({
      ...item,
      app: expect.any(Number),
      provider_config: { note: 1 },
      materialized_count: 1,
      created_by: site.owner.id,
      modified_by: null,
    })
    expect(await owner.get('?is_active=2')).toMatchObject({
      status: 400,
      body: { is_active: ['Must be true or false.'] },
    })
    expect(await owner.get('none/')).toMatchObject(notFound)
  })

  it('tables/ and datatables/ list the tables of a datasource, and stats/ counts them', async () => {
    const table = {
      id: expect.any(Number),
      name: 'made',
      datasource_name: 'Main',
      datasource_slug: 'main',
      app_name: 'shop',
      app_slug: 'shop',
      physical_table_name: 'shop_made',
      is_materialized: true,
      is_active: true,
      field_count: 1,
      created_at: expect.any(String),
      updated_at: expect.any(String),
    }
    const { status, body } = await owner.get('main/tables/')
    expect(status).toBe(200)
    expect(body).toEqual([
      table,
      { ...table, name: 'planned', physical_table_name: 'shop_planned', is_materialized: false },
    ])
    expect((await owner.get('main/datatables/')).body).toEqual(body)
    expect((await owner.get('spare/tables/')).body).toEqual([])
    expect((await owner.get('main/stats/')).body).toEqual({
      total_tables: 2,
      materialized_tables: 1,
      unmaterialized_tables: 1,
      provider_type: 'flat_table',
      is_active: true,
    })
    for (const path of ['none/tables/', 'none/stats/', 'none/datatables/'])
      expect(await owner.get(path)).toMatchObject(notFound)
  })
})

describe('changing a datasource', () => {
  it('a change of the slug or the provider returns 400', async () => {
    const expected = {
      slug: ['The slug of a datasource cannot be changed. Create another one.'],
      provider_type: ['The provider_type of a datasource cannot be changed. Create another one.'],
    }
    const refused = await owner.patch('main/', { name: 'New', slug: 'new', provider_type: 'jsonb' })
    expect([refused.status, refused.body]).toEqual([400, expected])
    expect((await owner.put('main/', { ...input, slug: 'new' })).body).toEqual({ slug: expected.slug })
    expect((await owner.get('main/')).body).toMatchObject({ name: 'Main', modified_by: null })
  })

  it('a change returns 400 and names each invalid field, and 404 for an unknown datasource', async () => {
    expect(
      (
        await owner.patch('main/', {
          name: '',
          slug: 'A b',
          provider_type: 'csv',
          provider_config: [],
          is_active: 'yes',
          app: 1,
          table: 2,
        })
      ).body,
    ).toEqual({
      name: ['This field may not be blank.'],
      slug: [expect.stringContaining('A slug has')],
      provider_type: ['Must be one of: flat_table, jsonb, mongodb.'],
      provider_config: ['Must be an object.'],
      is_active: ['Must be true or false.'],
      table: ['Unknown field.'],
    })
    expect((await owner.put('main/', {})).body).toEqual({
      name: ['This field is required.'],
      slug: ['This field is required.'],
      provider_type: ['This field is required.'],
    })
    expect(await owner.patch('none/', { name: 'x' })).toMatchObject(notFound)
    expect(await owner.put('none/', { ...input, slug: 'none' })).toMatchObject(notFound)
  })

  it('PATCH keeps omitted members of a datasource, and PUT resets them to their defaults', async () => {
    const before = (await owner.get('main/')).body
    const patched = await owner.patch('main/', { description: 'second' })
    expect(patched.status).toBe(200)
    expect(patched.body).toEqual({
      ...before,
      description: 'second',
      modified_by: site.owner.id,
      updated_at: expect.any(String),
    })
    expect(patched.body.updated_at > before.updated_at).toBe(true)
    expect((await owner.patch('main/', { provider_config: { deep: { er: [1] } } })).body).toMatchObject({
      provider_config: { deep: { er: [1] } },
    })

    const put = await owner.put('main/', { name: 'Primary', slug: 'main', provider_type: 'flat_table' })
    expect(put.body).toMatchObject({
      name: 'Primary',
      description: '',
      provider_config: {},
      is_active: true,
      table_count: 2,
    })
    expect((await owner.get('main/')).body).toEqual(put.body)
  })
})

describe('deleting a datasource', () => {
  const tables = () => ownerOf(app, site, '/apps/shop/datatables/')

  it('a deleted datasource and its tables return 404 and are listed only with is_active=false', async () => {
    expect((await tables().post('made/data/', [{}, {}])).status).toBe(201)
    const gone = await owner.delete('main/')
    expect([gone.status, gone.body]).toEqual([204, ''])
    expect(slugs(await owner.get(''))).toEqual(['spare'])
    expect((await owner.get('?is_active=false')).body).toMatchObject([
      { slug: 'main', is_active: false, table_count: 2 },
    ])
    for (const path of [
      'main/',
      'main/tables/',
      'main/stats/',
      'main/datatables/',
      'main/datatables/made/',
    ]) {
      expect([path, await owner.get(path)]).toMatchObject([path, notFound])
    }
    for (const path of ['made/', 'made/schema/', 'made/data/', 'made/data/1/'])
      expect([path, await tables().get(path)]).toMatchObject([path, notFound])
    expect((await tables().get('')).body).toEqual([])
    expect((await tables().get('?is_active=false')).body).toMatchObject([
      { name: 'made', is_active: false },
      { name: 'planned', is_active: false },
    ])
    expect(await tables().post('made/data/', {})).toMatchObject(notFound)
    expect(await tables().delete('made/')).toMatchObject(notFound)
    expect(await owner.delete('main/')).toMatchObject(notFound)
    expect((await ownerOf(app, site).get('shop/')).body).toMatchObject({
      datasource_count: 1,
      table_count: 0,
      datasources: [{ slug: 'spare' }],
    })
  })

  it('a deleted datasource keeps its slug and the names of its tables', async () => {
    expect(await owner.post('', input)).toMatchObject({
      status: 400,
      body: { slug: ['A datasource with the slug "main" already exists in this app.'] },
    })
    expect(await owner.post('spare/datatables/', { name: 'made', json_schema })).toMatchObject({
      status: 400,
      body: { name: ['A datatable named "made" already exists in this app.'] },
    })
  })

  it('only PATCH {is_active: true} finds a deleted datasource, and restores it with its tables', async () => {
    expect(await owner.patch('main/', { name: 'x' })).toMatchObject(notFound)
    expect(await owner.patch('main/', { is_active: false })).toMatchObject(notFound)
    expect(await owner.put('main/', input)).toMatchObject(notFound)
    expect(await owner.patch('main/', { is_active: true, slug: 'other' })).toMatchObject({ status: 400 })
    expect(await owner.get('main/')).toMatchObject(notFound)

    expect(await owner.patch('main/', { is_active: true, name: 'Back' })).toMatchObject({
      status: 200,
      body: { is_active: true, name: 'Back', table_count: 2, materialized_count: 1 },
    })
    expect((await tables().get('made/data/')).body).toMatchObject({ total: 2 })
  })

  it('PATCH {is_active: false} deletes a datasource like DELETE', async () => {
    expect(await owner.patch('main/', { is_active: false })).toMatchObject({
      status: 200,
      body: { is_active: false },
    })
    expect(await tables().get('made/')).toMatchObject(notFound)
    expect((await owner.put('main/', { ...input, is_active: true })).status).toBe(200)
    expect((await tables().get('made/')).status).toBe(200)
  })

  it('one of several concurrent deletions succeeds; concurrent writes return 201 or 404', async () => {
    const work = await Promise.all([
      ...Array.from({ length: 8 }, () => owner.delete('main/')),
      ...Array.from({ length: 8 }, () => tables().post('made/data/', {})),
      ...Array.from({ length: 4 }, (_, index) =>
        owner.post('main/datatables/?materialize=true', { name: `raced_${index}`, json_schema }),
      ),
    ])
    const statuses = work.map(({ status }) => status)
    expect(statuses.slice(0, 8).sort()).toEqual([204, ...Array(7).fill(404)])
    expect(statuses.slice(8).filter((status) => status !== 201 && status !== 404)).toEqual([])
    expect((await owner.patch('main/', { is_active: true })).status).toBe(200)
  })

  it('one of several concurrent creations with the same slug succeeds', async () => {
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => owner.post('', { ...input, slug: 'raced' })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(11).fill(400)])
  })
})

describe('create_schema without ?datasource=', () => {
  const make = async (name: string, ...datasources: object[]) => {
    const apps = ownerOf(app, site)
    await apps.post('', { name })
    for (const datasource of datasources)
      expect((await apps.post(`${name}/datasources/`, { ...input, ...datasource })).status).toBe(201)
    return {
      create: (table: string) =>
        apps.post(`${name}/datatables/create_schema/`, { resources: [{ name: table, schema: json_schema }] }),
      remove: (slug: string) => apps.delete(`${name}/datasources/${slug}/`),
    }
  }

  it('creates a flat_table datasource with a free slug if the app has none', async () => {
    const { create, remove } = await make('papers', { provider_type: 'jsonb' })
    expect(await create('first')).toMatchObject({
      status: 201,
      body: { datatables: [{ datasource_slug: 'main-2', datasource_name: 'Main' }] },
    })
    expect(await create('second')).toMatchObject({
      status: 201,
      body: { datatables: [{ datasource_slug: 'main-2' }] },
    })
    await remove('main-2')
    expect(await create('third')).toMatchObject({
      status: 400,
      body: {
        datasource: [
          'The slug of the default datasource belongs to an inactive datasource of this app. ' +
            'Activate it, or select another one with ?datasource=.',
        ],
      },
    })
  })
})

describe('the connection of a datasource', () => {
  it('is checked by POST …/check/, and by each change of its settings', async () => {
    const docs = ownerOf(app, site, '/apps/docs/datasources/')
    await ownerOf(app, site).post('', { name: 'docs' })
    await docs.post('', { ...input, slug: 'flat' })
    await docs.post('flat/datatables/?materialize=true', { name: 'kept', json_schema })
    expect(await docs.post('flat/check/', undefined)).toMatchObject({
      status: 200,
      body: { server: 'Postgres', transactions: true, round_trip_ms: 0 },
    })
    // As after the deletion of its secret: without one, it could not be created.
    const provider_config = { secret: 'NONE', database: 'shop' }
    await app.sql(
      `update tenant._datasources set provider_type = 'mongodb', provider_config = $1 where slug = 'flat'`,
      [JSON.stringify(provider_config)],
    )
    await docs.patch('flat/', { description: 'Documents' })
    const refused = {
      status: 422,
      body: {
        error: 'MongoDB cannot be used',
        detail: 'There is no secret "NONE".',
        code: 'not_supported',
      },
    }
    const { provider_config: _, ...others } = input
    const whole = { ...others, slug: 'flat', provider_type: 'mongodb', provider_config }
    expect(await docs.post('flat/check/', undefined)).toMatchObject(refused)
    expect(await docs.get('flat/collections/')).toMatchObject(refused)
    expect(await ownerOf(app, site).get('docs/datatables/kept/data/')).toMatchObject(refused)
    expect(await docs.patch('flat/', { provider_config })).toMatchObject(refused)
    expect(await docs.put('flat/', whole)).toMatchObject(refused)
    expect(await docs.patch('flat/', { provider_config: {} })).toMatchObject({
      status: 400,
      body: { provider_config: ['secret: This field is required.', 'database: This field is required.'] },
    })
  })
})
