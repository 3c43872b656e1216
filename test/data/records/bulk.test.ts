/** Spec: bulk operations are all-or-nothing. R9: 10,000 records in a request. */
import { beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '../../support/app.ts'
import { createShop, type Shop } from '../../support/fixtures.ts'
import { timeLimit } from '../../support/time-limit.ts'

let app: TestApp
let shop: Shop
let token: string

const count = 10_000
const call = (method: string, path: string, body: unknown) =>
  app.request(method, `${shop.data('products')}${path}`, { token, body })
const upsert = (body: unknown) => call('POST', 'upsert/?unique_fields=sku', body)
const roundTrips = (answer: { headers: Headers }) =>
  /desc="(\d+)"/.exec(answer.headers.get('server-timing') ?? '')?.[1]
const records = (stock: number, prefix = 'B') =>
  Array.from({ length: count }, (_, index) => ({
    id: index + 1,
    sku: `${prefix}-${index}`,
    price: index / 100,
    stock: stock + index,
    maker_id: 1 + (index % 2),
    released_on: '2026-01-01',
  }))
const state = async () => {
  const [row] = await app.sql(
    `select count(*)::int, coalesce(sum(stock), 0)::bigint as stock, coalesce(max(xmin::text::bigint), 0) as newest from ${shop.schema}.shop_products`,
  )
  return row
}

beforeAll(async () => {
  app = await startApp()
  shop = await createShop(app, 'bulky')
  token = shop.owner.token
  await app.request('POST', shop.data('makers'), { token, body: [{ id: 1, name: 'Ostra' }, { id: 2, name: 'Kestrel' }] }) // biome-ignore format: rows
  expect((await call('POST', '', records(0))).status).toBe(201)
})

/** Measures a write of 10,000 records with 6 fields. */
async function timed(write: () => ReturnType<typeof call>) {
  const started = Date.now()
  const answer = await write()
  return { answer, milliseconds: Date.now() - started }
}

describe('10,000 records with 6 fields', () => {
  it('are changed by one PATCH, in one round trip and less than 5 seconds', async () => {
    const { answer, milliseconds } = await timed(() => call('PATCH', '', records(1)))
    expect([
      answer.status,
      answer.body.data.length,
      answer.body.data[9_999].stock,
      roundTrips(answer),
    ]).toEqual([200, count, 10_000, '1'])
    expect(milliseconds).toBeLessThan(await timeLimit(5000))
  })

  it('are changed and created by one upsert, in one round trip and less than 5 seconds', async () => {
    const changing = await timed(() => upsert(records(2)))
    expect([changing.answer.status, changing.answer.body.updated_count, roundTrips(changing.answer)]).toEqual(
      [200, count, '1'],
    )
    const mixed = records(3).map(({ id, stock: _, ...record }) =>
      id % 2 ? record : { ...record, sku: `N${record.sku}`, stock: 0 },
    )
    const creating = await timed(() => upsert(mixed))
    expect([
      creating.answer.status,
      creating.answer.body.updated_count,
      creating.answer.body.created_count,
    ]).toEqual([201, count / 2, count / 2])
    expect(Math.max(changing.milliseconds, creating.milliseconds)).toBeLessThan(await timeLimit(5000))
    expect(
      (
        await app.request(
          'DELETE',
          `${shop.data('products')}?filter={"sku__gte":"NB"}&expect=${count / 2}&hard_delete=true`,
          { token },
        )
      ).body,
    ).toEqual({
      deleted: count / 2,
    })
  })

  it('are not written at all if the last one is invalid', async () => {
    const before = await state()
    const last = (record: object) => [...records(7).slice(0, -1), record]
    const answers = [
      await call('PATCH', '', last({ id: count + 1, stock: 1 })),
      await call('PATCH', '', last({ id: count, maker_id: 9 })),
      await upsert(last({ sku: 'NEW-1', maker_id: 9 })),
      await upsert(last({ sku: 'B-0' })),
    ]
    expect(answers.map(({ status }) => status)).toEqual([404, 400, 400, 400])
    for (const { body } of answers) expect(body.detail ?? body.details.sku[0]).toMatch(/^rows\[9999\]: /)
    expect(await state()).toEqual(before)
  })
})

describe('a write of many records', () => {
  it('is complete or without effect if Postgres ends the connection during the write', async () => {
    const many = 1500
    const some = (stock: number, prefix: string) => records(stock, prefix).slice(0, many)
    const withoutId = (all: ReturnType<typeof records>) => all.map(({ id: _, ...record }) => record)
    const sum = (stock: number) => many * stock + (many * (many - 1)) / 2
    const before = { count: many, stock: sum(0) }
    const writes: [status: number, after: typeof before, write: () => ReturnType<typeof call>][] = [
      [200, { count: many, stock: sum(1) }, () => call('PATCH', '', some(1, 'B'))],
      [200, { count: many, stock: sum(2) }, () => upsert(withoutId(some(2, 'B')))],
      [201, { count: 2 * many, stock: sum(0) + sum(3) }, () => upsert(withoutId(some(3, 'C')))],
      [201, { count: 2 * many, stock: sum(0) + sum(4) }, () => call('POST', '', withoutId(some(4, 'C')))],
      [200, { count: 0, stock: 0 }, () => call('DELETE', '?all=true&hard_delete=true', undefined)],
    ]
    const statuses: number[] = []
    // Repeats until some writes were interrupted. How long a write takes depends on the machine.
    const isMet = () => statuses.length >= 2 * writes.length && statuses.includes(503)
    for (let round = 0; round < 80 && !isMet(); round++) {
      const [status, after, write] = writes[round % writes.length] as (typeof writes)[number]
      await app.sql(`delete from ${shop.schema}.shop_products`)
      await call('POST', '', some(0, 'B'))
      let done = false
      const writing = write().finally(() => {
        done = true
      })
      while (!done && (await endWrites()) === 0);
      const answer = await writing
      statuses.push(answer.status)
      expect([status, 503]).toContain(answer.status)
      const [row] = await app.sql(
        `select count(*)::int, coalesce(sum(stock), 0)::int as stock from ${shop.schema}.shop_products`,
      )
      expect(answer.status === status ? [after] : [before, after]).toContainEqual(row)
    }
    expect(statuses).toContain(503)
  }, 60_000)
})

/** Ends the connections that execute a write, after a short random time. Returns their number. */
async function endWrites(): Promise<number> {
  const ended = await app.sql(
    `select pg_terminate_backend(pid) from pg_stat_activity, pg_sleep(random() * 0.02)
      where datname = current_database() and state = 'active' and query like '%run_in_site%' and pid <> pg_backend_pid()`,
  )
  return ended.length
}
