/**
 * Batches and nested records of tables that cannot be written get the errors of single writes, with the
 * position.
 */
import { beforeAll, describe, expect, it } from 'vitest'
import { createSite, type Site, startApp, type TestApp } from '../../support/app.ts'
import { ownerOf } from '../../support/fixtures.ts'
import { stateOf } from '../../support/state.ts'

let app: TestApp
let site: Site
let apps: ReturnType<typeof ownerOf>

const id = { name: 'id', type: 'integer' }
const table = (name: string, ...references: readonly string[]) => ({
  name,
  schema: {
    primaryKey: 'id',
    fields: [id, ...references.map((one) => ({ name: `${one}_id`, type: 'integer' }))],
    foreignKeys: references.map((one) => ({
      fields: `${one}_id`,
      reference: { resource: `${one}s`, fields: 'id' },
    })),
  },
})

beforeAll(async () => {
  app = await startApp()
  site = await createSite(app, 'tables')
  apps = ownerOf(app, site)
  for (const name of ['crm', 'sales']) await apps.post('', { name })
  const made = [
    await apps.post('crm/datatables/create_schema/?materialize=true', { resources: [table('customers')] }),
    await apps.post('sales/datatables/import-reference/', {
      source_app_slug: 'crm',
      source_table_name: 'customers',
    }),
    await apps.post('sales/datatables/create_schema/?materialize=true', {
      resources: [table('orders', 'customer'), table('goods'), table('lines', 'order', 'good')],
    }),
    await apps.post('sales/datatables/create_schema/', { resources: [table('planned', 'order')] }),
  ]
  expect(made.map(({ status }) => status)).toEqual([201, 201, 201, 201])
  await apps.post('sales/datatables/create_schema/?materialize=true', { resources: [table('gone', 'order')] })
  expect((await apps.delete('sales/datatables/gone/')).status).toBe(204)
})

const refused = async (path: string, body: unknown) => {
  const before = await stateOf(app)
  const answer = await apps.post(path, body)
  expect(await stateOf(app)).toEqual(before)
  return [answer.status, answer.body]
}

const first = { op: 'create', table: 'orders', data: {} }
const operations = (name: string): [string, object][] => [
  ['create', { op: 'create', table: name, data: {} }],
  ['update', { op: 'update', table: name, id: 1, data: {} }],
  ['upsert', { op: 'upsert', table: name, unique_fields: ['id'], data: { id: 1 } }],
  ['delete', { op: 'delete', table: name, id: 1 }],
  ['create_edge', { op: 'create_edge', table: name, data: { from_id: 1, to_id: 1, type: 'a' } }],
  ['delete_edge', { op: 'delete_edge', table: name, id: '00000000-0000-4000-8000-000000000001' }],
]

describe('a batch changes nothing and returns the position of the operation', () => {
  it.each(operations('gone'))('with 404 for a table in the trash: %s', async (_, operation) => {
    expect(await refused('sales/batch/', [first, operation])).toEqual([
      404,
      {
        detail: 'operations[1]: Not found.',
        hint: 'operations[1]: There is no table "gone" in the app "sales".',
        code: 'not_found',
      },
    ])
  })

  it.each(operations('customers'))('with 403 for a reference table: %s', async (_, operation) => {
    expect(await refused('sales/batch/', [first, operation])).toEqual([
      403,
      {
        detail:
          'operations[1]: "customers" is a reference to "customers" of the app "crm": here it can only be read.',
        code: 'read_only',
      },
    ])
  })

  it.each(operations('planned'))(
    'with 422 for a table that is not materialized: %s',
    async (_, operation) => {
      expect(await refused('sales/batch/', [first, operation])).toEqual([
        422,
        {
          error: 'Datatable is not materialized',
          detail:
            'operations[1]: "planned" has no physical table yet. ' +
            'Create it first: POST /api/apps/sales/datatables/planned/materialize/',
          code: 'not_materialized',
        },
      ])
    },
  )
})

describe('a record with related records changes nothing', () => {
  it('and returns 403 if one of them belongs to a reference table', async () => {
    expect(await refused('sales/datatables/orders/data/', { lines: [{}, { order: {} }] })).toEqual([
      400,
      {
        error: 'Validation failed',
        details: { 'lines[1].order': ['"order_id" has a value already. Leave one of the two out.'] },
        code: 'validation_failed',
      },
    ])
    expect(await refused('sales/datatables/lines/data/', [{ order: { customer: {} } }])).toEqual([
      403,
      {
        detail:
          'rows[0].order.customer: "customers" is a reference to "customers" of the app "crm": ' +
          'here it can only be read.',
        code: 'read_only',
      },
    ])
  })

  it.each(['gone', 'planned'])('and returns 400 for %s, a table without a relationship', async (name) => {
    expect(await refused('sales/datatables/orders/data/', { [name]: [{}], lines: [] })).toEqual([
      400,
      {
        error: 'Validation failed',
        details: { [name]: ['Unknown field. Fields: id, customer_id.'] },
        code: 'validation_failed',
      },
    ])
  })
})
