/** Reference tables: tables of one app that another app reads. Spec: Import-reference rules; T3, D10. */
import { beforeAll, describe, expect, it } from 'vitest'
import { createSite, type Site, startApp, type TestApp } from '../support/app.ts'
import { ownerOf } from '../support/fixtures.ts'

let app: TestApp
let site: Site
/** The app `sales` imports reference tables from the app `crm`. */
let sales: ReturnType<typeof ownerOf>
let crm: ReturnType<typeof ownerOf>

const id = { name: 'id', type: 'integer' }
const schema = (...fields: unknown[]) => ({ fields: [id, ...fields], primaryKey: 'id' })
const key = (field: string, resource: string) => ({ fields: field, reference: { resource, fields: 'id' } })
const notFound = { status: 404, body: { detail: 'Not found.', code: 'not_found' } }
const names = ({ body }: { body: { name: string }[] }) => body.map(({ name }) => name)
const from = (source_table_name: string, reference_name?: string) => ({
  source_app_slug: 'crm',
  source_table_name,
  ...(reference_name === undefined ? {} : { reference_name }),
})

beforeAll(async () => {
  app = await startApp()
  site = await createSite(app, 'references')
  const apps = ownerOf(app, site)
  for (const name of ['crm', 'sales', 'gone', 'third']) await apps.post('', { name })
  ;[sales, crm] = ['sales', 'crm'].map((slug) => ownerOf(app, site, `/apps/${slug}/datatables/`)) as [
    typeof sales,
    typeof crm,
  ]
  await crm.post('create_schema/?materialize=true', {
    resources: [
      { name: 'regions', schema: schema({ name: 'name', type: 'string' }) },
      {
        name: 'customers',
        description: 'Who buys',
        schema: {
          ...schema(
            { name: 'name', type: 'string', constraints: { required: true } },
            { name: 'region_id', type: 'integer' },
            { name: 'boss', type: 'integer' },
          ),
          foreignKeys: [key('region_id', 'regions'), key('boss', 'customers')],
        },
      },
    ],
  })
  await crm.post('create_schema/', { resources: [{ name: 'planned', schema: schema() }] })
  await apps.post('gone/datatables/create_schema/?materialize=true', {
    resources: [{ name: 'lost', schema: schema() }],
  })
  await apps.delete('gone/')
  await crm.post('regions/data/', [{ name: 'North' }, { name: 'South' }])
  await crm.post('customers/data/', [
    { name: 'Ada', region_id: 1 },
    { name: 'Bo', region_id: 2, boss: 1 },
    { name: 'Cy' },
  ])
  await sales.post('create_schema/?materialize=true', { resources: [{ name: 'taken', schema: schema() }] })
  const theirs = ownerOf(app, await createSite(app, 'others'))
  await theirs.post('', { name: 'theirs' })
  await theirs.post('theirs/datatables/create_schema/?materialize=true', {
    resources: [{ name: 'x', schema: schema() }],
  })
})

describe('importing a reference table', () => {
  it('an import without a tenant returns 400, after the checks for 401 and 403', async () => {
    const ask = (path: string, token?: string) =>
      app.request('POST', `${path}/apps/sales/datatables/import-reference/`, {
        body: from('customers'),
        ...(token ? { token } : {}),
      })
    for (const path of ['/api', '/sites/nowhere/api']) {
      const answer = await ask(path, site.owner.token)
      expect([answer.status, answer.body]).toEqual([
        400,
        {
          error: 'No tenant',
          detail:
            'References can only be imported into a site, but this request has no site. ' +
            'Send it to the address of a site.',
          code: 'no_site',
        },
      ])
    }
    expect((await ask('/api')).status).toBe(401)
    expect((await ask(site.api, (await app.user('nobody')).token)).status).toBe(403)
  })

  it.each<[string, unknown, unknown]>([
    [
      'fields are missing',
      {},
      { source_app_slug: ['This field is required.'], source_table_name: ['This field is required.'] },
    ],
    [
      'fields are of other types or unknown',
      { source_app_slug: 1, source_table_name: ['x'], reference_name: null, name: 'x' },
      {
        source_app_slug: ['Must be a string.'],
        source_table_name: ['Must be a string.'],
        reference_name: ['This field may not be null.'],
        name: ['Unknown field.'],
      },
    ],
    ['the body is not an object', 7, { non_field_errors: ['Must be an object.'] }],
    [
      'the name is not a valid table name',
      from('customers', 'Cust-omers'),
      { reference_name: [expect.stringContaining('A table name begins with')] },
    ],
    [
      'the name is reserved',
      from('customers', 'stats'),
      { reference_name: [expect.stringContaining('is not "create_schema" or "stats"')] },
    ],
    [
      'the app does not exist',
      { ...from('x'), source_app_slug: 'none' },
      { source_app_slug: ['There is no app "none" in this site.'] },
    ],
    [
      'the app is inactive',
      { source_app_slug: 'gone', source_table_name: 'lost' },
      { source_app_slug: ['There is no app "gone" in this site.'] },
    ],
    [
      'the app belongs to another tenant',
      { ...from('x'), source_app_slug: 'theirs' },
      { source_app_slug: ['There is no app "theirs" in this site.'] },
    ],
    [
      'the table does not exist',
      from('nothing'),
      { source_table_name: ['The app "crm" has no datatable "nothing".'] },
    ],
    [
      'the name is a property of Object.prototype',
      from('__proto__', 'constructor'),
      { source_table_name: ['The app "crm" has no datatable "__proto__".'] },
    ],
    [
      'the table is not materialized',
      from('planned'),
      { source_table_name: ['"planned" is not materialized.'] },
    ],
    [
      'the name is taken',
      from('customers', 'taken'),
      { reference_name: ['A datatable named "taken" already exists in this app.'] },
    ],
  ])('an import returns 400 if %s', async (_, body, expected) => {
    const answer = await sales.post('import-reference/', body)
    expect([answer.status, answer.body]).toEqual([400, expected])
    expect(names(await sales.get(''))).toEqual(['taken'])
  })

  it('an import returns 400 if the physical table is missing, and 404 for an unknown app', async () => {
    await crm.post('create_schema/?materialize=true', { resources: [{ name: 'torn', schema: schema() }] })
    await app.sql(`drop table ${site.schema}.crm_torn`)
    expect((await sales.post('import-reference/', from('torn'))).body).toEqual({
      source_table_name: ['The physical table of "torn" does not exist.'],
    })
    await app.sql(`delete from tenant._datatables where name = 'torn'`)
    expect(
      await ownerOf(app, site).post('nothing/datatables/import-reference/', from('customers')),
    ).toMatchObject(notFound)
  })

  it('an import returns 201 with the reference table, which has the name of its source by default', async () => {
    const source = (await crm.get('customers/')).body
    const { status, body } = await sales.post('import-reference/', from('customers'))
    expect(status).toBe(201)
    expect(body).toEqual({
      id: expect.any(Number),
      data_source: null,
      datasource_name: null,
      datasource_slug: null,
      app_name: 'sales',
      app_slug: 'sales',
      name: 'customers',
      description: '',
      json_schema: source.json_schema,
      physical_table_name: 'crm_customers',
      is_materialized: true,
      is_active: true,
      schema_hash: source.schema_hash,
      field_count: 4,
      field_names: ['id', 'name', 'region_id', 'boss'],
      primary_key: ['id'],
      provider_type: 'flat_table',
      schema_format: 'frictionless',
      is_reference: true,
      source_info: { id: source.id, app: 'crm', table: 'customers', physical_table_name: 'crm_customers' },
      created_at: expect.any(String),
      updated_at: expect.any(String),
      created_by: site.owner.id,
      modified_by: null,
    })
    expect((await sales.get('customers/')).body).toEqual(body)
    expect((await sales.get('customers/schema/')).body).toEqual({
      ...(await crm.get('customers/schema/')).body,
    })
  })

  it('an import returns 400 if the source is itself a reference table', async () => {
    expect(
      (
        await ownerOf(app, site).post('third/datatables/import-reference/', {
          source_app_slug: 'sales',
          source_table_name: 'customers',
        })
      ).body,
    ).toEqual({
      source_table_name: ['"customers" is itself a reference. Import its source instead.'],
    })
  })

  it('an import of an array returns 207: it creates the valid reference tables and reports the others', async () => {
    const items = [
      from('regions'),
      from('nothing'),
      'regions',
      from('regions'),
      { ...from('customers', '1'), more: 1 },
      from('regions', 'areas'),
    ]
    const { status, body } = await sales.post('import-reference/', items)
    expect(status).toBe(207)
    expect(body).toEqual({
      created: 2,
      failed: 4,
      references: [
        expect.objectContaining({
          name: 'regions',
          is_reference: true,
          source_info: expect.objectContaining({ app: 'crm', table: 'regions' }),
        }),
        expect.objectContaining({ name: 'areas', is_reference: true }),
      ],
      errors: [
        {
          index: 1,
          reference: items[1],
          error: 'source_table_name: The app "crm" has no datatable "nothing".',
        },
        {
          index: 2,
          reference: items[2],
          error: 'non_field_errors: Must be an object.',
        },
        {
          index: 3,
          reference: items[3],
          error: 'reference_name: A datatable named "regions" already exists in this app.',
        },
        {
          index: 4,
          reference: items[4],
          error: expect.stringMatching(/^reference_name: A table name begins.*more: Unknown field\.$/),
        },
      ],
    })
    expect((await sales.post('import-reference/', [])).body).toEqual({
      created: 0,
      failed: 0,
      references: [],
      errors: [],
    })
    expect(await sales.post('import-reference/', Array(201).fill(from('regions')))).toMatchObject({
      status: 400,
      body: { non_field_errors: ['Ensure this request has no more than 200 references.'] },
    })
  })

  it('one of several concurrent imports and creations with the same name succeeds', async () => {
    const answers = await Promise.all([
      ...Array.from({ length: 6 }, () => sales.post('import-reference/', from('regions', 'raced'))),
      ...Array.from({ length: 3 }, () => sales.post('import-reference/', [from('customers', 'raced')])),
      ...Array.from({ length: 3 }, () =>
        sales.post('create_schema/', { resources: [{ name: 'raced', schema: schema() }] }),
      ),
    ])
    const made = answers.filter(({ status, body }) => status === 201 || body.created === 1)
    expect(made).toHaveLength(1)
    expect(answers.filter(({ status }) => ![201, 207, 400].includes(status))).toEqual([])
    expect((await sales.delete('raced/')).status).toBe(204)
  })
})

describe('a reference table', () => {
  it('a reference table is listed with the tables of its app, but in no datasource', async () => {
    expect(names(await sales.get(''))).toEqual(['areas', 'customers', 'regions', 'taken'])
    expect((await sales.get('?datasource=main')).body).toMatchObject([{ name: 'taken' }])
    expect((await sales.get('')).body[1]).toEqual({
      id: expect.any(Number),
      name: 'customers',
      datasource_name: null,
      datasource_slug: null,
      app_name: 'sales',
      app_slug: 'sales',
      physical_table_name: 'crm_customers',
      is_materialized: true,
      is_active: true,
      field_count: 4,
      provider_type: 'flat_table',
      schema_format: 'frictionless',
      is_reference: true,
      source_info: {
        id: expect.any(Number),
        app: 'crm',
        table: 'customers',
        physical_table_name: 'crm_customers',
      },
      created_at: expect.any(String),
      updated_at: expect.any(String),
    })
    expect((await sales.get('stats/')).body).toEqual({
      total_tables: 4,
      materialized_tables: 4,
      unmaterialized_tables: 0,
      datasource_count: 1,
      datasources: {
        main: { name: 'Main', provider_type: 'flat_table', table_count: 1, materialized_count: 1 },
      },
    })
    expect((await ownerOf(app, site).get('sales/')).body).toMatchObject({
      table_count: 4,
      datasources: [{ table_count: 1 }],
    })
    expect(await ownerOf(app, site).get('sales/datasources/main/datatables/customers/')).toMatchObject(
      notFound,
    )
    expect(await ownerOf(app, site).delete('sales/datasources/main/datatables/customers/')).toMatchObject(
      notFound,
    )
  })

  it('a reference table shows the current rows of its source', async () => {
    expect((await sales.get('customers/data/?name__gt=B&_sort=id')).body).toMatchObject({
      data: [
        { id: 2, name: 'Bo' },
        { id: 3, name: 'Cy' },
      ],
      total: 2,
    })
    await crm.post('customers/data/', { name: 'Di' })
    expect((await sales.get('customers/data/4/')).body).toMatchObject({
      data: { id: 4, name: 'Di', region_id: null },
    })
    expect((await sales.get('customers/data/9/')).status).toBe(404)
  })

  it('a reference table is read-only: writes and schema changes return 403', async () => {
    const refused = [
      403,
      {
        detail: '"customers" is a reference to "customers" of the app "crm": here it can only be read.',
        code: 'read_only',
      },
    ]
    for (const work of [
      sales.post('customers/data/', { name: 'x' }),
      sales.post('customers/data/', [{}]),
      sales.post('customers/data/upsert/?unique_fields=id', { id: 1, name: 'x' }),
      sales.patch('customers/data/', [{ id: 1, name: 'x' }]),
      sales.patch('customers/data/1/', { name: 'x' }),
      sales.delete('customers/data/1/'),
      sales.delete('customers/data/?ids=1'),
      sales.delete('customers/data/?filter={"id":1}'),
      sales.post('customers/materialize/'),
    ]) {
      const { status, body } = await work
      expect([status, body]).toEqual(refused)
    }
    expect((await crm.get('customers/data/')).body.total).toBe(4)
  })

  it('a foreign key may reference a reference table', async () => {
    const orders = {
      ...schema({ name: 'customer_id', type: 'integer' }),
      foreignKeys: [key('customer_id', 'customers')],
    }
    expect(
      (
        await sales.post('create_schema/?materialize=true', {
          resources: [{ name: 'orders', schema: orders }],
        })
      ).status,
    ).toBe(201)
    expect((await sales.post('orders/data/', { customer_id: 1 })).status).toBe(201)
    expect(await sales.post('orders/data/', { customer_id: 99 })).toMatchObject({
      status: 400,
      body: {
        error: 'Foreign key violation',
        detail: 'This customer_id references no record of "customers".',
        code: 'reference_missing',
      },
    })
    const { body: second } = await sales.post('orders/data/', { customer_id: 2 })
    expect(await crm.delete('customers/data/2/')).toMatchObject({
      status: 403,
      body: {
        error: 'Cannot delete record',
        detail: 'Records of "sales/orders" reference the record whose id is 2.',
        code: 'still_referenced',
      },
    })
    expect((await sales.delete(`orders/data/${second.data.id}/`)).status).toBe(204)
    const wrong = {
      ...schema({ name: 'customer_id', type: 'string' }),
      foreignKeys: [key('customer_id', 'customers')],
    }
    expect(
      (await sales.post('create_schema/?materialize=true', { resources: [{ name: 'wrong', schema: wrong }] }))
        .body,
    ).toEqual({
      json_schema: [
        'foreignKeys[0]: "customer_id" is of type string, but "id" of "customers" is of type integer',
      ],
    })
  })

  it('relationships include a reference table and the tables of the app that its foreign keys reference', async () => {
    expect((await sales.get('orders/data/?populate=customer.region&customer.name=Ada')).body.data).toEqual([
      {
        id: 1,
        customer_id: 1,
        customer: { id: 1, name: 'Ada', region_id: 1, boss: null, region: { id: 1, name: 'North' } },
      },
    ])
    expect((await sales.get('customers/data/?orders.id=1')).body).toMatchObject({
      data: [{ name: 'Ada' }],
      total: 1,
    })

    // A foreign key of the source does not reference a table here that only has the same name.
    const third = ownerOf(app, site, '/apps/third/datatables/')
    await third.post('create_schema/?materialize=true', {
      resources: [{ name: 'regions', schema: schema() }],
    })
    expect((await third.post('import-reference/', from('customers'))).status).toBe(201)
    const { data } = (await third.get('customers/data/2/?populate=*')).body
    expect(data).toMatchObject({ id: 2, name: 'Bo', region_id: 2, boss: { name: 'Ada' } })
    expect(data).not.toHaveProperty('region')
    expect((await third.get('customers/data/?populate=region')).status).toBe(400)
    expect((await third.get('customers/schema/')).body.schema.foreignKeys).toHaveLength(2)
    expect((await third.delete('customers/')).status).toBe(204)
  })
})

describe('the source of a reference table', () => {
  it('deletion of a source returns 409 and names its reference tables', async () => {
    const refused = await crm.delete('regions/')
    expect([refused.status, refused.body]).toEqual([
      409,
      {
        error: 'Datatable is referenced',
        detail:
          '"regions" cannot be deleted while others reference it: customers, sales/areas, sales/regions.',
        referenced_by: ['customers', 'sales/areas', 'sales/regions'],
        code: 'still_referenced',
      },
    ])
    expect((await sales.delete('customers/')).body).toMatchObject({ referenced_by: ['orders'] })
    await ownerOf(app, site).delete('sales/datasources/main/')
    expect((await sales.delete('customers/')).body).toMatchObject({ referenced_by: ['orders'] })
    expect((await crm.delete('customers/')).body).toMatchObject({
      referenced_by: ['sales/customers', 'sales/orders'],
    })
    await ownerOf(app, site).patch('sales/datasources/main/', { is_active: true })
  })

  it('reference tables are inactive while their source is inactive', async () => {
    const apps = ownerOf(app, site)
    for (const [away, back] of [
      [() => apps.delete('crm/?force=true'), () => apps.post('crm/restore/')],
      [
        () => apps.delete('crm/datasources/main/?force=true'),
        () => apps.patch('crm/datasources/main/', { is_active: true }),
      ],
    ] as const) {
      expect((await away()).status).toBe(204)
      expect(names(await sales.get(''))).toEqual(['areas', 'customers', 'orders', 'regions', 'taken'])
      expect(names(await sales.get('?is_active=false'))).toEqual(['areas', 'customers', 'regions'])
      for (const path of ['customers/data/', 'customers/data/1/'])
        expect([path, (await sales.get(path)).status]).toEqual([path, 422])
      expect((await apps.get('sales/')).body).toMatchObject({ table_count: 2 })
      expect((await sales.post('import-reference/', from('customers', 'again'))).status).toBe(400)
      expect((await sales.get('orders/data/?populate=*')).body.data).toEqual([{ id: 1, customer_id: 1 }])
      // The foreign key is still enforced.
      expect((await sales.get('orders/data/')).body.total).toBe(1)
      expect((await sales.post('orders/data/', { customer_id: 99 })).status).toBe(400)
      expect((await back()).status).toBe(200)
      expect(names(await sales.get(''))).toEqual(['areas', 'customers', 'orders', 'regions', 'taken'])
      expect((await sales.get('customers/data/')).body.total).toBe(4)
    }
  })

  it('a reference table in an inactive app still protects its source', async () => {
    await ownerOf(app, site).delete('sales/')
    expect((await crm.delete('regions/')).body.referenced_by).toEqual([
      'customers',
      'sales/areas',
      'sales/regions',
    ])
    await ownerOf(app, site).post('sales/restore/')
    expect((await sales.get('areas/data/')).body.total).toBe(2)
  })

  it('deleting a reference table keeps its source, which can then be deleted', async () => {
    for (const name of ['orders', 'customers', 'areas', 'regions'])
      expect((await sales.delete(`${name}/`)).status).toBe(204)
    expect((await crm.get('customers/data/')).body.total).toBe(4)
    expect(names(await sales.get(''))).toEqual(['taken'])
    expect((await crm.delete('customers/')).status).toBe(204)
    expect((await crm.delete('regions/')).status).toBe(204)
  })

  it('of an import and a concurrent deletion of the source, one is rejected', async () => {
    for (let round = 0; round < 3; round++) {
      await crm.post('create_schema/?materialize=true', { resources: [{ name: 'brief', schema: schema() }] })
      const [imported, deleted] = await Promise.all([
        sales.post('import-reference/', from('brief')),
        crm.delete('brief/'),
      ])
      expect([
        [201, 409],
        [400, 204],
      ]).toContainEqual([imported.status, deleted.status])
      if (imported.status === 201) {
        expect((await sales.get('brief/data/')).status).toBe(200)
        expect((await sales.delete('brief/')).status).toBe(204)
        expect((await crm.delete('brief/')).status).toBe(204)
      }
    }
  })
})
