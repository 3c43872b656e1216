/**
 * Deleting an app or a datasource whose tables others reference: 409 `referenced_by`, or `?force=true`. A
 * reference whose source is away stays in the list, and its records answer 422. D18.
 */
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createSite, startApp, type TestApp } from '../support/app.ts'
import { ownerOf } from '../support/fixtures.ts'

let app: TestApp
let apps: ReturnType<typeof ownerOf>

const table = (name: string, resource?: string) => ({
  name,
  schema: {
    primaryKey: 'id',
    fields: [
      { name: 'id', type: 'integer' },
      { name: 'other_id', type: 'integer' },
    ],
    ...(resource ? { foreignKeys: [{ fields: 'other_id', reference: { resource, fields: 'id' } }] } : {}),
  },
})

beforeAll(async () => {
  app = await startApp()
})
beforeEach(async () => {
  apps = ownerOf(app, await createSite(app, `away-${crypto.randomUUID().slice(0, 8)}`))
  for (const name of ['crm', 'sales']) await apps.post('', { name })
  for (const slug of ['one', 'two'])
    await apps.post('crm/datasources/', { name: slug, slug, provider_type: 'flat_table' })
  const create = (path: string, resource: object) =>
    apps.post(`${path}create_schema/?materialize=true${path.startsWith('crm') ? '&datasource=one' : ''}`, {
      resources: [resource],
    })
  expect((await create('crm/datatables/', table('customers'))).status).toBe(201)
  const alone = { resources: [table('alone')] }
  await apps.post('crm/datatables/create_schema/?materialize=true&datasource=two', alone)
})
const refer = async () => {
  const reference = { source_app_slug: 'crm', source_table_name: 'customers', reference_name: 'buyers' }
  expect((await apps.post('sales/datatables/import-reference/', reference)).status).toBe(201)
}

const one = { name: 'One', slug: 'one', provider_type: 'flat_table', is_active: false }

type Send = (path: string) => ReturnType<typeof apps.delete>

describe.each<[string, string, string, string, Send?]>([
  ['an app', 'crm/', 'App is referenced', '"crm"'],
  ['a datasource', 'crm/datasources/one/', 'Datasource is referenced', '"one"'],
  [
    'a datasource by PATCH',
    'crm/datasources/one/',
    'Datasource is referenced',
    '"one"',
    (path) => apps.patch(path, { is_active: false }),
  ],
  [
    'a datasource by PUT',
    'crm/datasources/one/',
    'Datasource is referenced',
    '"one"',
    (path) => apps.put(path, one),
  ],
])('deleting %s whose tables others reference', (_, path, error, name, send) => {
  const remove = (query = '') => (send ?? apps.delete)(`${path}${query}`)
  it('is 409 that names them, and changes nothing', async () => {
    await refer()
    const { status, body } = await remove()
    expect([status, body]).toEqual([
      409,
      {
        error,
        detail:
          `${name} cannot be deleted while others reference its datatables: sales/buyers. ` +
          'With force=true it is deleted all the same, and they cannot be read until it is restored.',
        referenced_by: ['sales/buyers'],
        code: 'still_referenced',
      },
    ])
    expect((await apps.get('sales/datatables/buyers/data/')).status).toBe(200)
  })

  it('goes on with force=true: the reference stays in the list, and its records are 422 that names the source', async () => {
    await refer()
    expect((await remove('?force=true')).status).toBe(send ? 200 : 204)
    const list = await apps.get('sales/datatables/')
    expect(list.body.map((one: { name: string; is_active: boolean }) => [one.name, one.is_active])).toEqual([
      ['buyers', false],
    ])
    expect((await apps.get('sales/datatables/buyers/')).body).toMatchObject({
      name: 'buyers',
      is_active: false,
    })
    for (const answer of [
      await apps.get('sales/datatables/buyers/data/'),
      await apps.get('sales/datatables/buyers/data/1/'),
      await apps.post('sales/datatables/buyers/data/', { id: 1 }),
    ])
      expect([answer.status, answer.body]).toEqual([
        422,
        {
          error: 'Source is not active',
          detail:
            '"buyers" is a reference to "customers" of the app "crm", which was deleted or whose datasource ' +
            'was. Restore it, or delete the reference.',
          code: 'source_inactive',
        },
      ])
    expect((await apps.delete('sales/datatables/buyers/')).status).toBe(204)
    expect((await apps.get('sales/datatables/')).body).toEqual([])
  })

  it('needs no force where nothing outside references its tables', async () => {
    expect((await remove()).status).toBe(send ? 200 : 204)
  })
})

it('a foreign key from another datasource of the app holds a datasource, but not the app', async () => {
  const orders = { resources: [table('orders', 'customers')] }
  const made = await apps.post('crm/datatables/create_schema/?materialize=true&datasource=two', orders)
  expect(made.status).toBe(201)
  expect((await apps.delete('crm/datasources/one/')).body).toMatchObject({ referenced_by: ['orders'] })
  expect((await apps.delete('crm/')).status).toBe(204)
})
