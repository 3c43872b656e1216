/**
 * Many tenants over few connections: a request sees only its own site, whichever site used its connection
 * before. Statements that fail, that are cancelled and that write use the same connections. T1.
 */
import { beforeAll, describe, expect, it } from 'vitest'
import { type Sql, sql } from '../../src/kernel/db/sql.ts'
import { startApp, type TestApp } from '../support/app.ts'
import { createShop, type Shop } from '../support/fixtures.ts'
import { runs } from '../support/runs.ts'
import { contextOf, runList } from '../support/tenant.ts'

const tenants = 12
const requests = runs(200, 5_000)
/** The number of clients, and so of connections. */
const clients = 6

let app: TestApp
const shops: Shop[] = []

beforeAll(async () => {
  app = await startApp()
  for (let index = 0; index < tenants; index++) {
    const shop = await createShop(app, `tenant-${index}`)
    await app.request('POST', shop.data('makers'), {
      token: shop.owner.token,
      body: { id: 1, name: `CANARY-${index}` },
    })
    shops.push(shop)
  }
})

const hostile = (text: string): Sql =>
  sql(Object.assign([text], { raw: [text] }) as unknown as TemplateStringsArray)

describe(`${tenants} tenants over ${clients} connections`, () => {
  it('each request gets data of its own site', async () => {
    let left = requests
    const wrong: unknown[] = []
    const client = async () => {
      while (left-- > 0) {
        const index = Math.floor(Math.random() * tenants)
        const shop = shops[index] as Shop
        const { token } = shop.owner
        const kind = left % 8
        if (kind === 0)
          await app.request('POST', shop.data('makers'), { token, body: { id: 1, name: 'taken' } })
        else if (kind === 1)
          await app.request('PATCH', `${shop.data('makers')}1/`, { token, body: { name: `CANARY-${index}` } })
        else if (kind === 2)
          await runList(contextOf(app, shop, shop.owner), 'write', [
            hostile(`set search_path = public`),
            hostile('select 1 / 0'),
          ]).catch(() => undefined)
        const { status, body } = await app.request('GET', shop.data('makers'), { token })
        const names = body.data?.map(({ name }: { name: string }) => name)
        if (status !== 200 || JSON.stringify(names) !== JSON.stringify([`CANARY-${index}`]))
          wrong.push([index, status, names])
      }
    }
    await Promise.all(Array.from({ length: clients }, client))
    expect(wrong).toEqual([])
    const [{ backends } = { backends: 0 }] = await app.sql<{ backends: number }>(
      `select count(*)::int as backends from pg_stat_activity where datname = current_database() and usename = 'tessera_service' and application_name <> 'tessera-probe'`,
    )
    expect(backends).toBeGreaterThan(0)
    expect(backends).toBeLessThanOrEqual(tenants)
  })

  it('no request leaves its role on a connection: before and after, it is that of the service', async () => {
    const shop = shops[0] as Shop
    const results = await runList(contextOf(app, shop, shop.owner), 'read', [
      sql`select current_user::text as inside, session_user::text as outside`,
    ])
    expect(results.one()).toEqual({ inside: shop.schema, outside: 'tessera_service' })
  })
})
