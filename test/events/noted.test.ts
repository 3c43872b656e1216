/** Events that another database has noted in the transaction of a write: what Postgres takes of them. */
import { beforeAll, expect, it } from 'vitest'
import { sql } from '../../src/kernel/db/sql.ts'
import { awaitNote, insertNoted, type NotedEvent } from '../../src/runtime/events/records/service.ts'
import { startApp, type TestApp } from '../support/app.ts'
import { createShop, type Shop } from '../support/fixtures.ts'
import { runInSite } from '../support/tenant.ts'

let app: TestApp
let shop: Shop
let datasource: number
let table: number

beforeAll(async () => {
  app = await startApp()
  shop = await createShop(app, 'noted')
  const post = async (path: string, body: object) =>
    (await app.request('POST', `${shop.api}/${path}`, { token: shop.owner.token, body })).body
  const made = await post('apps/shop/functions/', { name: 'Hear', code: 'export default () => 1' })
  await post('cloud/events/RECORD_CREATE/subscribe/', { function_id: made.id })
  const [row] = await app.sql<{ id: string; data_source_id: string }>(
    `select t.id, t.data_source_id from tenant._datatables t where t.name = 'makers'`,
  )
  datasource = Number(row?.data_source_id)
  table = Number(row?.id)
})

const note = (id: string, more: Partial<NotedEvent> = {}): NotedEvent => ({
  ...{ id, table, key: ['id'], event: 'RECORD_CREATE', records: '[{"id": 1}]', previous: null },
  ...more,
})
const take = async (...notes: NotedEvent[]) =>
  (await runInSite(app, shop, [insertNoted(datasource, notes)])).rows<{ id: number }>().length

it('a note that no write has announced is ignored', async () => {
  expect(await take(note(crypto.randomUUID()))).toBe(0)
})

it('an announced note is taken once, with each of its events once', async () => {
  const id = crypto.randomUUID()
  await runInSite(app, shop, [
    awaitNote(id, sql`select ${datasource}::bigint as datasource, 'one' as generation`),
  ])
  expect(await take(note(id), note(id), note(id, { event: 'RECORD_UPDATE' }))).toBe(1)
  expect(await take(note(id))).toBe(0)
})
