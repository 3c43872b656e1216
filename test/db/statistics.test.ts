/** Sites that Postgres has no statistics of: their statements take the same indexes as those of all others. */
import { beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '../support/app.ts'
import { createShop, type Shop } from '../support/fixtures.ts'

let app: TestApp
let shop: Shop
const rows = 3_000

/** Copies the first row of a table, in so many sites and so many times. Triggers and keys are left out. */
const copy = (table: string, site: string, sites: string, times: number, changed: string) =>
  app.sql(
    `do $$ begin
       perform set_config('session_replication_role', 'replica', true);
       insert into tenant.${table} overriding system value
       select (jsonb_populate_record(null::tenant.${table}, to_jsonb(t)
                 || jsonb_build_object('site_id', s, 'id', 100000 + n) || ${changed})).*
         from (select * from tenant.${table} where site_id = ${site} limit 1) t,
              generate_series(${sites}) s, generate_series(1, ${times}) n;
     end $$`,
  )

/** Fills the tables that a list of secrets reads. */
async function fill(sites: string, times: number): Promise<void> {
  const site = shop.schema.slice('site_'.length)
  const id = `jsonb_build_object('id', lpad(n::text, 32, '0'), 'key', 'K' || n)`
  await copy('_secrets', site, sites, times, id)
  await copy('_tags', site, sites, times, `jsonb_build_object('slug', 't' || n, 'name', 't' || n)`)
  const pair = `jsonb_build_object('secret_id', lpad(n::text, 32, '0'), 'tag_id', 100000 + n)`
  await copy('_secret_tags', site, sites, times, pair)
}

beforeAll(async () => {
  app = await startApp()
  shop = await createShop(app, 'fresh')
  const post = (path: string, body: object) =>
    app.request('POST', `${shop.api}${path}`, { token: shop.owner.token, body })
  await post('/tags/', { name: 'one' })
  await post('/secret-types/', { type: 'custom', name: 'plain', sensitivity_level: 'public', schema: {} })
  const secret = { secret_type: 'plain', key: 'PAY', value: { x: 1 }, tags: ['one'] }
  expect((await post('/secrets/', secret)).status).toBe(201)
  for (const table of ['_secrets', '_tags', '_secret_tags'])
    await app.sql(`alter table tenant.${table} set (autovacuum_enabled = false)`)
  await fill('1000, 1299', 5)
  await app.sql('analyze')
  const id = shop.schema.slice('site_'.length)
  await fill(`${id}, ${id}`, rows)
})

async function listMs(): Promise<number> {
  const start = performance.now()
  const { status, body } = await app.request('GET', `${shop.api}/secrets/?page_size=100`, {
    token: shop.owner.token,
  })
  expect([status, body.count]).toEqual([200, rows + 1])
  return performance.now() - start
}

describe('a site that is unknown to the statistics', () => {
  it('is no slower than after they are collected', async () => {
    const before = Math.min(await listMs(), await listMs())
    await app.sql('analyze')
    const after = Math.min(await listMs(), await listMs())
    expect(before).toBeLessThan(5 * after)
  })

  it.each(['_secrets', '_invocations'])('has no statistics of its own in %s', async (table) => {
    const [{ target } = { target: undefined }] = await app.sql(
      `select attstattarget as target from pg_attribute
        where attrelid = 'tenant.${table}'::regclass and attname = 'site_id'`,
    )
    expect(target).toBe(0)
  })
})
