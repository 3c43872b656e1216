/** Deleted datatables can be restored for some days, and are then dropped for good. D17. */
import { createExecutionContext, createScheduledController, waitOnExecutionContext } from 'cloudflare:test'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import worker from '../../../../src/worker.ts'
import { createSite, type Site, startApp, type TestApp } from '../../../support/app.ts'
import { catalogOf } from '../../../support/catalog.ts'
import { grant, ownerOf } from '../../../support/fixtures.ts'
import { hold } from '../../../support/locks.ts'
import { type HeldQueue, heldQueue } from '../../../support/queue.ts'
import { scaled } from '../../../support/scaled.ts'

let app: TestApp
let site: Site
let jobs: HeldQueue
let apps: ReturnType<typeof ownerOf>

const id = { name: 'id', type: 'integer' }
const text = (name: string, more = {}) => ({ name, type: 'string', ...more })
const schema = (...fields: unknown[]) => ({ fields: [id, ...fields], primaryKey: 'id' })
const to = (fields: string, resource: string) => ({ fields, reference: { resource, fields: 'id' } })
const notFound = { status: 404, body: { detail: 'Not found.', code: 'not_found' } }

/** Creates an app with a datasource `main`. */
async function newApp(name: string, providerType = 'flat_table') {
  expect((await apps.post('', { name })).status).toBe(201)
  expect(
    (await apps.post(`${name}/datasources/`, { name: 'Main', slug: 'main', provider_type: providerType }))
      .status,
  ).toBe(201)
  const tables = ownerOf(app, site, `/apps/${name}/datatables/`)
  return {
    ...tables,
    make: async (...resources: { name: string; schema: unknown }[]) => {
      const made = await tables.post('create_schema/?materialize=true&datasource=main', { resources })
      if (made.status !== 201) throw new Error(JSON.stringify(made.body))
    },
    records: async (table: string) =>
      (await tables.get(`${table}/data/?ordering=id&page_size=1000`)).body.data,
    deleted: async () => (await tables.get('?deleted=true')).body,
    history: async (table: string) =>
      (await tables.get(`${table}/operation-history/?page_size=100`)).body.data,
  }
}

/** Returns the names of the site's physical tables with a prefix. */
const physical = async (prefix: string) =>
  (
    await app.sql<{ name: string }>(
      'select tablename as name from pg_tables where schemaname = $1 and tablename like $2 order by 1',
      [site.schema, `${prefix}%`],
    )
  ).map(({ name }) => name)

/** Returns everything that Postgres has for a physical table, including its triggers. */
async function everythingOf(name: string) {
  const relation = `${site.schema}.${name}`
  const [row] = await app.sql<{ catalog: unknown }>(catalogOf(relation))
  const triggers = await app.sql(
    `select pg_get_triggerdef(oid) as definition from pg_trigger
      where tgrelid = '${relation}'::regclass and not tgisinternal order by tgname`,
  )
  return { ...row, triggers }
}

const tick = async () => {
  const ctx = createExecutionContext()
  await worker.scheduled(createScheduledController(), app.env)
  await waitOnExecutionContext(ctx)
}
/** Lets a number of days pass for deleted datatables. */
const later = (days: number) =>
  app.sql(`update tenant._deleted_datatables set drop_at = drop_at - make_interval(days => ${days})`)

beforeAll(async () => {
  app = await startApp()
  jobs = heldQueue()
  app.env.JOBS = jobs.binding
  site = await createSite(app, 'trash')
  apps = ownerOf(app, site)
})

describe.each(['flat_table', 'jsonb'])('a deleted datatable of a %s datasource', (providerType) => {
  const name = providerType === 'jsonb' ? 'papers' : 'sheets'
  const isFlat = providerType === 'flat_table'
  let tables: Awaited<ReturnType<typeof newApp>>
  const people = {
    ...schema(
      text('name', { constraints: { required: true, unique: true, maxLength: 20 } }),
      text('bio'),
      { name: 'born', type: 'date', constraints: { minimum: '1900-01-01' } },
      { name: 'boss', type: 'integer' },
      { name: 'is_deleted', type: 'boolean' },
    ),
    ...(isFlat ? { foreignKeys: [to('boss', 'people')] } : {}),
    indexes: [
      { name: 'by_born', fields: ['born', 'name'] },
      { name: 'one_bio', fields: 'bio', unique: true, where: { id__gt: 1 } },
    ],
    search_fields: ['bio'],
    hierarchy: true,
  }
  const rows = [
    { id: 1, name: 'Ada', bio: 'wrote programs', born: '1950-12-10', boss: null, is_deleted: false },
    { id: 2, name: 'Bo', bio: 'draws trees', born: null, boss: 1, is_deleted: false },
    { id: 3, name: 'Cy', bio: null, born: null, boss: 2, is_deleted: true },
  ]
  const edges = [{ from_id: 2, to_id: 1, type: 'parent', metadata: { since: 2020 } }]
  const edgesOf = async (table: string) =>
    (await tables.get(`${table}/edges/`)).body.results.map(
      ({ id: _, created_at: __, ...edge }: Record<string, unknown>) => edge,
    )

  beforeAll(async () => {
    tables = await newApp(name, providerType)
    await tables.make({ name: 'people', schema: people })
    for (const row of rows) expect((await tables.post('people/data/', row)).status).toBe(201)
    expect((await tables.post('people/edges/', edges)).status).toBe(201)
  })

  it('a deleted datatable returns 404 and appears only in the list of deleted ones', async () => {
    const before = (await tables.get('people/')).body
    expect((await tables.delete('people/')).status).toBe(204)
    for (const path of ['people/', 'people/schema/', 'people/data/', 'people/data/1/', 'people/edges/']) {
      expect(await tables.get(path)).toMatchObject(notFound)
    }
    expect(await tables.post('people/data/', rows[0])).toMatchObject(notFound)
    expect(await tables.post('people/edges/', edges)).toMatchObject(notFound)
    expect(await tables.patch('people/', { description: 'x' })).toMatchObject(notFound)
    expect(await tables.post('people/materialize/')).toMatchObject(notFound)
    expect(await tables.delete('people/')).toMatchObject(notFound)
    expect((await tables.get('')).body).toEqual([])
    expect((await tables.get('stats/')).body).toMatchObject({ total_tables: 0 })
    expect((await apps.get(`${name}/`)).body).toMatchObject({ table_count: 0 })
    expect((await apps.get(`${name}/datasources/main/`)).body).toMatchObject({
      table_count: 0,
      materialized_count: 0,
    })
    expect(
      (await app.request('GET', `${site.api}/apps/${name}/schema/`, { token: site.owner.token })).body.paths,
    ).not.toHaveProperty(`/api/apps/${name}/datatables/people/data/`)

    const [item] = await tables.deleted()
    expect(item).toEqual({
      id: before.id,
      name: 'people',
      datasource_name: 'Main',
      datasource_slug: 'main',
      app_name: name,
      app_slug: name,
      physical_table_name: `_deleted_${before.id}`,
      is_materialized: true,
      is_active: false,
      field_count: 6,
      created_at: before.created_at,
      updated_at: before.updated_at,
      deleted_at: expect.stringMatching(/Z$/),
      deleted_by: site.owner.id,
      drop_at: expect.stringMatching(/Z$/),
    })
    expect(Date.parse(item.drop_at) - Date.parse(item.deleted_at)).toBe(7 * 24 * 3600 * 1000)
    expect((await apps.get(`${name}/datasources/main/datatables/?deleted=true`)).body).toEqual([item])
    expect((await tables.get('?deleted=true&datasource=main&is_materialized=true')).body).toEqual([item])
    expect((await tables.get('?deleted=true&is_materialized=false')).body).toEqual([])
    expect((await tables.get('?deleted=2')).body).toEqual({ deleted: ['Must be true or false.'] })
    expect((await apps.get(`${name}/datasources/main/datatables/?deleted=2`)).status).toBe(400)
    // Some clients declare JSON for a request without a body.
    expect((await tables.post('people/restore/', '')).status).toBe(200)
  })

  it('restoration restores every object in Postgres, the records and the edges', async () => {
    const view = (await tables.get('people/')).body
    const before = {
      table: await everythingOf(`${name}_people`),
      edges: await everythingOf(`${name}_people_edges`),
    }
    // The triggers check limits and cycles, both for inserted and for updated edges.
    expect(before.edges.triggers).toHaveLength(4)
    expect(before.table.triggers).toHaveLength(isFlat ? 1 : 2)
    expect((await tables.delete('people/')).status).toBe(204)
    expect(await physical(`${name}_`)).toEqual([])
    const restored = await tables.post('people/restore/', {})
    expect([restored.status, restored.body]).toEqual([
      200,
      { ...view, updated_at: expect.any(String), modified_by: site.owner.id },
    ])
    expect({
      table: await everythingOf(`${name}_people`),
      edges: await everythingOf(`${name}_people_edges`),
    }).toEqual(before)

    expect((await tables.get('people/data/?include_deleted=true&ordering=id')).body.data).toEqual(rows)
    expect(await edgesOf('people')).toEqual(edges)
    expect((await tables.get('people/data/?search=programs')).body.data).toEqual([rows[0]])
    expect((await tables.get('people/data/1/?include=descendants')).body.children).toMatchObject([{ id: 2 }])
  })

  it('a restored datatable enforces its rules again, also those of edges and self-references', async () => {
    const made = await tables.post('people/data/', { name: 'Di' })
    expect([made.status, made.body.data.id]).toEqual([201, 4])
    expect((await tables.post('people/data/', { name: 'Ada' })).body).toMatchObject({
      error: 'Duplicate value',
      field: 'name',
      code: 'duplicate_value',
    })
    expect((await tables.post('people/data/', { name: 'Ed', bio: 'draws trees' })).status).toBe(409)
    expect((await tables.post('people/data/', { name: 'Ed', born: '1800-01-01' })).status).toBe(400)
    expect((await tables.post('people/data/', { name: 'Ed', boss: 99 })).status).toBe(isFlat ? 400 : 201)
    expect((await tables.post('people/edges/', [{ from_id: 1, to_id: 2, type: 'parent' }])).body.error).toBe(
      'Edges form a cycle',
    )
    expect((await tables.post('people/edges/', [{ from_id: 2, to_id: 4, type: 'parent' }])).body.error).toBe(
      'Too many outgoing edges',
    )
    expect((await tables.post('people/edges/', [{ from_id: 4, to_id: 2, type: 'parent' }])).status).toBe(201)
    expect((await tables.delete('people/data/4/?hard_delete=true')).status).toBe(204)
    expect(await edgesOf('people')).toEqual(edges)
  })

  it('deletion frees the name, and two deleted datatables of the same name can both be restored', async () => {
    const { id: first } = (await tables.get('people/')).body
    expect((await tables.delete('people/')).status).toBe(204)
    await tables.make({ name: 'people', schema: people })
    const second = (await tables.get('people/')).body
    expect(second.physical_table_name).toBe(`${name}_people`)
    expect(await physical(`${name}_`)).toEqual([`${name}_people`, `${name}_people_edges`])
    expect(await tables.records('people')).toEqual([])
    expect((await tables.post('people/data/', { name: 'Zoe' })).body.data).toMatchObject({ id: 1 })

    const taken = await tables.post('people/restore/', {})
    expect([taken.status, taken.body]).toEqual([
      409,
      {
        error: 'Name is taken',
        detail:
          'A datatable named "people" already exists in this app. ' +
          'Send {"name": "…"} to restore the deleted one under another name.',
        code: 'already_exists',
      },
    ])
    expect((await apps.post(`${name}/datasources/main/datatables/people/restore/`, {})).body).toEqual(
      taken.body,
    )
    expect(
      (await apps.post(`${name}/datasources/main/datatables/people/restore/`, { title: 'x' })).body,
    ).toEqual({ title: ['Unknown field.'] })
    expect((await tables.delete('people/')).status).toBe(204)
    expect((await tables.deleted()).map((table: { id: number }) => table.id)).toEqual([second.id, first])
    // Without an id, the table that was deleted last is restored.
    expect((await tables.post('people/restore/')).body.id).toBe(second.id)
    expect(await tables.records('people')).toMatchObject([{ name: 'Zoe' }])
    expect((await tables.delete('people/')).status).toBe(204)
    expect(await tables.post('people/restore/', { id: 999_999 })).toMatchObject(notFound)
    expect((await tables.post('people/restore/', { id: first })).body.id).toBe(first)
    expect(await tables.records('people')).toMatchObject([
      { name: 'Ada' },
      { name: 'Bo' },
      ...(isFlat ? [] : [{ name: 'Ed' }]),
    ])
  })

  it('restoration under another name renames the physical table, its keys and its edges', async () => {
    const before = {
      table: await everythingOf(`${name}_people`),
      edges: await everythingOf(`${name}_people_edges`),
    }
    expect((await tables.delete('people/')).status).toBe(204)
    expect((await tables.post('people/restore/', { name: 'Folk' })).body).toEqual({
      name: [
        'A table name begins with a lower-case letter, has up to 48 lower-case letters, digits and underscores, and is not "create_schema" or "stats".',
      ],
    })
    const restored = await tables.post('people/restore/', { name: 'folk' })
    expect(restored).toMatchObject({
      status: 200,
      body: { name: 'folk', physical_table_name: `${name}_folk` },
    })
    const after = {
      table: await everythingOf(`${name}_folk`),
      edges: await everythingOf(`${name}_folk_edges`),
    }
    expect(after).toEqual(JSON.parse(JSON.stringify(before).replaceAll(`${name}_people`, `${name}_folk`)))
    if (isFlat) expect(restored.body.json_schema.foreignKeys[0].reference.resource).toBe('')
    expect(await tables.get('people/')).toMatchObject(notFound)
    expect(await edgesOf('folk')).toEqual(edges)
    expect((await tables.post('folk/edges/', [{ from_id: 1, to_id: 2, type: 'parent' }])).status).toBe(422)
    // A schema change finds every object under its new name.
    const changed = await tables.patch('folk/?allow_data_loss=true', {
      json_schema: { ...people, foreignKeys: [], indexes: [], search_fields: undefined, hierarchy: false },
    })
    expect(changed.status).toBe(200)
    expect(await tables.records('folk')).toHaveLength(isFlat ? 2 : 3)
  })

  it('a datatable with a very long name can be restored', async () => {
    const long = 'x'.repeat(48)
    await tables.make({
      name: long,
      schema: { ...people, foreignKeys: isFlat ? [to('boss', '')] : undefined },
    })
    const { table, edges: own } = {
      table: await everythingOf((await tables.get(`${long}/`)).body.physical_table_name),
      edges: await physical(`${name}_x`),
    }
    expect((await tables.delete(`${long}/`)).status).toBe(204)
    expect((await tables.post(`${long}/restore/`)).status).toBe(200)
    expect(await physical(`${name}_x`)).toEqual(own)
    expect(await everythingOf((await tables.get(`${long}/`)).body.physical_table_name)).toEqual(table)
  })

  it('an unmaterialized datatable is restored as unmaterialized, and adds nothing to the history', async () => {
    await tables.post('create_schema/?datasource=main', {
      resources: [{ name: 'drafts', schema: schema(text('a')) }],
    })
    const view = (await tables.get('drafts/')).body
    expect((await tables.delete('drafts/')).status).toBe(204)
    expect((await tables.deleted())[0]).toMatchObject({
      name: 'drafts',
      is_materialized: false,
      physical_table_name: `${name}_drafts`,
    })
    expect((await tables.post('drafts/restore/')).body).toEqual({
      ...view,
      updated_at: expect.any(String),
      modified_by: site.owner.id,
    })
    expect(await tables.history('drafts')).toEqual([])
    expect((await tables.post('drafts/materialize/')).status).toBe(200)
  })

  it('restoration drops the orphans of an interrupted change', async () => {
    await tables.make({ name: 'cut', schema: schema(text('a')) })
    const { id: tableId } = (await tables.get('cut/')).body
    const before = await everythingOf(`${name}_cut`)
    const relation = `${site.schema}.${name}_cut`
    await app.sql(`alter table ${relation} add column _pending_${tableId}_0 text`)
    await app.sql(`alter table ${relation} add constraint _pending_${tableId}_1 check (false) not valid`)
    await app.sql(`create index _pending_${tableId}_2 on ${relation} (_pending_${tableId}_0)`)
    await app.sql(`create index _pending_${tableId}_3 on ${relation} ((1))`)
    expect((await tables.post('cut/data/', { a: '1' })).status).toBe(409)
    expect((await tables.delete('cut/')).status).toBe(204)
    expect((await tables.post('cut/restore/')).status).toBe(200)
    expect(await everythingOf(`${name}_cut`)).toEqual(before)
    expect((await tables.post('cut/data/', { a: '1' })).status).toBe(201)
  })
})

describe('foreign keys of a deleted datatable', () => {
  let tables: Awaited<ReturnType<typeof newApp>>
  const resources = [
    { name: 'makers', schema: schema(text('name')) },
    {
      name: 'products',
      schema: {
        ...schema({ name: 'maker_id', type: 'integer' }, { name: 'part_of', type: 'integer' }),
        foreignKeys: [
          to('maker_id', 'makers'),
          { ...to('part_of', ''), 'x-actions': { onDelete: 'CASCADE' } },
        ],
      },
    },
  ]
  const products = [
    { id: 1, maker_id: 1, part_of: null },
    { id: 2, maker_id: 2, part_of: 1 },
  ]

  beforeAll(async () => {
    tables = await newApp('keys')
    await tables.make(...resources)
    await tables.post('makers/data/', [
      { id: 1, name: 'a' },
      { id: 2, name: 'b' },
      { id: 3, name: 'c' },
    ])
    await tables.post('products/data/', products)
  })

  it('a deleted datatable does not protect the records and tables that it references', async () => {
    expect((await tables.delete('makers/')).body).toMatchObject({ referenced_by: ['products'] })
    expect((await tables.delete('makers/data/1/')).status).toBe(403)
    expect((await tables.delete('products/')).status).toBe(204)
    expect((await tables.delete('makers/data/1/')).status).toBe(204)
    expect((await tables.delete('makers/')).status).toBe(204)
  })

  it('restoration returns 422 while a referenced table is missing, names it and its restoration, and changes nothing', async () => {
    const [{ id: makersId }] = (await tables.deleted()).filter(
      ({ name }: { name: string }) => name === 'makers',
    )
    const refused = {
      status: 422,
      body: {
        error: 'Datatable cannot be restored',
        detail:
          '"products" no longer fits the app: it references the datatable "makers", which was deleted, too. ' +
          `Restore it first: POST /api/apps/keys/datatables/makers/restore/ with {"id": ${makersId}}.`,
        code: 'cannot_be_restored',
      },
    }
    expect(await tables.post('products/restore/')).toMatchObject(refused)
    expect(await apps.post('keys/datasources/main/datatables/products/restore/')).toMatchObject(refused)
    expect(await tables.post('products/restore/', { name: 'makers' })).toMatchObject(refused)
  })

  it('a restored datatable is not bound to another one of the name of a referenced one', async () => {
    await tables.make({ name: 'makers', schema: schema() })
    expect((await tables.post('products/restore/')).status).toBe(422)
    expect((await tables.delete('makers/')).status).toBe(204)
    expect((await tables.post('makers/restore/', { id: (await tables.deleted())[1].id })).status).toBe(200)
    expect(await tables.records('makers')).toMatchObject([{ id: 2 }, { id: 3 }])
  })

  it('restoration returns 422 with a sample of the records that reference missing ones', async () => {
    const refused = await tables.post('products/restore/')
    expect([refused.status, refused.body]).toEqual([
      422,
      {
        error: 'Existing records break the schema',
        detail: '"makers" has no record that these records reference by maker_id.',
        violations: [
          {
            fields: ['maker_id'],
            rule: 'foreignKey',
            detail: '"makers" has no record that these records reference by maker_id.',
            records: [{ id: 1 }],
          },
        ],
        code: 'records_break_schema',
      },
    ])
    expect((await tables.deleted()).map(({ name }: { name: string }) => name)).toEqual(['makers', 'products'])
    expect(await tables.get('products/')).toMatchObject(notFound)
    expect((await tables.history('products'))[0]).toMatchObject({
      operation_type: 'rollback',
      status: 'failed',
      description: 'Restore table products',
      sql: expect.stringContaining('add constraint "keys_products$maker_id$fkey"'),
    })
  })

  it('restoration recreates the foreign keys in both directions', async () => {
    expect((await tables.post('makers/data/', { id: 1, name: 'again' })).status).toBe(201)
    expect((await tables.post('products/restore/')).status).toBe(200)
    expect(await tables.records('products')).toEqual(products)
    expect((await tables.post('products/data/', { maker_id: 99 })).body).toMatchObject({
      error: 'Foreign key violation',
      field: 'maker_id',
      code: 'reference_missing',
    })
    expect((await tables.delete('makers/data/1/')).status).toBe(403)
    expect((await tables.delete('makers/')).status).toBe(409)
    expect((await tables.get('products/data/?populate=maker&id=1')).body.data).toMatchObject([
      { maker: { id: 1, name: 'again' } },
    ])
    expect((await tables.delete('products/data/1/')).status).toBe(204)
    expect(await tables.records('products')).toEqual([])
  })

  it('deletion also drops foreign keys to a table of an inactive datasource', async () => {
    await apps.post('keys/datasources/', { name: 'Spare', slug: 'spare', provider_type: 'flat_table' })
    const spare = ownerOf(app, site, '/apps/keys/datasources/spare/')
    await spare.post('datatables/?materialize=true', { name: 'places', json_schema: schema() })
    await tables.make({
      name: 'events',
      schema: { ...schema({ name: 'place', type: 'integer' }), foreignKeys: [to('place', 'places')] },
    })
    await spare.delete('?force=true')
    expect((await tables.delete('events/')).status).toBe(204)
    expect((await tables.post('events/restore/')).status).toBe(422)
    await spare.patch('', { is_active: true })
    expect((await tables.delete('places/')).status).toBe(204)
    expect((await tables.post('places/restore/')).status).toBe(200)
    expect((await tables.post('events/restore/')).status).toBe(200)
    expect((await tables.delete('places/')).status).toBe(409)
  })
})

describe('the name of a deleted datatable', () => {
  let tables: Awaited<ReturnType<typeof newApp>>
  beforeAll(async () => {
    tables = await newApp('names')
  })

  it('restoration returns 409 if a table of an inactive datasource has the name', async () => {
    await tables.make({ name: 'one', schema: schema() })
    await tables.delete('one/')
    await apps.post('names/datasources/', { name: 'Spare', slug: 'spare', provider_type: 'flat_table' })
    const spare = ownerOf(app, site, '/apps/names/datasources/spare/')
    await spare.post('datatables/?materialize=true', { name: 'one', json_schema: schema() })
    await spare.delete('')
    expect(await tables.post('one/restore/')).toMatchObject({
      status: 409,
      body: { error: 'Name is taken', code: 'already_exists' },
    })
    expect((await tables.post('one/restore/', { name: 'other' })).status).toBe(200)
  })

  it('a restored table gets another physical name if its own is taken, and returns 409 if both are', async () => {
    await tables.make({ name: 'a_edges', schema: schema() })
    await tables.delete('a_edges/')
    await tables.make({ name: 'a', schema: { ...schema(), hierarchy: true } })
    const restored = await tables.post('a_edges/restore/')
    expect(restored).toMatchObject({
      status: 200,
      body: { name: 'a_edges', physical_table_name: expect.stringMatching(/^names_a_edges_[0-9a-f]{8}$/) },
    })
    expect((await tables.delete('a_edges/')).status).toBe(204)
    await app.sql(`create table ${site.schema}.${restored.body.physical_table_name} ()`)
    expect(await tables.post('a_edges/restore/')).toMatchObject({
      status: 409,
      body: { error: 'Name is taken', code: 'already_exists' },
    })
    expect((await tables.post('a_edges/restore/', { name: 'free' })).status).toBe(200)
  })

  it('restoration returns 404 for a table of another datasource, or of an inactive one', async () => {
    await apps.post('names/datasources/', { name: 'Third', slug: 'third', provider_type: 'flat_table' })
    const third = ownerOf(app, site, '/apps/names/datasources/third/')
    await third.post('datatables/?materialize=true', { name: 'here', json_schema: schema() })
    expect((await third.delete('datatables/here/')).status).toBe(204)
    expect(
      await ownerOf(app, site, '/apps/names/datasources/main/').post('datatables/here/restore/'),
    ).toMatchObject(notFound)
    expect((await apps.get('names/datasources/main/datatables/?deleted=true')).body).toEqual([])
    await third.delete('')
    expect(await tables.post('here/restore/')).toMatchObject(notFound)
    expect((await tables.deleted()).map(({ name }: { name: string }) => name)).not.toContain('here')
    await third.patch('', { is_active: true })
    expect((await third.post('datatables/here/restore/')).status).toBe(200)
    expect(await tables.post('never/restore/')).toMatchObject(notFound)
  })
})

describe('reference tables in other apps', () => {
  it('a reference table prevents the deletion of its source, and is itself deleted for good', async () => {
    const source = await newApp('source')
    const target = await newApp('target')
    await source.make({ name: 'towns', schema: schema() })
    const made = await target.post('import-reference/', {
      source_app_slug: 'source',
      source_table_name: 'towns',
    })
    expect(made.status).toBe(201)
    expect((await source.delete('towns/')).body).toMatchObject({ referenced_by: ['target/towns'] })
    expect((await target.delete('towns/')).status).toBe(204)
    expect(await target.deleted()).toEqual([])
    expect(await target.post('towns/restore/')).toMatchObject(notFound)
    expect((await source.delete('towns/')).status).toBe(204)
    expect(
      await target.post('import-reference/', { source_app_slug: 'source', source_table_name: 'towns' }),
    ).toMatchObject({
      status: 400,
      body: { source_table_name: ['The app "source" has no datatable "towns".'] },
    })
  })
})

describe('permissions', () => {
  it('deleting requires delete_site, restoring manage_site, and purging admin_site', async () => {
    const tables = await newApp('rights')
    await tables.make({ name: 'one', schema: schema() })
    const member = await app.user('rights-member')
    const ask = (method: string, path: string, body?: unknown) =>
      app.request(method, `${site.api}/apps/rights/datatables/${path}`, {
        token: member.token,
        ...(body === undefined ? {} : { body }),
      })
    const forbidden = {
      status: 403,
      body: { detail: 'You do not have permission to perform this action.', code: 'permission_denied' },
    }

    await grant(app, site, member, ['access_site', 'manage_site'])
    expect(await ask('DELETE', 'one/')).toMatchObject(forbidden)
    await grant(app, site, member, ['access_site', 'delete_site', 'manage_site'])
    for (const path of ['one/?purge=true', 'none/?purge=true'])
      expect(await ask('DELETE', path)).toMatchObject(forbidden)
    expect((await ask('DELETE', 'one/?purge=yes')).body).toEqual({ purge: ['Must be true or false.'] })
    expect(
      (
        await app.request('DELETE', `${site.api}/apps/rights/datasources/main/datatables/one/?purge=yes`, {
          token: site.owner.token,
        })
      ).status,
    ).toBe(400)
    expect((await ask('DELETE', 'one/?purge=false')).status).toBe(204)
    await grant(app, site, member, ['access_site', 'delete_site'])
    expect(await ask('POST', 'one/restore/', {})).toMatchObject(forbidden)
    expect((await ask('GET', '?deleted=true')).body).toMatchObject([{ name: 'one', deleted_by: member.id }])
    await grant(app, site, member, ['manage_site'])
    expect((await ask('POST', 'one/restore/', {})).status).toBe(200)
    await grant(app, site, member, ['admin_site'])
    expect((await ask('DELETE', 'one/?purge=true')).status).toBe(204)
  })
})

describe('purging', () => {
  it('purging drops the table at once: it is not listed and cannot be restored', async () => {
    const tables = await newApp('purging')
    await tables.make(
      { name: 'one', schema: { ...schema(), hierarchy: true } },
      { name: 'two', schema: schema() },
    )
    await tables.post('create_schema/?datasource=main', { resources: [{ name: 'draft', schema: schema() }] })
    expect((await tables.delete('one/?purge=true')).status).toBe(204)
    expect(
      (await ownerOf(app, site, '/apps/purging/datasources/main/datatables/').delete('two/?purge=true'))
        .status,
    ).toBe(204)
    expect((await tables.delete('draft/?purge=true')).status).toBe(204)
    expect(await tables.deleted()).toEqual([])
    expect(await physical('purging_')).toEqual([])
    expect(await tables.post('one/restore/')).toMatchObject(notFound)
    expect(
      await app.sql(
        `select sql from tenant._operations
          where datatable_name = 'two' and operation_type = 'drop_table'`,
      ),
    ).toEqual([{ sql: `drop table "${site.schema}"."purging_two";` }])
  })
})

describe('the history of a deleted datatable', () => {
  let tables: Awaited<ReturnType<typeof newApp>>
  const rollBack = (name: string, revision_id: number) => tables.post(`${name}/rollback/`, { revision_id })

  beforeAll(async () => {
    tables = await newApp('past')
    await tables.make({ name: 'one', schema: schema(text('a')) })
    await tables.post('one/data/', { a: 'x' })
    expect((await tables.patch('one/', { json_schema: schema(text('a'), text('b')) })).status).toBe(200)
  })

  it('the history stays readable, and rolling back the deletion restores the datatable', async () => {
    expect((await tables.delete('one/')).status).toBe(204)
    const [deletion, alteration] = await tables.history('one')
    expect(deletion).toMatchObject({
      operation_type: 'drop_table',
      description: 'Put table one aside',
      status: 'success',
    })
    expect(
      (await apps.get('past/datasources/main/datatables/one/operation-history/')).body.data,
    ).toHaveLength(3)
    expect(await tables.get('none/operation-history/')).toMatchObject(notFound)
    expect(await rollBack('one', 999_999)).toMatchObject(notFound)
    expect(await rollBack('none', deletion.id)).toMatchObject(notFound)
    // Earlier operations keep their status while the table is deleted.
    expect(await rollBack('one', alteration.id)).toMatchObject(notFound)

    const restored = await rollBack('one', deletion.id)
    expect(restored).toMatchObject({ status: 200, body: { name: 'one', physical_table_name: 'past_one' } })
    expect(await tables.records('one')).toEqual([{ id: 1, a: 'x', b: null }])
    const [restoration, undone] = await tables.history('one')
    expect(restoration).toMatchObject({
      operation_type: 'rollback',
      description: 'Restore table one',
      status: 'success',
      migration_id: deletion.migration_id,
    })
    expect(undone).toEqual({ ...deletion, status: 'rolled_back' })
    expect(await rollBack('one', deletion.id)).toMatchObject({
      status: 409,
      body: { error: 'Operation already rolled back', code: 'already_rolled_back' },
    })
    expect(await rollBack('one', restoration.id)).toMatchObject({ status: 422 })
  })

  it('changes before a deletion can be rolled back after the restoration', async () => {
    const alteration = (await tables.history('one')).find(
      ({ description }: { description: string }) => description === 'Add field b',
    )
    expect((await rollBack('one', alteration.id)).status).toBe(200)
    expect(await tables.records('one')).toEqual([{ id: 1, a: 'x' }])
    expect((await tables.patch('one/', { json_schema: schema(text('a'), text('b')) })).status).toBe(200)
  })

  it('rolling back a deletion returns 409 while another table has the name', async () => {
    expect((await tables.delete('one/')).status).toBe(204)
    const [deletion, , alteration] = await tables.history('one')
    await tables.make({ name: 'one', schema: schema() })
    expect(await rollBack('one', deletion.id)).toMatchObject({
      status: 409,
      body: { error: 'Name is taken', code: 'already_exists' },
    })
    expect(await rollBack('one', alteration.id)).toMatchObject({
      status: 404,
      body: { error: 'Operation not found', code: 'not_found' },
    })
    expect((await tables.delete('one/')).status).toBe(204)
  })

  it('after a restoration under another name, rolling back an operation of the old name returns 422', async () => {
    const [, first] = await tables.deleted()
    expect((await tables.post('one/restore/', { id: first.id, name: 'uno' })).status).toBe(200)
    const history = await tables.history('uno')
    expect(history[0]).toMatchObject({ description: 'Restore table uno' })
    const alteration = history.find(
      ({ description, status }: Record<string, string>) =>
        description === 'Add field b' && status === 'success',
    )
    expect(await rollBack('uno', alteration.id)).toMatchObject({
      status: 422,
      body: {
        error: 'Operation cannot be rolled back',
        detail: `Operation ${alteration.id} was made when the physical table was named "past_one".`,
        code: 'cannot_be_rolled_back',
      },
    })
  })

  it('rolling back the deletion of a table that was dropped for good returns 422', async () => {
    const [deletion] = await tables.history('one')
    await later(8)
    await tick()
    await jobs.drain(app.env)
    expect(await tables.get('one/operation-history/')).toMatchObject(notFound)
    expect(await rollBack('one', deletion.id)).toMatchObject({
      status: 422,
      body: {
        error: 'Operation cannot be rolled back',
        detail: `Operation ${deletion.id} deleted a datatable that has since been dropped for good.`,
        code: 'cannot_be_rolled_back',
      },
    })
    await tables.make({ name: 'one', schema: schema() })
    expect(
      (await tables.history('one')).filter(
        ({ operation_type }: { operation_type: string }) => operation_type === 'drop_table',
      ),
    ).toMatchObject([
      { description: 'Drop table one for good', status: 'success', rollback_sql: '', migration_id: null },
      { description: 'Put table one aside', status: 'success' },
    ])
  })
})

describe('the scheduled job', () => {
  it('the scheduled job drops expired datatables with their edges, and nothing else', async () => {
    const tables = await newApp('timed')
    const graph = { ...schema(), hierarchy: true }
    await tables.make({ name: 'old', schema: graph }, { name: 'fresh', schema: graph })
    await tables.post('create_schema/?datasource=main', { resources: [{ name: 'draft', schema: schema() }] })
    const { id: oldId } = (await tables.get('old/')).body
    const { id: freshId } = (await tables.get('fresh/')).body
    for (const name of ['old', 'fresh', 'draft']) expect((await tables.delete(`${name}/`)).status).toBe(204)
    await later(6)
    await tick()
    expect(jobs.waiting).toEqual([])
    expect(await tables.deleted()).toHaveLength(3)

    await app.sql(
      `update tenant._deleted_datatables set drop_at = drop_at - interval '2 days'
        where name in ('old', 'draft')`,
    )
    await tick()
    expect(jobs.waiting).toEqual([
      { body: { kind: 'drop-deleted', siteId: Number(site.schema.slice('site_'.length)) } },
    ])
    // Queued tables are not queued again for some minutes.
    await tick()
    expect(jobs.waiting).toHaveLength(1)
    await jobs.drain(app.env, { copies: 2 })
    expect((await tables.deleted()).map(({ name }: { name: string }) => name)).toEqual(['fresh'])
    expect(await physical('\\_deleted\\_')).not.toContain(`_deleted_${oldId}`)
    expect(await physical('\\_deleted\\_')).toEqual(
      expect.arrayContaining([`_deleted_${freshId}`, `_deleted_${freshId}_edges`]),
    )
    expect(await app.sql('select from tenant._deleted_datatables where id = $1', [oldId])).toEqual([])
    expect(await tables.post('old/restore/')).toMatchObject(notFound)
    expect((await tables.post('fresh/restore/')).status).toBe(200)
    expect((await tables.post('fresh/edges/', [{ from_id: 1, to_id: 1, type: 'parent' }])).status).toBe(400)
  })

  it('the scheduled job skips a table that was restored, or deleted again, after it was queued', async () => {
    const tables = await newApp('again')
    await tables.make({ name: 'one', schema: schema() })
    await tables.delete('one/')
    await later(8)
    await tick()
    expect((await tables.post('one/restore/')).status).toBe(200)
    await tables.delete('one/')
    await jobs.drain(app.env)
    expect((await tables.deleted()).map(({ name }: { name: string }) => name)).toEqual(['one'])
    expect((await tables.post('one/restore/')).status).toBe(200)
    await tick()
    expect(jobs.waiting).toEqual([])
  })

  it('the scheduled job drops many tables in small batches, each of which queues the next', async () => {
    const tables = await newApp('many')
    for (let batch = 0; batch < 3; batch++) {
      await tables.make(
        ...Array.from({ length: 15 }, (_, n) => ({ name: `t${batch}_${n}`, schema: schema() })),
      )
    }
    for (let n = 0; n < 45; n++)
      expect((await tables.delete(`t${Math.floor(n / 15)}_${n % 15}/`)).status).toBe(204)
    await later(8)
    await tick()
    const batches: number[] = []
    while (jobs.waiting.length > 0) {
      const before = (await tables.deleted()).length
      const next = heldQueue()
      await jobs.drain({ ...app.env, JOBS: next.binding })
      batches.push(before - (await tables.deleted()).length)
      jobs.waiting.push(...next.waiting)
    }
    expect(batches).toEqual([20, 20, 5])
  })

  it('deleted datatables are kept for TRASH_DAYS', async () => {
    const tables = await newApp('days')
    await tables.make({ name: 'one', schema: schema() })
    const patient = app.with({ TRASH_DAYS: '30' })
    await patient.request('DELETE', `${site.api}/apps/days/datatables/one/`, { token: site.owner.token })
    const [item] = await tables.deleted()
    expect(Date.parse(item.drop_at) - Date.parse(item.deleted_at)).toBe(30 * 24 * 3600 * 1000)
  })
})

describe('concurrent requests', () => {
  it('of concurrent deletions, restorations and creations with the same name, one of each succeeds', async () => {
    const tables = await newApp('races')
    await tables.make({ name: 'makers', schema: schema() })
    const one = {
      ...schema({ name: 'maker', type: 'integer' }),
      foreignKeys: [to('maker', 'makers')],
      hierarchy: true,
    }
    await tables.make({ name: 'one', schema: one })
    for (let round = 0; round < 4; round++) {
      const work = await Promise.all([
        ...Array.from({ length: 3 }, () => tables.delete('one/')),
        ...Array.from({ length: 3 }, () => tables.post('one/restore/')),
        ...Array.from({ length: 2 }, () =>
          tables.post('create_schema/?materialize=true', { resources: [{ name: 'one', schema: one }] }),
        ),
        ...Array.from({ length: 4 }, (_, n) => tables.post('one/data/', [{ maker: n === 0 ? 99 : null }])),
        ...Array.from({ length: 3 }, () => tables.get('one/data/')),
        tables.post('makers/data/', {}),
      ])
      expect(
        work.map(({ status }) => status).filter((status) => ![200, 201, 204, 400, 404, 409].includes(status)),
      ).toEqual([])
      const listed = (await tables.get('')).body.map(
        ({ physical_table_name }: Record<string, string>) => physical_table_name,
      )
      expect((await physical('races_')).filter((name) => !name.endsWith('_edges'))).toEqual(listed)
      const aside = (await tables.deleted()).map(
        ({ physical_table_name }: Record<string, string>) => physical_table_name,
      )
      expect(await physical('\\_deleted\\_')).toEqual(expect.arrayContaining(aside))
    }
    const before = (await tables.deleted()).length
    if ((await tables.get('one/')).status === 200) await tables.delete('one/')
    const restorations = await Promise.all(Array.from({ length: 5 }, () => tables.post('one/restore/')))
    expect(restorations.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(restorations.filter(({ status }) => status === 404 || status === 409)).toHaveLength(4)
    expect(before).toBeGreaterThan(0)
  })

  it('of a restoration and a concurrent drop, one succeeds', async () => {
    const tables = await newApp('late')
    for (let round = 0; round < 6; round++) {
      await tables.make({ name: 'one', schema: schema() })
      await tables.post('one/data/', { id: 7 })
      await tables.delete('one/')
      await later(8)
      await tick()
      const [restored] = await Promise.all([tables.post('one/restore/'), jobs.drain(app.env, { copies: 3 })])
      expect([200, 404]).toContain(restored.status)
      expect(await tables.deleted()).toEqual([])
      expect(await physical('late_')).toEqual(restored.status === 200 ? ['late_one'] : [])
      if (restored.status === 404) continue
      expect(await tables.records('one')).toEqual([{ id: 7 }])
      expect((await tables.delete('one/?purge=true')).status).toBe(204)
    }
    expect(await app.sql('select * from tenant._deleted_datatables where drop_at < now()')).toEqual([])
  })

  it('deletion returns 409 while the table is under constant load', { timeout: scaled(30_000) }, async () => {
    const tables = await newApp('busy')
    await tables.make({ name: 'one', schema: schema() })
    const release = await hold(app, `perform from ${site.schema}.busy_one`)
    // Skips the pauses between the attempts.
    const { setTimeout: real } = globalThis
    const pauses = vi
      .spyOn(globalThis, 'setTimeout')
      .mockImplementation(((work: () => void, ms = 0) => real(work, ms < 300 ? 0 : ms)) as never)
    const refused = await tables.delete('one/')
    pauses.mockRestore()
    expect([refused.status, refused.body]).toEqual([
      409,
      {
        error: 'Datatable is busy',
        detail: 'Could not lock "one": it is under constant load. Nothing was changed; retry later.',
        code: 'table_busy',
      },
    ])
    await release()
    expect((await tables.delete('one/')).status).toBe(204)
  })
})
