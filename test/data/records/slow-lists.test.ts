/** Lists that take longer than a statement may. */
import { beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '../../support/app.ts'
import { createShop, grant, type Shop } from '../../support/fixtures.ts'
import { hold, untilWaiting } from '../../support/locks.ts'

let app: TestApp
let shop: Shop

const schema = {
  fields: [
    { name: 'id', type: 'integer' },
    { name: 'kind', type: 'string' },
    { name: 'size', type: 'number' },
  ],
  primaryKey: 'id',
  indexes: [{ name: 'by_size', fields: ['size'] }],
}

beforeAll(async () => {
  app = await startApp()
  shop = await createShop(app, 'slow', { resources: [{ name: 'drops', schema }] })
  await app.sql(
    `insert into ${shop.schema}.shop_drops select n, 'kind ' || n % 7, n % 1000 from generate_series(1, 200000) n`,
  )
  await app.sql(`vacuum analyze ${shop.schema}.shop_drops`)
})

/** Sends a list while the statements of the site may take so many milliseconds. */
async function listWithin(ms: number, query: string, headers: Record<string, string> = {}) {
  const limit = (value: number | null) =>
    app.sql('update sites set statement_timeout_ms = $1 where slug = $2', [value, 'slow'])
  await limit(ms)
  const answer = await app.request('GET', `${shop.data('drops')}?${query}`, {
    token: shop.owner.token,
    headers,
  })
  await limit(null)
  return answer
}

const tooSlow = (advice: string) => ({
  error: 'Query too slow',
  detail: `The list exceeded its time limit. What would be faster: ${advice}.`,
  code: 'query_too_slow',
})

/** A pattern that Postgres compares with every record. */
const slow = `kind__matches=${encodeURIComponent('(k|i|n|d).*(x|y|z)$')}`
const filter = 'a filter that finds fewer records'
const index = (...fields: string[]) =>
  `the index {"name":"by_${fields.join('_')}","fields":${JSON.stringify(fields)}} in the schema of "drops"`

/** The order is that of the index read backwards. */
const descending = index('kind', 'size').replace('}', ',"descending":["size"]}')

describe('a list that takes too long', () => {
  it.each([
    [
      slow,
      `the index {"name":"by_kind","fields":["kind"],"method":"trigram"} in the schema of "drops"; ` +
        `_total=none; ${filter}`,
    ],
    // There is an index of the only field whose order counts.
    [`size__gte=0&${slow}&_total=none`, filter],
    [
      'ordering=-kind,size&limit=1000&offset=150000',
      `${descending}; a cursor (after=) instead of the number of the page; _total=none; a filter`,
    ],
  ])('is 422, and names what would make it fast: %s', async (query, advice) => {
    const answer = await listWithin(40, query)
    expect([answer.status, answer.body]).toEqual([422, tooSlow(advice)])
    expect([answer.headers.get('x-error-code'), answer.headers.get('retry-after')]).toEqual([
      'query_too_slow',
      null,
    ])
  })

  it('is 422 as a stream, too', async () => {
    const { status, body } = await listWithin(40, slow, { accept: 'application/x-ndjson' })
    const advice = `an index that begins with the fields of the filter or of the order; ${filter}`
    expect([status, body]).toEqual([422, tooSlow(advice)])
  })

  it('is 503 if somebody cancels it: an operator, or a proxy', async () => {
    const release = await hold(app, `lock table ${shop.schema}.shop_drops`)
    const asking = app.request('GET', shop.data('drops'), { token: shop.owner.token })
    await untilWaiting(app)
    await app.sql(
      `select pg_cancel_backend(pid) from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`,
    )
    const answer = await asking
    await release()
    expect([answer.status, answer.body.code]).toEqual([503, 'unavailable'])
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
  })

  it('is not explained for somebody who sees as another person: only lists that succeed are in the audit log', async () => {
    const visitor = await app.user('visitor')
    await grant(app, shop, visitor, ['access_site'])
    const answer = await listWithin(40, slow, { 'x-view-as': String(visitor.id) })
    expect([answer.status, answer.body]).toEqual([422, tooSlow(`_total=none; ${filter}`)])
    expect(await app.sql(`select from audit_entries where kind = 'view_as'`)).toEqual([])
  })

  it('is 503 if it waits for a lock', async () => {
    const release = await hold(app, `lock table ${shop.schema}.shop_drops`)
    const answer = await listWithin(4_000, 'limit=1')
    await release()
    expect([answer.status, answer.body.code]).toEqual([503, 'unavailable'])
  })
})

describe('a list whose count takes too long', () => {
  /** Few records have it, so that the page is found at once, and all others are compared to count them. */
  const few = `${slow}&ordering=id&page_size=1`

  beforeAll(async () => {
    await app.sql(`insert into ${shop.schema}.shop_drops select n, 'kind x', 1 from generate_series(-3, 0) n`)
    await app.sql(
      `insert into ${shop.schema}.shop_drops select n, repeat('kind ', 4000), 1 from generate_series(200001, 220000) n`,
    )
    await app.sql(`vacuum analyze ${shop.schema}.shop_drops`)
  })

  it.each([
    ['', { total: expect.any(Number), total_is: 'estimated' }],
    ['&_total=estimated', { total: expect.any(Number), total_is: 'estimated' }],
    ['&_total=exact', { total: null, total_is: 'timeout' }],
  ])('is answered without it, and says so: %s', async (total, expected) => {
    const { status, body } = await listWithin(1_000, few + total)
    expect([status, body.data, { total: body.total, total_is: body.meta?.total_is }]).toEqual([
      200,
      [{ id: -3, kind: 'kind x', size: 1 }],
      expected,
    ])
    expect(body.meta).toMatchObject({ has_more: true, count: body.total })
  })
})
