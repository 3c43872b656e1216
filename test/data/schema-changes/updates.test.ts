/** PUT and PATCH of a datatable. Spec: Datatable; D8, D13. */
import { beforeAll, describe, expect, it } from 'vitest'
import { createSite, type Site, startApp, type TestApp } from '../../support/app.ts'
import { catalogOf } from '../../support/catalog.ts'

let app: TestApp
let site: Site
let token: string

const at = (path: string) => `${site.api}/apps/shop/${path}`
const table = (name: string, query = '') => at(`datatables/${name}/${query}`)
const put = (name: string, body: unknown, query = '') =>
  app.request('PUT', table(name, query), { token, body })
const change = (name: string, json_schema: unknown, query = '') => put(name, { json_schema }, query)
const read = async (name: string) => (await app.request('GET', table(name), { token })).body
const records = async (name: string) => (await app.request('GET', table(name, 'data/'), { token })).body.data
const operations = async (name: string, query = '') =>
  (await app.request('GET', table(name, `operation-history/${query}`), { token })).body
const catalog = async (physical: string) =>
  (await app.sql<{ catalog: { constraints: object } }>(catalogOf(`${site.schema}.${physical}`)))[0]?.catalog

const id = { name: 'id', type: 'integer' }
const schema = (...fields: unknown[]) => ({ fields: [id, ...fields], primaryKey: 'id' })

/** Creates a materialized table with records. */
async function make(name: string, json_schema: unknown, ...data: unknown[]) {
  const made = await app.request('POST', at('datasources/main/datatables/?materialize=true'), {
    token,
    body: { name, json_schema },
  })
  if (made.status !== 201) throw new Error(JSON.stringify(made.body))
  if (data.length > 0)
    expect((await app.request('POST', table(name, 'data/'), { token, body: data })).status).toBe(201)
  return made.body
}

beforeAll(async () => {
  app = await startApp()
  site = await createSite(app, 'updates')
  token = site.owner.token
  await app.request('POST', `${site.api}/apps/`, { token, body: { name: 'shop' } })
  await app.request('POST', at('datasources/'), {
    token,
    body: { name: 'Main', slug: 'main', provider_type: 'flat_table' },
  })
}, 30_000)

describe('an update of a datatable', () => {
  beforeAll(() => make('plain', schema({ name: 'a', type: 'string' })))

  it('an update returns 401 without credentials, 403 without manage_site, and 404 without a table', async () => {
    const reader = await app.user('reader')
    await app.sql(
      `insert into site_permissions (site_id, user_id, permissions)
       select id, $1, $2 from sites where slug = $3`,
      [reader.id, '{access_site,change_site}', 'updates'],
    )
    expect((await app.request('PUT', table('plain'), { body: {} })).status).toBe(401)
    expect(
      (await app.request('PUT', table('plain'), { token: reader.token, body: { description: 'x' } })).status,
    ).toBe(403)
    expect(
      (await app.request('PUT', table('plain'), { token: reader.token, body: { json_schema: 1 } })).status,
    ).toBe(403)
    expect((await change('nothing', schema())).status).toBe(404)
    expect(
      (
        await app.request('PATCH', at('datasources/other/datatables/plain/'), {
          token,
          body: { description: 'x' },
        })
      ).status,
    ).toBe(404)
  })

  it('an update returns 400 for unknown members, invalid schemas and renames of unknown fields', async () => {
    expect(
      await put('plain', { name: 'other', is_materialized: false, descriptoin: 'x', fields: [] }),
    ).toMatchObject({
      status: 400,
      body: { descriptoin: ['Unknown field. Did you mean "description"?'], fields: ['Unknown field.'] },
    })
    expect(await change('plain', null)).toMatchObject({
      status: 400,
      body: { json_schema: [expect.any(String)] },
    })
    expect(await change('plain', schema({ name: 'a', type: 'money' }))).toMatchObject({
      status: 400,
      body: { json_schema: [expect.stringContaining('("a").type: Must be one of')] },
    })
    expect(
      await change('plain', schema({ name: 'b', type: 'string', 'x-rename-from': 'nope' })),
    ).toMatchObject({
      status: 400,
      body: { json_schema: ['fields[1].x-rename-from: there is no field "nope"'] },
    })
    expect(
      await change(
        'plain',
        schema(
          { name: 'b', type: 'string', 'x-rename-from': 'a' },
          { name: 'c', type: 'string', 'x-rename-from': 'a' },
        ),
      ),
    ).toMatchObject({
      status: 400,
      body: { json_schema: ['fields[2].x-rename-from: another field was already renamed from "a"'] },
    })
    expect(
      await change('plain', schema({ name: 'a', type: 'string', constraints: { pattern: 'x\\pN' } })),
    ).toMatchObject({
      status: 400,
      body: { json_schema: [expect.stringContaining('not a regular expression that Postgres supports')] },
    })
    expect(
      await change('plain', {
        ...schema({ name: 'a', type: 'string' }),
        foreignKeys: [{ fields: 'a', reference: { resource: 'gone', fields: 'id' } }],
      }),
    ).toMatchObject({
      status: 400,
      body: { json_schema: ['foreignKeys[0].reference.resource: there is no table "gone" in this app'] },
    })
    expect(await change('plain', schema(), '?dry_run=maybe')).toMatchObject({
      status: 400,
      body: { dry_run: ['Must be true or false.'] },
    })
  })

  it('an update of the description keeps the schema, the hash and the history', async () => {
    const before = await read('plain')
    const updated = await app.request('PATCH', at('datasources/main/datatables/plain/'), {
      token,
      body: { description: 'Zürich' },
    })
    expect(updated).toMatchObject({
      status: 200,
      body: { ...before, description: 'Zürich', modified_by: site.owner.id, updated_at: expect.any(String) },
    })
    expect(await put('plain', {})).toMatchObject({ status: 200, body: updated.body })
    expect(await change('plain', before.json_schema)).toMatchObject({ status: 200, body: updated.body })
    expect((await operations('plain')).total).toBe(1)
  })

  it('an update of an unmaterialized table replaces its schema, with the checks of a creation', async () => {
    await app.request('POST', at('datasources/main/datatables/'), {
      token,
      body: { name: 'later', json_schema: schema({ name: 'a', type: 'string' }) },
    })
    const before = await read('later')
    expect(await change('later', { fields: [] })).toMatchObject({ status: 400 })
    expect(await change('later', schema({ name: 'b', type: 'number' }), '?dry_run=true')).toMatchObject({
      status: 200,
      body: { changes: [] },
    })
    const updated = await put('later', {
      description: 'd',
      json_schema: schema({ name: 'b', type: 'number', 'x-rename-from': 'a' }),
    })
    expect(updated).toMatchObject({
      status: 200,
      body: {
        description: 'd',
        is_materialized: false,
        field_names: ['id', 'b'],
        json_schema: { fields: [id, { name: 'b', type: 'number' }], primaryKey: ['id'] },
      },
    })
    expect(updated.body.schema_hash).not.toBe(before.schema_hash)
    expect(await operations('later')).toEqual({ data: [], total: 0, page: 1, page_size: 20 })
  })
})

describe('schema_hash', () => {
  it('depends on the order of fields, but not on the order of members', async () => {
    const made = await make('hashed', {
      fields: [id, { name: 'a', type: 'string', title: 'A' }],
      primaryKey: 'id',
    })
    expect(
      (
        await change('hashed', {
          primaryKey: ['id'],
          fields: [id, { title: 'A', type: 'string', name: 'a' }],
        })
      ).body.schema_hash,
    ).toBe(made.schema_hash)
    const titled = await change('hashed', {
      fields: [id, { name: 'a', type: 'string', title: 'B' }],
      primaryKey: 'id',
    })
    expect(titled.body.schema_hash).not.toBe(made.schema_hash)
    const ordered = await change('hashed', {
      fields: [{ name: 'a', type: 'string', title: 'B' }, id],
      primaryKey: 'id',
    })
    expect(ordered.body.schema_hash).not.toBe(titled.body.schema_hash)
    expect(
      (await operations('hashed')).data
        .map(({ description, sql }: Record<string, string>) => [description, sql])
        .slice(0, 2),
    ).toEqual([
      ['Change the schema, but not the table', ''],
      ['Change comments', `comment on column "${site.schema}"."shop_hashed"."a" is 'B';`],
    ])
    const renamed = await change('hashed', {
      fields: [{ name: 'b', type: 'string', title: 'B', 'x-rename-from': 'a' }, id],
      primaryKey: 'id',
    })
    expect(renamed.body.json_schema.fields[0]).toEqual({ name: 'b', type: 'string', title: 'B' })
    expect(
      (
        await change('hashed', {
          fields: [{ name: 'b', type: 'string', title: 'B', 'x-rename-from': 'a' }, id],
          primaryKey: 'id',
        })
      ).body.schema_hash,
    ).toBe(renamed.body.schema_hash)
  })
})

describe('changing the schema of a materialized table', () => {
  const goods = schema(
    { name: 'sku', type: 'string', constraints: { required: true, unique: true } },
    { name: 'price', type: 'number' },
    { name: 'stock', type: 'string' },
    { name: 'note', type: 'string' },
  )
  const data = [
    { sku: 'A-1', price: 2.5, stock: '12', note: 'x' },
    { sku: 'A-2', price: 3, stock: '0' },
  ]

  it('a change with ?dry_run=true returns the planned steps and changes nothing', async () => {
    await make('dry', goods, ...data)
    const before = [await read('dry'), await catalog('shop_dry'), await operations('dry')]
    const { status, body } = await change(
      'dry',
      schema({ name: 'code', type: 'string', 'x-rename-from': 'sku', constraints: { required: true } }),
      '?dry_run=true',
    )
    const relation = `"${site.schema}"."shop_dry"`
    expect([status, body]).toEqual([
      200,
      {
        changes: [
          {
            operation: 'alter_table',
            description: 'Drop the rule unique of sku',
            sql: `alter table ${relation} drop constraint "shop_dry$sku$key";`,
            rollback_sql: `alter table ${relation} add constraint "shop_dry$sku$key" unique ("sku");`,
            destructive: false,
          },
          ...['price numeric', 'stock text', 'note text'].map((column) => ({
            operation: 'alter_table',
            description: `Drop field ${column.split(' ')[0]}`,
            sql: `alter table ${relation} drop column "${column.split(' ')[0]}";`,
            rollback_sql: `alter table ${relation} add column "${column.replace(' ', '" ')};`,
            destructive: true,
          })),
          {
            operation: 'alter_table',
            description: 'Rename field sku to code',
            sql: `alter table ${relation} rename column "sku" to "code";`,
            rollback_sql: `alter table ${relation} rename column "code" to "sku";`,
            destructive: false,
          },
        ],
      },
    ])
    expect([await read('dry'), await catalog('shop_dry'), await operations('dry')]).toEqual(before)
    expect(await change('dry', goods, '?dry_run=true')).toMatchObject({ status: 200, body: { changes: [] } })
  })

  it('a change returns 412 and changes nothing if If-Match has another hash than the schema', async () => {
    const { schema_hash } = await make('seen', goods, ...data)
    const next = { json_schema: { ...(goods as object), title: 'Goods' } }
    const send = (method: string, address: string, tag: string) =>
      app.request(method, at(address), { token, body: next, headers: { 'if-match': tag } })
    const addresses = ['datatables/seen/', 'datasources/main/datatables/seen/']
    for (const address of addresses)
      for (const method of ['PUT', 'PATCH'])
        expect(await send(method, address, '"another"')).toMatchObject({
          status: 412,
          body: {
            error: 'Precondition failed',
            detail: 'The schema of "seen" is another than the one that If-Match names. Read it again.',
            code: 'changed_meanwhile',
          },
        })
    expect(await read('seen')).toMatchObject({ schema_hash })
    expect(await send('PATCH', 'datatables/seen/', `"${schema_hash}"`)).toMatchObject({
      status: 200,
      body: { json_schema: { title: 'Goods' } },
    })
    expect((await send('PATCH', 'datatables/seen/', `"${schema_hash}"`)).status).toBe(412)
  })

  it('a change that can lose data returns 422 without ?allow_data_loss=true', async () => {
    await make('lossy', goods, ...data)
    const before = [await read('lossy'), await catalog('shop_lossy')]
    const next = schema(
      { name: 'sku', type: 'string' },
      { name: 'price', type: 'integer' },
      { name: 'stock', type: 'string' },
    )
    const refused = await change('lossy', next)
    expect(refused).toMatchObject({
      status: 422,
      body: {
        error: 'Schema change can lose data',
        detail: expect.stringContaining('?allow_data_loss=true'),
        changes: [
          { operation: 'alter_table', description: 'Drop field note', destructive: true },
          {
            operation: 'alter_table',
            description: 'Convert field price from number to integer',
            destructive: true,
          },
        ],
        code: 'data_loss',
      },
    })
    expect([await read('lossy'), await catalog('shop_lossy')]).toEqual(before)
    expect(await change('lossy', next, '?allow_data_loss=true')).toMatchObject({
      status: 200,
      body: { field_names: ['id', 'sku', 'price', 'stock'] },
    })
    expect(await records('lossy')).toEqual([
      { id: 1, sku: 'A-1', price: 3, stock: '12' },
      { id: 2, sku: 'A-2', price: 3, stock: '0' },
    ])
  })

  it('one change adds, renames, retypes and constrains fields, and keeps their values', async () => {
    await make('all', goods, ...data)
    const next = {
      fields: [
        { name: 'sku', type: 'string', constraints: { required: true, pattern: '^[A-Z]-' } },
        { name: 'amount', type: 'integer', 'x-rename-from': 'stock', constraints: { minimum: 0 } },
        { name: 'price', type: 'string' },
        { name: 'note', type: 'string', default: 'none' },
        { name: 'number', type: 'integer', 'x-rename-from': 'id' },
        {
          name: 'kind',
          type: 'string',
          constraints: { required: true, enum: ['new', 'old'] },
          default: 'new',
        },
      ],
      primaryKey: 'sku',
      indexes: [{ name: 'cheap', fields: ['amount', 'kind'], where: { kind: 'new' } }],
      search_fields: ['note', { field: 'sku', weight: 'A' }],
    }
    const changed = await change('all', next)
    expect(changed).toMatchObject({ status: 200, body: { primary_key: ['sku'], field_count: 6 } })
    expect(JSON.stringify(changed.body.json_schema)).not.toContain('x-rename-from')
    expect(await records('all')).toEqual([
      { sku: 'A-1', amount: 12, price: '2.5', note: 'x', number: 1, kind: 'new' },
      { sku: 'A-2', amount: 0, price: '3', note: null, number: 2, kind: 'new' },
    ])
    await make('all_made', changed.body.json_schema)
    const named = (text: unknown) => JSON.parse(JSON.stringify(text).replaceAll('shop_all_made', 'shop_all'))
    expect(await catalog('shop_all')).toEqual(named(await catalog('shop_all_made')))
    expect(
      (await operations('all', '?status=success')).data
        .map(({ description }: { description: string }) => description)
        .toReversed(),
    ).toEqual([
      'Create table all',
      'Drop the rule unique of sku',
      'Drop the primary key id',
      'No longer number records by id',
      'No longer require id',
      'Rename field stock to amount',
      'Rename field id to number',
      'Convert field amount from string to integer',
      'Convert field price from number to string',
      'Add field kind',
      'Set the default of note',
      'Add the primary key sku',
      'Add the rule pattern of sku',
      'Add the rule path of sku',
      'Add the rule minimum of amount',
      'Add the rule enum of kind',
      'Add the index of searched words',
      'Add the search',
      'Add the index cheap',
    ])
  })

  it('a change can swap the names of two fields', async () => {
    await make(
      'swap',
      schema(
        { name: 'a', type: 'string', constraints: { unique: true } },
        { name: 'b', type: 'string', constraints: { maxLength: 5 } },
      ),
      {
        a: 'one',
        b: 'two',
      },
    )
    const changed = await change(
      'swap',
      schema(
        { name: 'a', type: 'string', 'x-rename-from': 'b', constraints: { maxLength: 5 } },
        { name: 'b', type: 'string', 'x-rename-from': 'a', constraints: { unique: true } },
      ),
    )
    expect(changed.status).toBe(200)
    expect(await records('swap')).toEqual([{ id: 1, a: 'two', b: 'one' }])
    expect(Object.keys((await catalog('shop_swap'))?.constraints ?? {})).toEqual([
      'shop_swap$a$maxLength',
      'shop_swap$b$key',
      'shop_swap$pkey',
    ])
  })

  it('a change returns 422 and names all rules that existing records violate, with these records', async () => {
    await make(
      'broken',
      goods,
      ...data,
      { sku: 'A-3', price: 2.5, stock: 'many' },
      { sku: 'A-4', price: -1, stock: '2026-02-31' },
    )
    const before = [await read('broken'), await catalog('shop_broken')]
    const refused = await change(
      'broken',
      schema(
        { name: 'sku', type: 'string', constraints: { required: true, unique: true } },
        { name: 'price', type: 'number', constraints: { minimum: 0, unique: true } },
        { name: 'stock', type: 'integer' },
        { name: 'note', type: 'string', constraints: { required: true } },
      ),
    )
    expect([refused.status, refused.body]).toEqual([
      422,
      {
        error: 'Existing records break the schema',
        detail: [
          'In these records "stock" cannot be converted to type integer.',
          'These records have no value for "note", which is required.',
          'These records have the same price, which must be unique.',
          'In these records "price" violates the rule minimum.',
        ].join(' '),
        violations: [
          { fields: ['stock'], rule: 'type', detail: expect.any(String), records: [{ id: 3 }, { id: 4 }] },
          {
            fields: ['note'],
            rule: 'required',
            detail: expect.any(String),
            records: [{ id: 2 }, { id: 3 }, { id: 4 }],
          },
          { fields: ['price'], rule: 'unique', detail: expect.any(String), records: [{ id: 1 }, { id: 3 }] },
          { fields: ['price'], rule: 'minimum', detail: expect.any(String), records: [{ id: 4 }] },
        ],
        code: 'records_break_schema',
      },
    ])
    expect([await read('broken'), await catalog('shop_broken')]).toEqual(before)
    expect(await operations('broken', '?status=failed')).toMatchObject({
      total: 1,
      data: [
        {
          operation_type: 'alter_table',
          description: 'Change the schema of broken',
          sql: expect.stringContaining('add constraint "shop_broken$price$minimum"'),
          rollback_sql: '',
          status: 'failed',
          execution_time_ms: expect.any(Number),
          migration_id: null,
        },
      ],
    })
  })

  it('a change returns 422 if records would reference missing ones or lack a required value', async () => {
    await make('makers', schema({ name: 'name', type: 'string' }), { name: 'Ostra' })
    await make(
      'made',
      schema({ name: 'maker', type: 'integer' }),
      { maker: 1 },
      { maker: 7 },
      { maker: null },
    )
    const foreignKeys = [{ fields: 'maker', reference: { resource: 'makers', fields: 'id' } }]
    expect(
      await change('made', { ...schema({ name: 'maker', type: 'integer' }), foreignKeys }),
    ).toMatchObject({
      status: 422,
      body: { violations: [{ fields: ['maker'], rule: 'foreignKey', records: [{ id: 2 }] }] },
    })
    expect(
      await change(
        'made',
        schema(
          { name: 'maker', type: 'integer' },
          { name: 'new', type: 'date', constraints: { required: true } },
        ),
      ),
    ).toMatchObject({
      status: 422,
      body: {
        violations: [{ fields: ['new'], rule: 'required', records: [{ id: 1 }, { id: 2 }, { id: 3 }] }],
      },
    })
    await app.sql(`update ${site.schema}.shop_made set maker = 1 where id = 2`)
    expect(
      (await change('made', { ...schema({ name: 'maker', type: 'integer' }), foreignKeys })).status,
    ).toBe(200)
    expect((await app.request('POST', table('made', 'data/'), { token, body: { maker: 9 } })).status).toBe(
      400,
    )
  })

  it('generated keys continue after the highest key, and a new key gets values', async () => {
    await make(
      'numbered',
      {
        fields: [
          { name: 'n', type: 'integer' },
          { name: 'code', type: 'string' },
        ],
        primaryKey: 'code',
      },
      { n: 5, code: 'x' },
      { n: 41, code: 'y' },
    )
    expect(
      (
        await change('numbered', {
          fields: [
            { name: 'n', type: 'integer' },
            { name: 'code', type: 'string' },
          ],
          primaryKey: 'n',
        })
      ).status,
    ).toBe(200)
    expect(
      (await app.request('POST', table('numbered', 'data/'), { token, body: { code: 'z' } })).body,
    ).toEqual({ data: { n: 42, code: 'z' } })
    expect(
      (
        await change(
          'numbered',
          {
            fields: [
              { name: 'code', type: 'string' },
              { name: 'key', type: 'uuid' },
            ],
            primaryKey: 'key',
          },
          '?allow_data_loss=true',
        )
      ).status,
    ).toBe(200)
    const keys = (await records('numbered')).map(({ key }: { key: string }) => key)
    expect(new Set(keys).size).toBe(3)
  })

  it('a change returns 422 if it would drop, rename or retype a referenced field; other keys stay', async () => {
    await make(
      'parents',
      schema({ name: 'code', type: 'string', constraints: { unique: true } }, { name: 'x', type: 'string' }),
      {
        code: 'a',
        x: '1',
      },
    )
    await make(
      'children',
      {
        ...schema({ name: 'parent', type: 'string' }),
        foreignKeys: [
          {
            fields: 'parent',
            reference: { resource: 'parents', fields: 'code' },
            'x-actions': { onDelete: 'CASCADE' },
          },
        ],
      },
      { parent: 'a' },
    )
    const problem = (text: string) => ({
      status: 422,
      body: {
        error: 'Fields are referenced',
        detail: expect.stringContaining('Other datatables reference fields of "parents"'),
        code: 'still_referenced',
        referenced_by: [
          { table: 'children', fields: ['parent'], referenced_fields: ['code'], problem: text },
        ],
      },
    })
    const x = { name: 'x', type: 'string' }
    const changed = problem('code would be dropped, renamed or retyped')
    expect(await change('parents', schema(x), '?allow_data_loss=true')).toMatchObject(changed)
    expect(
      await change(
        'parents',
        schema(x, { name: 'codes', type: 'string', 'x-rename-from': 'code', constraints: { unique: true } }),
      ),
    ).toMatchObject(changed)
    expect(
      await change('parents', schema(x, { name: 'code', type: 'integer', constraints: { unique: true } })),
    ).toMatchObject(changed)
    expect(await change('parents', schema(x, { name: 'code', type: 'string' }))).toMatchObject(
      problem('code would no longer be unique'),
    )

    const before = await catalog('shop_children')
    expect(
      (await change('parents', { fields: [{ name: 'code', type: 'string' }, x, id], primaryKey: 'code' }))
        .status,
    ).toBe(200)
    expect(await catalog('shop_children')).toEqual(before)
    const history = (await operations('parents')).data
    expect(history.map(({ description }: { description: string }) => description)).toEqual(
      expect.arrayContaining([
        'Drop the foreign key parent to parents of children during the change',
        'Add the foreign key parent to parents of children again',
      ]),
    )
    expect(
      (await app.request('POST', table('children', 'data/'), { token, body: { parent: 'b' } })).status,
    ).toBe(400)
  })

  it('unusual names are possible: of Object.prototype, in upper case, and of Postgres', async () => {
    const odd = schema(
      { name: 'constructor', type: 'string' },
      { name: 'toString', type: 'string' },
      { name: 'User', type: 'string' },
      { name: 'select', type: 'string' },
    )
    await make('odd', odd, { constructor: 'a', toString: 'b', User: 'c', select: 'd' })
    const next = schema(
      { name: 'hasOwnProperty', type: 'string', 'x-rename-from': 'constructor' },
      { name: 'user', type: 'string', 'x-rename-from': 'User' },
      { name: 'User', type: 'string', 'x-rename-from': 'select' },
      { name: 'toString', type: 'string', constraints: { enum: ['b', "'; drop table x; --"] } },
    )
    expect((await change('odd', next)).status).toBe(200)
    expect(await records('odd')).toEqual([
      { id: 1, hasOwnProperty: 'a', user: 'c', User: 'd', toString: 'b' },
    ])
    expect(
      await change('odd', schema({ name: 'x', type: 'string', 'x-rename-from': '__proto__' })),
    ).toMatchObject({
      status: 400,
      body: { json_schema: ['fields[1].x-rename-from: there is no field "__proto__"'] },
    })
  })
})
