/** Edge tables are created, changed and dropped with the schema of their datatable. G1, G2; D8, D9. */
import { beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '../../support/app.ts'
import { catalogOf } from '../../support/catalog.ts'
import { createShop, ownerOf, type Shop } from '../../support/fixtures.ts'
import { problemsOf } from '../../support/tables.ts'

let app: TestApp
let shop: Shop
let owner: ReturnType<typeof ownerOf>

const id = { name: 'id', type: 'integer' }
const name = { name: 'name', type: 'string' }
const types = (...all: object[]) => ({ graph: { enabled: true, types: all } })

beforeAll(async () => {
  app = await startApp()
  shop = await createShop(app, 'schemas')
  owner = ownerOf(app, shop, '/apps/shop/datatables/')
})

async function make(table: string, schema: object) {
  const made = await owner.post('create_schema/?materialize=true', {
    resources: [{ name: table, schema: { fields: [id, name], ...schema } }],
  })
  expect(made, JSON.stringify(made.body)).toMatchObject({ status: 201 })
  await owner.post(
    `${table}/data/`,
    [1, 2, 3, 4].map((one) => ({ id: one })),
  )
}
const change = (table: string, schema: object, query = '') =>
  owner.patch(`${table}/${query}`, { json_schema: { fields: [id, name], ...schema } })
const link = (table: string, type: string, ...pairs: [number, number][]) =>
  owner.post(
    `${table}/edges/`,
    pairs.map(([from_id, to_id]) => ({ from_id, to_id, type })),
  )
const exists = async (table: string) =>
  (await app.sql(`select to_regclass('${shop.schema}.shop_${table}_edges') is not null as is`))[0]?.is
const catalog = async (table: string) =>
  (await app.sql(catalogOf(`${shop.schema}.shop_${table}_edges`)))[0]?.catalog
const triggers = (table: string) =>
  app.sql(
    `select pg_get_triggerdef(oid) as is from pg_trigger where tgrelid = '${shop.schema}.shop_${table}_edges'::regclass and not tgisinternal order by 1`,
  )
const operations = async (table: string) =>
  (await owner.get(`${table}/operation-history/`)).body.data.map(
    (one: { operation_type: string; description: string; status: string }) => [
      one.operation_type,
      one.description,
      one.status,
    ],
  )

describe('a schema with hierarchy or graph', () => {
  it('an invalid graph is rejected', () => {
    const fields = [id, name]
    expect(problemsOf({ fields, graph: { enabled: true } })).toEqual([
      'graph.types: name at least one type, or set hierarchy to true',
    ])
    expect(problemsOf({ fields, hierarchy: 'yes', graph: { types: [] } })).toHaveLength(2)
    expect(
      problemsOf({
        fields,
        ...types({ name: 'a' }, { name: 'a' }, { name: 'data' }, { name: 'b', inverse: 'data' }),
      }),
    ).toEqual([
      'graph.types: there are two types named "a"',
      'graph.types[2]: "data" is reserved: answers have the record under this name',
      'graph.types[3]: "data" is reserved: answers have the record under this name',
    ])
    for (const name of [
      'a,b',
      'a"b',
      "a'b",
      'a\nb',
      'a\u0000',
      ' a',
      'a ',
      '',
      'a.b',
      'a'.repeat(51),
      '一'.repeat(51),
    ])
      expect([name, problemsOf({ fields, ...types({ name }) })]).toEqual([
        name,
        [
          'graph.types[0].name: a relationship name has up to 50 letters of any script, digits, blanks, ' +
            'underscores and hyphens, and no blank at its ends',
        ],
      ])
    expect(
      problemsOf({ fields, ...types({ name: 'a', constraints: { max_outgoing: 0, min: 1 } }) }),
    ).toHaveLength(2)
    expect(problemsOf({ fields, primaryKey: ['id', 'name'], hierarchy: true })).toEqual([
      'primaryKey: a table with edges needs a key of one field',
    ])
    expect(problemsOf({ fields: [{ name: 'id', type: 'boolean' }], hierarchy: true })).toContainEqual(
      'primaryKey: a table with edges needs a key of type string, integer, number, uuid, date, time, datetime; ' +
        '"id" is of type boolean',
    )
    expect(problemsOf({ fields: [id, { name: 'children', type: 'integer' }], hierarchy: true })).toEqual([
      'fields: "children" is reserved: the nodes of a tree have their children under it',
    ])
  })

  it('the schema is stored as it was written', async () => {
    await make('written', {
      hierarchy: true,
      ...types({ name: 'a', inverse: 'b', constraints: { max_incoming: 2 }, description: 'x' }),
    })
    expect((await owner.get('written/')).body.json_schema).toMatchObject({
      hierarchy: true,
      graph: {
        enabled: true,
        types: [{ name: 'a', inverse: 'b', constraints: { max_incoming: 2 }, description: 'x' }],
      },
    })
  })
})

describe('the edge table', () => {
  it('the edge table is created and dropped with its datatable', async () => {
    await make('comes', { hierarchy: true })
    expect(await exists('comes')).toBe(true)
    expect(await operations('comes')).toEqual([
      ['create_table', 'Create the edges of comes', 'success'],
      ['create_table', 'Create table comes', 'success'],
    ])
    await link('comes', 'parent', [1, 2])
    expect(await owner.delete('comes/')).toMatchObject({ status: 204 })
    expect(await exists('comes')).toBe(false)
  })

  it('turning the graph on creates the table; turning it off drops it with its edges; both can be rolled back', async () => {
    await make('turns', {})
    expect(await exists('turns')).toBe(false)
    expect(await change('turns', { hierarchy: true })).toMatchObject({ status: 200 })
    await link('turns', 'parent', [1, 2])
    const made = await catalog('turns')
    expect(await change('turns', {})).toMatchObject({
      status: 422,
      body: { error: 'Schema change can lose data', code: 'data_loss' },
    })
    expect(await change('turns', { hierarchy: false }, '?allow_data_loss=true')).toMatchObject({
      status: 200,
    })
    expect([await exists('turns'), (await owner.get('turns/edges/')).status]).toEqual([false, 422])
    const [dropped] = (await owner.get('turns/operation-history/')).body.data
    expect(await owner.post('turns/rollback/', { revision_id: dropped.id })).toMatchObject({ status: 200 })
    expect(await catalog('turns')).toEqual(made)
    expect((await owner.get('turns/edges/')).body).toMatchObject({ total: 0 })
    expect((await link('turns', 'parent', [1, 2], [1, 3])).status).toBe(422)
    const history = (await owner.get('turns/operation-history/')).body.data
    const created = history.find(
      (one: { description: string; status: string }) =>
        one.description === 'Create the edges of turns' && one.status === 'success',
    )
    expect(await owner.post('turns/rollback/', { revision_id: created.id })).toMatchObject({ status: 200 })
    expect(await exists('turns')).toBe(false)
  })

  it('a dry run shows the statements for the edge table', async () => {
    await make('dry', {})
    const { body } = await change('dry', { hierarchy: true }, '?dry_run=true')
    expect(body.changes).toMatchObject([
      { operation: 'create_table', description: 'Create the edges of dry', destructive: false },
    ])
    expect(body.changes[0].sql).toContain('create table')
    expect(await exists('dry')).toBe(false)
  })

  it('a datatable and an edge table never have the same name', async () => {
    await make('roads', { hierarchy: true })
    await make('roads_edges', {})
    expect((await owner.get('roads_edges/')).body.physical_table_name).not.toBe('shop_roads_edges')
    await make('ways_edges', {})
    const refused = {
      status: 400,
      body: {
        json_schema: [
          'another datatable already has the physical name that this one or its edge table would get',
        ],
      },
    }
    expect(
      await owner.post('create_schema/?materialize=true', {
        resources: [{ name: 'ways', schema: { fields: [id], hierarchy: true } }],
      }),
    ).toMatchObject({ status: 201 })
    await make('paths', {})
    await make('paths_edges', {})
    expect(await change('paths', { hierarchy: true })).toMatchObject(refused)
  })
})

describe('a change of the types', () => {
  it('a change that existing edges violate returns 422, names the rule, and changes nothing', async () => {
    await make('stricter', types({ name: 'a' }, { name: 'b' }))
    await link('stricter', 'a', [1, 2], [1, 3], [2, 1])
    await link('stricter', 'b', [1, 2], [1, 3])
    const before = await triggers('stricter')
    const broken = (rule: string, detail: string) => ({
      status: 422,
      body: {
        error: 'Existing records break the schema',
        detail,
        violations: [{ fields: [], rule, detail, records: [] }],
        code: 'records_break_schema',
      },
    })
    expect(
      await change('stricter', types({ name: 'a', constraints: { max_outgoing: 1 } }, { name: 'b' })),
    ).toMatchObject(
      broken(
        'max_outgoing',
        'The record "1" of "stricter" would have more than 1 outgoing edges of type "a" (max_outgoing).',
      ),
    )
    expect(
      await change('stricter', { hierarchy: true, ...types({ name: 'a' }, { name: 'b' }) }),
    ).toMatchObject({
      status: 422,
      body: { violations: [{ rule: 'acyclic' }] },
    })
    expect(await triggers('stricter')).toEqual(before)
    expect(
      await change(
        'stricter',
        types(
          { name: 'a', constraints: { max_outgoing: 2 } },
          { name: 'b', constraints: { max_incoming: 1 } },
        ),
      ),
    ).toMatchObject({ status: 200 })
    expect((await link('stricter', 'b', [4, 2])).body.error).toBe('Too many incoming edges')
    expect((await link('stricter', 'a', [1, 4])).body.error).toBe('Too many outgoing edges')
  })

  it('removing a type deletes its edges; the rollback restores its rules', async () => {
    await make('fewer', types({ name: 'a', constraints: { max_outgoing: 1 } }, { name: 'b' }))
    await link('fewer', 'a', [1, 2])
    await link('fewer', 'b', [1, 2])
    expect(await change('fewer', types({ name: 'a' }))).toMatchObject({
      status: 422,
      body: { error: 'Schema change can lose data', code: 'data_loss' },
    })
    expect(await change('fewer', types({ name: 'a' }), '?allow_data_loss=true')).toMatchObject({
      status: 200,
    })
    expect((await owner.get('fewer/edges/')).body).toMatchObject({ total: 1 })
    expect((await link('fewer', 'b', [2, 3])).status).toBe(400)
    expect((await link('fewer', 'a', [1, 3])).status).toBe(201)
    const [changed] = (await owner.get('fewer/operation-history/')).body.data
    expect(await owner.post('fewer/rollback/', { revision_id: changed.id })).toMatchObject({
      status: 422,
      body: { violations: [{ rule: 'max_outgoing' }] },
    })
    await owner.delete('fewer/edges/', {
      edge_ids: (await owner.get('fewer/edges/?to_id=3')).body.results.map((one: { id: string }) => one.id),
    })
    expect(await owner.post('fewer/rollback/', { revision_id: changed.id })).toMatchObject({ status: 200 })
    expect([(await link('fewer', 'a', [1, 3])).status, (await link('fewer', 'b', [1, 3])).status]).toEqual([
      422, 201,
    ])
  })

  it('changing only inverse names and descriptions changes nothing in Postgres', async () => {
    await make('renamed', types({ name: 'a', inverse: 'b' }))
    expect(
      (await change('renamed', types({ name: 'a', inverse: 'c' }), '?dry_run=true')).body.changes,
    ).toEqual([])
  })
})

describe('the key that edges reference', () => {
  it('the key can be renamed, but its type cannot change', async () => {
    await make('keys', { hierarchy: true })
    await link('keys', 'parent', [1, 2])
    const schema = (key: object) => ({
      json_schema: { fields: [key, name], primaryKey: 'number', hierarchy: true },
    })
    expect(
      await owner.patch('keys/', schema({ name: 'number', type: 'integer', 'x-rename-from': 'id' })),
    ).toMatchObject({ status: 200 })
    expect((await owner.get('keys/data/1/?include=ancestors')).body).toMatchObject({
      data: { number: 1 },
      parent: [{ number: 2 }],
    })
    expect((await link('keys', 'parent', [1, 3])).body.error).toBe('Too many outgoing edges')
    const refused = await owner.patch('keys/', schema({ name: 'number', type: 'string' }))
    expect(refused).toMatchObject({
      status: 422,
      body: {
        error: 'Fields are referenced',
        referenced_by: [{ table: 'keys', fields: ['from_id', 'to_id'] }],
        code: 'still_referenced',
      },
    })
  })
})
