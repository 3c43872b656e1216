/** The views of guests when datasources and apps have been inactive. Access rules; D2. */
import { beforeEach, expect, it } from 'vitest'
import { dropDeleted } from '../../../src/data/schema-changes/trash/expire.ts'
import { insist, siteIdOf, startApp, type TestApp } from '../../support/app.ts'
import { createShop, type Shop } from '../../support/fixtures.ts'

let app: TestApp
let shop: Shop
const key = { name: 'id', type: 'integer' }
const anyone = (rule: object) => ({ rules: [{ name: 'open', who: 'anyone', can: ['read'], ...rule }] })
const notes = {
  name: 'notes',
  schema: {
    fields: [key, { name: 'text', type: 'string' }],
    primaryKey: 'id',
    access: anyone({ where: { 'stamps.is_open': true } }),
  },
}
const stamps = {
  name: 'stamps',
  schema: {
    fields: [key, { name: 'note_id', type: 'integer' }, { name: 'is_open', type: 'boolean' }],
    primaryKey: 'id',
    foreignKeys: [{ fields: 'note_id', reference: { resource: 'notes', fields: 'id' } }],
  },
}
const call = (method: string, path: string, body?: unknown) =>
  insist(() => app.request(method, `${shop.api}/apps/shop/${path}`, { token: shop.owner.token, body }))
const asGuest = async () => {
  const { status, body } = await app.request('GET', shop.data('notes'))
  return [status, body.data?.map(({ id }: { id: number }) => id)]
}

beforeEach(async () => {
  app = await startApp()
  shop = await createShop(app, 'notes', {
    resources: [{ name: 'makers', schema: { fields: [key], primaryKey: 'id' } }],
  })
  await call('POST', 'datasources/', { name: 'Two', slug: 'two', provider_type: 'flat_table' })
  const create = (resources: unknown[], datasource: string) =>
    call('POST', `datatables/create_schema/?materialize=true&datasource=${datasource}`, { resources })
  expect((await create([{ ...notes, schema: { ...notes.schema, access: undefined } }], 'main')).status).toBe(
    201,
  )
  expect((await create([stamps], 'two')).status).toBe(201)
  expect((await call('PUT', 'datatables/notes/access/', notes.schema.access)).status).toBe(200)
  await call('POST', 'datatables/notes/data/', [
    { id: 1, text: 'a' },
    { id: 2, text: 'b' },
  ])
  await call('POST', 'datatables/stamps/data/', [{ id: 1, note_id: 1, is_open: true }])
  expect(await asGuest()).toEqual([200, [1]])
})

it('read no deleted table after the datasource of the rule becomes active again', async () => {
  expect((await call('DELETE', 'datasources/main/?force=true')).status).toBe(204)
  expect((await call('DELETE', 'datatables/stamps/')).status).toBe(204)
  expect((await call('PATCH', 'datasources/main/', { is_active: true })).status).toBe(200)
  expect((await asGuest())[0]).toBe(401)
})

it('stay when a change that ends the activity of a datasource is refused', async () => {
  const change = { slug: 'other', is_active: false }
  expect((await call('PATCH', 'datasources/main/', change)).status).toBe(400)
  expect(await asGuest()).toEqual([200, [1]])
})

it.each([
  ['the deletion of', 'DELETE', 'datasources/main/?force=true', 204],
  ['a change of', 'PATCH', 'datasources/main/?force=true', 200],
])('read no table after %s the datasource, so the table can be dropped', async (_, method, path, status) => {
  const change = method === 'PATCH' ? { is_active: false } : undefined
  expect((await call(method, path, change)).status).toBe(status)
  expect((await call('DELETE', 'datatables/stamps/?purge=true')).status).toBe(204)
  expect((await call('PATCH', 'datasources/main/', { is_active: true })).status).toBe(200)
  expect((await asGuest())[0]).toBe(401)
})

it('of tables whose rules need an inactive one are missing until it becomes active again', async () => {
  expect((await call('DELETE', 'datasources/two/?force=true')).status).toBe(204)
  expect((await asGuest())[0]).toBe(401)
  expect((await call('PATCH', 'datasources/two/', { is_active: true })).status).toBe(200)
  expect(await asGuest()).toEqual([200, [1]])
})

it('are there when a datasource that a rule needs was inactive during another change', async () => {
  expect((await call('DELETE', 'datasources/two/?force=true')).status).toBe(204)
  await call('POST', 'datatables/create_schema/?materialize=true', {
    resources: [{ name: 'other', schema: { fields: [key], primaryKey: 'id' } }],
  })
  expect((await call('PATCH', 'datasources/two/', { is_active: true })).status).toBe(200)
  expect(await asGuest()).toEqual([200, [1]])
})

it('are there after an app is restored', async () => {
  const whole = (method: string, path: string) =>
    app.request(method, `${shop.api}/apps/${path}`, { token: shop.owner.token })
  expect((await whole('DELETE', 'shop/')).status).toBe(204)
  expect((await whole('POST', 'shop/restore/')).status).toBe(200)
  expect(await asGuest()).toEqual([200, [1]])
})

it('of an inactive table delay the drop of the deleted table that they read, and of no other', async () => {
  await call('POST', 'datatables/create_schema/?materialize=true', {
    resources: [{ name: 'other', schema: { fields: [key], primaryKey: 'id' } }],
  })
  expect((await call('DELETE', 'datasources/main/?force=true')).status).toBe(204)
  expect((await call('DELETE', 'datatables/stamps/')).status).toBe(204)
  expect((await call('PATCH', 'datasources/main/', { is_active: true })).status).toBe(200)
  // As it is when the table was deleted before guests' views were made again.
  const [deleted] = await app.sql<{ name: string }>(
    `select c.oid::regclass::text as name from pg_class c where c.relname ~ '^_deleted_\\d+$'`,
  )
  await app.sql(`create view ${shop.schema}.reads as select * from ${deleted?.name}`)
  expect((await call('DELETE', 'datatables/other/')).status).toBe(204)
  await app.sql(
    `update tenant._deleted_datatables
        set drop_at = now() - make_interval(hours => case name when 'stamps' then 2 else 1 end)`,
  )
  await dropDeleted(app.env, { kind: 'drop-deleted', siteId: siteIdOf(shop) })
  expect(await app.sql('select name from tenant._deleted_datatables')).toEqual([{ name: 'stamps' }])
})
