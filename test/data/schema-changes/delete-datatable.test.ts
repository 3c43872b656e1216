/** Lists, schemas, statistics and the deletion of datatables. */
import { beforeAll, describe, expect, it } from 'vitest'
import { createSite, type Site, startApp, type TestApp } from '../../support/app.ts'
import { ownerOf } from '../../support/fixtures.ts'

let app: TestApp
let site: Site
let owner: ReturnType<typeof ownerOf>

const id = { name: 'id', type: 'integer' }
const schema = (...fields: unknown[]) => ({ fields: [id, ...fields], primaryKey: 'id' })
const key = (field: string, resource: string) => ({ fields: field, reference: { resource, fields: 'id' } })
const notFound = { status: 404, body: { detail: 'Not found.', code: 'not_found' } }
const names = ({ body }: { body: { name: string }[] }) => body.map(({ name }) => name)

const shop = {
  resources: [
    { name: 'makers', schema: schema({ name: 'name', type: 'string', constraints: { unique: true } }) },
    {
      name: 'products',
      schema: {
        ...schema({ name: 'maker_id', type: 'integer' }, { name: 'next', type: 'integer' }),
        foreignKeys: [key('maker_id', 'makers'), key('next', '')],
        indexes: [{ name: 'by_next', fields: 'next', where: { id__gt: 5 } }],
      },
    },
  ],
}

beforeAll(async () => {
  app = await startApp()
  site = await createSite(app, 'removal')
  const apps = ownerOf(app, site)
  await apps.post('', { name: 'shop' })
  await apps.post('shop/datatables/create_schema/?materialize=true', shop)
  await apps.post('shop/datasources/', { name: 'Spare', slug: 'spare', provider_type: 'flat_table' })
  await apps.post('shop/datasources/spare/datatables/', { name: 'drafts', json_schema: schema() })
  owner = ownerOf(app, site, '/apps/shop/datatables/')
})

describe("the list of an app's datatables", () => {
  it('an invalid filter of the list returns 400', async () => {
    expect((await owner.get('?datasource=none')).body).toEqual({
      datasource: ['There is no datasource "none" in this app.'],
    })
    for (const value of ['2', 'TRUE', '']) {
      expect(await owner.get(`?is_materialized=${value}`)).toMatchObject({
        status: 400,
        body: { is_materialized: ['Must be true or false.'] },
      })
    }
    expect((await owner.get('?is_materialized=true&is_materialized=false')).status).toBe(400)
  })

  it('the list contains all datasources, and can be filtered by datasource and materialization', async () => {
    expect(names(await owner.get(''))).toEqual(['drafts', 'makers', 'products'])
    expect(names(await owner.get('?datasource=main'))).toEqual(['makers', 'products'])
    expect(names(await owner.get('?is_materialized=false'))).toEqual(['drafts'])
    expect(names(await owner.get('?datasource=main&is_materialized=true'))).toEqual(['makers', 'products'])
    expect(names(await owner.get('?datasource=spare&is_materialized=true'))).toEqual([])
    expect((await owner.get('')).body[0]).toEqual({
      id: expect.any(Number),
      name: 'drafts',
      datasource_name: 'Spare',
      datasource_slug: 'spare',
      app_name: 'shop',
      app_slug: 'shop',
      physical_table_name: 'shop_drafts',
      is_materialized: false,
      is_active: true,
      field_count: 1,
      created_at: expect.any(String),
      updated_at: expect.any(String),
    })
  })

  it('the statistics count datatables, also for each datasource', async () => {
    expect((await owner.get('stats/')).body).toEqual({
      total_tables: 3,
      materialized_tables: 2,
      unmaterialized_tables: 1,
      datasource_count: 2,
      datasources: {
        main: { name: 'Main', provider_type: 'flat_table', table_count: 2, materialized_count: 2 },
        spare: { name: 'Spare', provider_type: 'flat_table', table_count: 1, materialized_count: 0 },
      },
    })
  })
})

describe('the schema of a datatable', () => {
  it('the schema has its hash as ETag, and returns 304 if the client has it', async () => {
    const table = (await owner.get('products/')).body
    const { status, body, headers } = await owner.get('products/schema/')
    expect(status).toBe(200)
    expect(body).toEqual({
      name: 'products',
      schema: table.json_schema,
      schema_hash: table.schema_hash,
      field_count: 3,
    })
    expect(headers.get('etag')).toBe(`"${table.schema_hash}"`)

    for (const place of ['datatables', 'datasources/main/datatables']) {
      const conditional = (tag: string) =>
        app.request('GET', `${site.api}/apps/shop/${place}/products/schema/`, {
          token: site.owner.token,
          headers: { 'if-none-match': tag },
        })
      for (const tag of [`"${table.schema_hash}"`, `"other", W/"${table.schema_hash}"`, '*']) {
        const same = await conditional(tag)
        expect([same.status, same.body, same.headers.get('etag')]).toEqual([
          304,
          '',
          `"${table.schema_hash}"`,
        ])
      }
      expect((await conditional('"other"')).status).toBe(200)
    }
  })

  it('the schema returns 404 for an unknown table, and for a table of another datasource', async () => {
    expect(await owner.get('none/schema/')).toMatchObject(notFound)
    expect(await ownerOf(app, site).get('shop/datasources/spare/datatables/products/schema/')).toMatchObject(
      notFound,
    )
  })
})

describe('deleting a datatable', () => {
  const physical = async () =>
    (
      await app.sql<{ name: string }>(
        'select tablename as name from pg_tables where schemaname = $1 order by 1',
        [site.schema],
      )
    )
      .map(({ name }) => name)
      .filter((name) => !name.startsWith('_'))

  it('deletion returns 409 while other tables reference the table, materialized or not, active or not', async () => {
    const refused = await owner.delete('makers/')
    expect([refused.status, refused.body]).toEqual([
      409,
      {
        error: 'Datatable is referenced',
        detail: '"makers" cannot be deleted while others reference it: products.',
        referenced_by: ['products'],
        code: 'still_referenced',
      },
    ])
    expect((await ownerOf(app, site).delete('shop/datasources/main/datatables/makers/')).body).toEqual(
      refused.body,
    )
    const spare = ownerOf(app, site, '/apps/shop/datasources/spare/')
    const json_schema = {
      ...schema({ name: 'maker', type: 'integer' }),
      foreignKeys: [key('maker', 'makers')],
    }
    await spare.post('datatables/', { name: 'planned', json_schema })
    await spare.post('datatables/?materialize=true', { name: 'real', json_schema })
    expect((await owner.delete('makers/')).body.referenced_by).toEqual(['products', 'planned', 'real'])

    await spare.delete('')
    expect((await owner.delete('makers/')).body.referenced_by).toEqual(['products', 'planned', 'real'])
    await spare.patch('', { is_active: true })
    for (const name of ['planned', 'real']) expect((await owner.delete(`${name}/`)).status).toBe(204)
    expect(await physical()).toEqual(['shop_makers', 'shop_products'])
  })

  it('deletion renames the physical table, and the history records how to restore it', async () => {
    expect(await ownerOf(app, site).delete('shop/datasources/spare/datatables/products/')).toMatchObject(
      notFound,
    )
    const { id: tableId } = (await owner.get('products/')).body
    const gone = await ownerOf(app, site).delete('shop/datasources/main/datatables/products/')
    expect([gone.status, gone.body]).toEqual([204, ''])
    expect(await owner.get('products/')).toMatchObject(notFound)
    expect(await owner.get('products/data/')).toMatchObject(notFound)
    expect(await owner.delete('products/')).toMatchObject(notFound)
    expect(await physical()).toEqual(['shop_makers'])

    const [row] = await app.sql<{ sql: string; rollback_sql: string }>(
      `select operation_type, description, sql, rollback_sql, status, created_by::integer
         from tenant._operations where datatable_name = 'products' order by id desc limit 1`,
    )
    expect(row).toEqual({
      operation_type: 'drop_table',
      description: 'Put table products aside',
      sql: expect.stringContaining(
        `alter table "${site.schema}"."shop_products" rename to "_deleted_${tableId}";`,
      ),
      rollback_sql: expect.stringContaining(
        `alter table "${site.schema}"."_deleted_${tableId}" rename to "shop_products";`,
      ),
      status: 'success',
      created_by: site.owner.id,
    })
    for (const script of [row?.rollback_sql, row?.sql])
      for (const statement of script?.split(/;(?:\n|$)/).filter(Boolean) ?? []) await app.sql(statement)
    expect(await physical()).toEqual(['shop_makers'])
  })

  it('deletion of an unmaterialized table adds nothing to the history', async () => {
    expect((await owner.delete('drafts/')).status).toBe(204)
    expect(await app.sql(`select from tenant._operations where datatable_name = 'drafts'`)).toEqual([])
  })

  it('deletion frees the name, and the referenced tables can then be deleted', async () => {
    expect((await owner.delete('makers/')).status).toBe(204)
    expect((await owner.post('create_schema/?materialize=true', shop)).status).toBe(201)
    expect((await owner.get('products/data/')).body).toMatchObject({ data: [], total: 0 })
  })

  it('deletion concurrent with reads, writes and creations causes no errors other than 400, 404 and 409', async () => {
    for (let round = 0; round < 3; round++) {
      const work = await Promise.all([
        ...Array.from({ length: 3 }, () => owner.delete('products/')),
        ...Array.from({ length: 10 }, () => owner.post('products/data/', [{}, {}])),
        ...Array.from({ length: 4 }, () => owner.get('products/data/')),
        ...Array.from({ length: 3 }, () =>
          ownerOf(app, site).post('shop/datasources/main/datatables/?materialize=true', {
            name: 'products',
            json_schema: schema(),
          }),
        ),
        owner.delete('makers/'),
        owner.post('makers/data/', { name: `m${round}` }),
      ])
      expect(
        work.map(({ status }) => status).filter((status) => ![200, 201, 204, 400, 404, 409].includes(status)),
      ).toEqual([])
      const { body } = await owner.get('')
      const listed = body
        .filter((table: { is_materialized: boolean }) => table.is_materialized)
        .map((table: { name: string }) => `shop_${table.name}`)
      expect(await physical()).toEqual(listed)
      await owner.post('create_schema/?materialize=true', {
        resources: [{ name: 'makers', schema: schema() }],
      })
    }
  })
})
