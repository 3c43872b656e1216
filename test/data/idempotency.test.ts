/** Idempotency-Key for the operations that manage apps, datasources and datatables. */
import { beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '../support/app.ts'
import { createShop, type Shop } from '../support/fixtures.ts'

let app: TestApp
let shop: Shop

beforeAll(async () => {
  app = await startApp()
  shop = await createShop(app, 'managed')
})

const ask = (method: string, path: string, body: unknown, key: string) =>
  app.request(method, `${shop.api}/apps/${path}`, {
    token: shop.owner.token,
    headers: { 'idempotency-key': key },
    ...(body === undefined ? {} : { body }),
  })

/**
 * Sends a request three times with the same key, two of them concurrently. Expects the same answer each time.
 */
async function askOften(method: string, path: string, body?: unknown) {
  const key = crypto.randomUUID()
  const answers = await Promise.all([1, 2].map(() => ask(method, path, body, key)))
  answers.push(await ask(method, path, body, key))
  const [first] = answers
  expect(answers.map(({ status, text }) => [status, text])).toEqual(
    answers.map(() => [first?.status, first?.text]),
  )
  const replayed = answers.map(({ headers }) => headers.get('idempotency-replayed'))
  expect([replayed.slice(0, 2).sort(), replayed[2]]).toEqual([['true', null].sort(), 'true'])
  return first as Awaited<ReturnType<typeof ask>>
}

const schema = (...names: string[]) => ({
  primaryKey: 'id',
  fields: [{ name: 'id', type: 'integer' }, ...names.map((name) => ({ name, type: 'string' }))],
})

describe('a repeated request', () => {
  it('creates, changes and restores an app once', async () => {
    expect((await askOften('POST', '', { name: 'Once' })).status).toBe(201)
    expect((await askOften('PATCH', 'once/', { description: 'changed' })).body.description).toBe('changed')
    await app.request('DELETE', `${shop.api}/apps/once/`, { token: shop.owner.token })
    expect((await askOften('POST', 'once/restore/')).status).toBe(200)
  })

  it('creates and changes a datasource once', async () => {
    const datasource = { name: 'Second', slug: 'second', provider_type: 'flat_table' }
    expect((await askOften('POST', 'shop/datasources/', datasource)).status).toBe(201)
    expect((await askOften('PATCH', 'shop/datasources/second/', { name: 'Renamed' })).status).toBe(200)
  })

  it('creates, materializes, changes, rolls back and restores datatables once', async () => {
    const tables = 'shop/datatables/'
    const made = { name: 'made', json_schema: schema('a') }
    expect((await askOften('POST', 'shop/datasources/main/datatables/', made)).status).toBe(201)
    expect((await askOften('POST', `${tables}made/materialize/`)).body.is_materialized).toBe(true)
    const resources = [{ name: 'packed', schema: schema('a', 'b') }]
    expect((await askOften('POST', `${tables}create_schema/?materialize=true`, { resources })).status).toBe(
      201,
    )
    const change = { json_schema: schema('a') }
    expect((await askOften('PATCH', `${tables}packed/?allow_data_loss=true`, change)).body.field_count).toBe(
      2,
    )
    expect((await askOften('PATCH', `${tables}packed/`, change)).status).toBe(200)
    const history = await app.request('GET', `${shop.api}/apps/${tables}packed/operation-history/`, {
      token: shop.owner.token,
    })
    expect(history.body.total).toBe(2)
    const back = { revision_id: history.body.data[0].id }
    const rolledBack = await askOften('POST', `${tables}packed/rollback/`, back)
    expect([rolledBack.status, rolledBack.body.warnings]).toEqual([200, [expect.stringContaining('b')]])
    await app.request('DELETE', `${shop.api}/apps/${tables}packed/`, { token: shop.owner.token })
    expect((await askOften('POST', `${tables}packed/restore/`, {})).status).toBe(200)
  })

  it('imports reference tables once', async () => {
    await ask('POST', '', { name: 'Reader' }, 'reader')
    const reference = { source_app_slug: 'shop', source_table_name: 'makers' }
    const path = 'reader/datatables/import-reference/'
    expect((await askOften('POST', path, reference)).status).toBe(201)
    expect(
      (await askOften('POST', path, [{ ...reference, reference_name: 'second' }, reference])).body,
    ).toMatchObject({ created: 1, failed: 1 })
  })
})
