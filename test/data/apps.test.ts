/** Apps: reading, changing, deleting and restoring. D1, D16. */
import { beforeAll, describe, expect, it } from 'vitest'
import { createSite, type Site, startApp, type TestApp } from '../support/app.ts'
import { ownerOf } from '../support/fixtures.ts'

let app: TestApp
let site: Site
let owner: ReturnType<typeof ownerOf>

const id = { name: 'id', type: 'integer' }
const resource = (name: string) => ({ name, schema: { fields: [id], primaryKey: 'id' } })
const names = ({ body }: { body: { results: { slug: string }[] } }) => body.results.map(({ slug }) => slug)
const notFound = { status: 404, body: { detail: 'Not found.', code: 'not_found' } }

beforeAll(async () => {
  app = await startApp()
  site = await createSite(app, 'apps')
  owner = ownerOf(app, site)
  for (const name of ['Shop', 'Other']) await owner.post('', { name, description: 'first' })
  await owner.post('shop/datatables/create_schema/?materialize=true', { resources: ['a', 'b'].map(resource) })
  await owner.post('shop/datasources/', { name: 'More', slug: 'more', provider_type: 'flat_table' })
  await owner.post('shop/datasources/more/datatables/', { name: 'c', json_schema: { fields: [id] } })
})

describe('reading an app', () => {
  it('GET of an app returns the app with its datasources', async () => {
    const { status, body } = await owner.get('shop/')
    expect([status, body]).toEqual([
      200,
      {
        id: expect.any(Number),
        name: 'Shop',
        slug: 'shop',
        description: 'first',
        datasource_count: 2,
        table_count: 3,
        datasources: [
          { id: expect.any(Number), name: 'Main', slug: 'main', provider_type: 'flat_table', table_count: 2 },
          { id: expect.any(Number), name: 'More', slug: 'more', provider_type: 'flat_table', table_count: 1 },
        ],
        created_at: expect.stringMatching(/Z$/),
        updated_at: expect.stringMatching(/Z$/),
        created_by: site.owner.id,
        modified_by: null,
      },
    ])
  })
})

describe('an app whose name gives no slug', () => {
  it('an app can be created with an explicit slug; a taken slug returns 400', async () => {
    const made = await owner.post('', { name: '東京', slug: 'tokyo' })
    expect([made.status, made.body.name, made.body.slug]).toEqual([201, '東京', 'tokyo'])
    const again = await owner.post('', { name: '京都', slug: 'tokyo' })
    expect([again.status, again.body]).toEqual([
      400,
      { slug: ['An app with the slug "tokyo" already exists.'] },
    ])
    await app.sql(`delete from tenant._apps where slug = 'tokyo'`)
  })
})

describe('changing an app', () => {
  it('a change with invalid fields returns 400 and names each of them', async () => {
    const long = 'x'.repeat(2001)
    expect(
      (await owner.put('shop/', { description: long, sulg: 'x', slug: 'x', descripton: '' })).body,
    ).toEqual({
      name: ['This field is required.'],
      description: ['Ensure this field has no more than 2000 characters.'],
      sulg: ['Unknown field.'],
      descripton: ['Unknown field. Did you mean "description"?'],
    })
    expect((await owner.patch('shop/', { name: ' ', is_active: false })).body).toEqual({
      name: ['This field may not be blank.'],
      is_active: ['Unknown field.'],
    })
    expect((await owner.patch('shop/', { name: 'a\0b' })).body).toEqual({
      name: ['Text may not contain the NUL character.'],
    })
    expect((await owner.patch('shop/', [1])).status).toBe(400)
  })

  it('PATCH keeps the slug and omitted members of an app, and sets modified_by and updated_at', async () => {
    const before = (await owner.get('shop/')).body
    const { status, body } = await owner.patch('shop/', { name: 'The "new" shop 🛠' })
    expect(status).toBe(200)
    expect(body).toEqual({
      ...before,
      name: 'The "new" shop 🛠',
      modified_by: site.owner.id,
      updated_at: expect.any(String),
    })
    expect(body.updated_at > before.updated_at).toBe(true)
    expect((await owner.get('shop/')).body).toEqual(body)
    expect((await owner.patch('shop/', { description: '' })).body).toMatchObject({
      name: 'The "new" shop 🛠',
      description: '',
    })
  })

  it('PUT resets omitted members of an app to their defaults', async () => {
    await owner.patch('shop/', { description: 'second' })
    expect((await owner.put('shop/', { name: 'Shop' })).body).toMatchObject({
      name: 'Shop',
      slug: 'shop',
      description: '',
    })
    expect((await owner.put('shop/', { name: 'Shop', description: 'third' })).body).toMatchObject({
      description: 'third',
    })
  })
})

describe('the statistics of an app', () => {
  it('count the datasources and tables of an app', async () => {
    expect((await owner.get('shop/stats/')).body).toEqual({
      app_name: 'Shop',
      app_slug: 'shop',
      total_datasources: 2,
      total_tables: 3,
      materialized_tables: 2,
      unmaterialized_tables: 1,
      datasources: [
        { name: 'Main', slug: 'main', provider_type: 'flat_table', total_tables: 2, materialized_tables: 2 },
        { name: 'More', slug: 'more', provider_type: 'flat_table', total_tables: 1, materialized_tables: 0 },
      ],
    })
    expect((await owner.get('other/stats/')).body).toEqual({
      app_name: 'Other',
      app_slug: 'other',
      total_datasources: 0,
      total_tables: 0,
      materialized_tables: 0,
      unmaterialized_tables: 0,
      datasources: [],
    })
  })
})

describe('deleting an app', () => {
  it('a deleted app and its tables return 404 and are listed only with is_active=false', async () => {
    const gone = await owner.delete('shop/')
    expect([gone.status, gone.body]).toEqual([204, ''])
    expect(names(await owner.get(''))).toEqual(['other'])
    expect(names(await owner.get('?is_active=true'))).toEqual(['other'])
    const inactive = await owner.get('?is_active=false&page_size=1')
    expect(inactive.body).toEqual({
      count: 1,
      next: null,
      previous: null,
      results: [
        {
          id: expect.any(Number),
          name: 'Shop',
          slug: 'shop',
          description: 'third',
          datasource_count: 2,
          created_at: expect.any(String),
          updated_at: expect.any(String),
          created_by: site.owner.id,
          modified_by: site.owner.id,
        },
      ],
    })
    expect(await owner.get('?is_active=maybe')).toMatchObject({
      status: 400,
      body: { is_active: ['Must be true or false.'] },
    })
    for (const path of [
      '',
      'stats/',
      'datasources/',
      'datasources/main/',
      'datatables/',
      'datatables/a/',
      'datatables/a/data/',
      'datatables/stats/',
    ]) {
      expect([path, await owner.get(`shop/${path}`)]).toMatchObject([path, notFound])
    }
    expect(await owner.patch('shop/', { name: 'x' })).toMatchObject(notFound)
    expect(await owner.delete('shop/')).toMatchObject(notFound)
    expect(await owner.post('shop/datatables/a/data/', {})).toMatchObject(notFound)
  })

  it('a deleted app keeps its slug', async () => {
    expect(await owner.post('', { name: 'shop' })).toMatchObject({
      status: 400,
      body: { name: ['An app with the slug "shop" already exists.'] },
    })
  })
})

describe('restoring an app', () => {
  it('restoring an app restores what its deletion deactivated, and nothing else', async () => {
    const { body } = await owner.post('shop/restore/')
    expect(body).toEqual({ message: 'App "Shop" has been restored.' })
    await owner.delete('shop/datasources/more/')
    await owner.delete('shop/')
    expect((await owner.post('shop/restore/')).status).toBe(200)

    expect((await owner.get('shop/')).body).toMatchObject({
      datasource_count: 1,
      table_count: 2,
      datasources: [{ slug: 'main', table_count: 2 }],
    })
    expect(await owner.get('shop/datatables/c/')).toMatchObject(notFound)
    expect((await owner.get('shop/datatables/a/')).body).toMatchObject({ is_active: true })
    expect((await owner.post('shop/datatables/a/data/', {})).status).toBe(201)

    expect((await owner.patch('shop/datasources/more/', { is_active: true })).status).toBe(200)
    expect((await owner.get('shop/datatables/c/')).status).toBe(200)
  })

  it('restoring returns 200 for an active app and 404 for an unknown one', async () => {
    expect((await owner.post('shop/restore/')).status).toBe(200)
    expect(await owner.post('nothing/restore/')).toMatchObject(notFound)
  })

  it('concurrent restorations, deletions, reads and writes of an app cause no errors other than 400 and 404', async () => {
    const work = Array.from({ length: 4 }, () => [
      owner.delete('shop/'),
      owner.post('shop/restore/'),
      owner.get('shop/datatables/'),
      owner.post('shop/datatables/b/data/', {}),
      owner.patch('shop/', { description: 'raced' }),
      owner.post('shop/datatables/import-reference/', { source_app_slug: 'shop', source_table_name: 'b' }),
    ]).flat()
    const statuses = (await Promise.all(work)).map(({ status }) => status)
    expect(statuses.filter((status) => ![200, 201, 204, 400, 404].includes(status))).toEqual([])
    expect((await owner.post('shop/restore/')).status).toBe(200)
    expect((await owner.get('shop/datatables/a/')).status).toBe(200)
  })
})
