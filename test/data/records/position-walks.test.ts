/**
 * Walks through a large table with cursors: how many rows they read, and what they return while others write.
 */
import { beforeAll, describe, expect, it } from 'vitest'
import type { Table } from '../../../src/data/model/table.ts'
import { renderList } from '../../../src/data/query/render/render-list.ts'
import { sql } from '../../../src/kernel/db/sql.ts'
import { startApp, type TestApp } from '../../support/app.ts'
import { createShop, type Shop } from '../../support/fixtures.ts'
import { planOf } from '../../support/queries.ts'
import { runs } from '../../support/runs.ts'
import { scaled } from '../../support/scaled.ts'
import { tablesOf } from '../../support/tables.ts'
import { runInSite } from '../../support/tenant.ts'
import { until } from '../../support/until.ts'

let app: TestApp
let shop: Shop
let table: Table

const count = runs(20_000, 200_000)
const readings = {
  name: 'readings',
  schema: {
    fields: [
      { name: 'id', type: 'integer' },
      { name: 'score', type: 'integer' },
      { name: 'kind', type: 'string' },
    ],
    primaryKey: 'id',
    indexes: [{ name: 'by_score', fields: ['score', 'id'] }],
  },
}

/** The number of records of a walk. One in 20 is deleted during the walk. */
const walked = runs(2_000, 200_000)
const steps = { ...readings, name: 'steps' }

beforeAll(async () => {
  app = await startApp()
  shop = await createShop(app, 'walkers', { resources: [readings, steps] })
  for (const [name, length] of [
    ['readings', count],
    ['steps', walked],
  ] as const) {
    await app.sql(`insert into ${shop.schema}.shop_${name} (id, score, kind)
      select n, case when n % 10 > 0 then n % 1000 end, case when n % 20 = 1 then 'goes' else 'stays' end
        from generate_series(1, ${length}) n`)
    await app.sql(`analyze ${shop.schema}.shop_${name}`)
  }
  table = tablesOf([readings], Number(shop.schema.slice('site_'.length))).get('readings') as Table
})

describe('a page at a cursor', () => {
  /** Returns how many rows of the table the scans have read for a page. */
  async function rowsRead(query: string, values: (string | null)[]): Promise<number> {
    const position = { types: values.map(() => 'bigint'), values }
    const keyset = { parameter: 'after' as const, position }
    const list = renderList(planOf(table, new Map(), `${query}&page_size=20&_total=none`, keyset))
    const explained = await runInSite(app, shop, [sql`explain (analyze, format json) ${list}`])
    let read = 0
    const visit = (node: unknown): void => {
      if (typeof node !== 'object' || node === null) return
      const one = node as Record<string, unknown>
      if (one['Relation Name'] === 'shop_readings')
        read += Number(one['Actual Rows']) + Number(one['Rows Removed by Filter'] ?? 0)
      for (const member of Object.values(one)) visit(member)
    }
    visit(explained.rows(0))
    return read
  }

  it.each([
    ['ordering=id', [String(count - 100)]],
    ['ordering=score', ['500', String(count / 2)]],
    ['ordering=score', [null, String(count / 2)]],
    ['ordering=-score,-id', ['3', String(count / 2)]],
    ['ordering=-score,-id', [null, String(count / 2)]],
    ['ordering=-score,-id', ['999', '1']],
  ])('reads only its own rows, however far it is from the beginning: %s after %j', async (query, values) => {
    // One row more tells whether there is a next page. Null values are read by a scan of their own.
    expect(await rowsRead(query, values)).toBeLessThanOrEqual(2 * 21 + 1)
  })
})

describe('a walk while others write', () => {
  it('returns every record that exists all the time exactly once', { timeout: scaled(180_000) }, async () => {
    const { token } = shop.owner
    const path = shop.data('steps')
    const send = (method: string, at: string, body?: unknown) => app.request(method, at, { token, body })
    let isOver = false
    let written = 0

    /**
     * Creates and deletes its own records at places all over the order, and deletes some of the records that
     * go.
     */
    async function write(writer: number): Promise<void> {
      for (let round = 0; !isOver; round++) {
        const first = walked + 1 + (writer * 100_000 + round) * 5
        const ids = Array.from({ length: 5 }, (_, index) => first + index)
        const body = ids.map((id) => ({ id, score: (id * 37) % 1000 || null, kind: 'new' }))
        const going = ((writer + round * 10) * 20 + 1) % walked
        expect((await send('POST', path, body)).status).toBe(201)
        expect((await send('DELETE', `${path}?ids=${[...ids.slice(1), going].join()}`)).status).toBe(200)
        written++
      }
    }

    /**
     * Walks through the table, with at least one write after the first page. Returns how often each record
     * that stays was returned.
     */
    async function walk(ordering: string): Promise<number[]> {
      const seen = new Map<number, number>()
      const before = written
      for (let cursor: string | null = ''; cursor !== null; ) {
        const size = runs(100, 1000)
        const query = `ordering=${ordering}&page_size=${size}&fields=id,kind&_total=none&after=${cursor}`
        const { status, body } = await send('GET', `${path}?${query}`)
        expect(status).toBe(200)
        for (const { id, kind } of body.data) if (kind === 'stays') seen.set(id, (seen.get(id) ?? 0) + 1)
        cursor = body.meta.next
        await until(
          () => written > before,
          () => 'a write during the walk',
        )
      }
      return [...seen.values()]
    }

    const writers = Array.from({ length: runs(3, 10) }, (_, writer) => write(writer))
    try {
      for (const ordering of ['score', '-score.nullsfirst']) {
        const times = await walk(ordering)
        expect([times.length, times.filter((each) => each !== 1)]).toEqual([(walked * 19) / 20, []])
      }
    } finally {
      isOver = true
      await Promise.all(writers)
    }
  })
})
