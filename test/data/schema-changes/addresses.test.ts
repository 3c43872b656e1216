/**
 * Changes and rollbacks work the same with PUT and PATCH, in the paths of the app and of the datasource. D13.
 */
import { beforeAll, describe, expect, it } from 'vitest'
import { createSite, type Site, startApp, type TestApp } from '../../support/app.ts'

let app: TestApp
let site: Site

const schema = (...fields: string[]) => ({
  fields: [{ name: 'id', type: 'integer' }, ...fields.map((name) => ({ name, type: 'string' }))],
  primaryKey: 'id',
})
const call = (method: string, path: string, body?: unknown) =>
  app.request(method, `${site.api}/apps/shop/${path}`, { token: site.owner.token, ...(body ? { body } : {}) })

beforeAll(async () => {
  app = await startApp()
  site = await createSite(app, 'addresses')
  await app.request('POST', `${site.api}/apps/`, { token: site.owner.token, body: { name: 'shop' } })
  await call('POST', 'datasources/', { name: 'Main', slug: 'main', provider_type: 'flat_table' })
})

describe.each([
  ['PUT', 'datatables'],
  ['PATCH', 'datatables'],
  ['PUT', 'datasources/main/datatables'],
  ['PATCH', 'datasources/main/datatables'],
])('%s of %s/{name}/', (method, address) => {
  const name = `${method}_${address.slice(0, 5)}`.toLowerCase()
  const at = `${address}/${name}/`

  it('a change succeeds, returns 422 for data loss and 409 for a race, and can be rolled back', async () => {
    await call('POST', 'datasources/main/datatables/?materialize=true', { name, json_schema: schema('a') })
    expect(await call(method, at, { json_schema: schema() })).toMatchObject({
      status: 422,
      body: { changes: [expect.any(Object)] },
    })
    expect(await call(method, `${at}?dry_run=true`, { json_schema: schema('a', 'b') })).toMatchObject({
      status: 200,
      body: { changes: [expect.any(Object)] },
    })
    expect(await call(method, at, { json_schema: schema('a', 'b') })).toMatchObject({
      status: 200,
      body: { field_names: ['id', 'a', 'b'] },
    })

    const statuses = new Set<number>()
    for (let round = 0; round < 30 && !statuses.has(409); round++) {
      const rivals = ['x', 'y'].map((field) =>
        call(method, at, { json_schema: schema('a', 'b', `${field}${round}`) }).then(({ status }) =>
          statuses.add(status),
        ),
      )
      await Promise.all(rivals)
      await call(method, `${at}?allow_data_loss=true`, { json_schema: schema('a', 'b') })
    }
    // A change that starts after the other one was committed would drop its field, so it gets 422.
    expect([...statuses].filter((status) => status !== 422).sort()).toEqual([200, 409])

    const { body } = await call('GET', `${at}operation-history/?status=success&page_size=1`)
    const back = (revision_id: number) => call('POST', `${at}rollback/`, { revision_id })
    const oldest = (await call('GET', `${at}operation-history/?page_size=100`)).body.data.at(-1).id
    expect((await back(999_999)).status).toBe(404)
    expect(await back(oldest)).toMatchObject({
      status: 409,
      body: { error: 'Later changes must be rolled back first', code: 'later_changes' },
    })
    expect((await back(body.data[0].id)).status).toBe(200)
    const undone = (await call('GET', `${at}operation-history/?page_size=1`)).body.data[0]
    expect(await back(undone.id)).toMatchObject({
      status: 422,
      body: { error: 'Operation cannot be rolled back', code: 'cannot_be_rolled_back' },
    })
  })
})
