/** Merging what several sites have found, without a database. */
import { describe, expect, it } from 'vitest'
import { mergePages, mergeTotals } from '../../../../src/data/across-sites/merge.ts'
import type { Order } from '../../../../src/data/query/plan/order.ts'
import type { ListRow } from '../../../../src/data/query/render/render-list.ts'
import { noLines } from '../../../../src/data/query/render/render-text.ts'
import { type Sql, sql } from '../../../../src/kernel/db/sql.ts'
import { sumOf } from '../../../../src/kernel/lib/exact-json.ts'

const order = (type: Sql, descending = false, nullsFirst = false) =>
  ({ by: 'value', type, descending, nullable: true, nullsFirst }) as Order
const row = (keys: (string | null)[][], more: Partial<ListRow> = {}): ListRow => ({
  data: keys.map((key) => `${JSON.stringify(key)}\n`).join('') || noLines,
  found: keys.length,
  counted: null,
  ends: keys,
  ...more,
})
const found = (rows: ListRow[]) => rows.map((row, at) => ({ site: { id: at + 1, slug: `s${at + 1}` }, row }))

describe('pages of several sites', () => {
  it.each([
    [sql`bigint`, ['-10', '-9', '2', '10', '9007199254740993', '9007199254740994']],
    [sql`numeric`, ['-1.5', '-1.25', '0', '0.5', '1.0000000000000000000001', '12']],
    [sql`text`, ['', 'A', 'a', 'ab', 'Ü', '\uD7FF', '\uE000', '\uFFFD', '\u{1F600}', '\u{10FFFF}']],
    [sql`date`, ['0001-01-01', '1999-12-31', '2026-01-05', '9999-12-31']],
    [sql`timestamptz`, ['2026-01-05 08:00:00+00', '2026-01-05 08:00:00.5+00', '2026-01-05 08:00:00.51+00']],
    [sql`boolean`, ['false', 'true']],
  ])('are in the order of Postgres: %#', (type, sorted) => {
    const mixed = [
      row(sorted.filter((_, at) => at % 2).map((v) => [v])),
      row(sorted.filter((_, at) => !(at % 2)).map((v) => [v])),
    ]
    const values = (by: Order) => mergePages(found(mixed), { order: [by] }).map(({ keys: [value] }) => value)
    expect(values(order(type))).toEqual(sorted)
    expect(values(order(type, true))).toEqual(sorted.toReversed())
  })

  it('place records without a value, and those with equal values by their site', () => {
    const rows = found([row([['a'], [null]]), row([['a'], [null]]), row([])])
    const merged = (by: Order) =>
      mergePages(rows, { order: [by] }).map(({ site, keys }) => [keys[0], site.id])
    const last = [
      ['a', 1],
      ['a', 2],
      [null, 1],
      [null, 2],
    ]
    expect(merged(order(sql`text`))).toEqual(last)
    expect(merged(order(sql`text`, true, true))).toEqual([...last.slice(2), ...last.slice(0, 2)])
  })
})

describe('totals of several sites', () => {
  const totalOf = (counts: ListRow['counted'][]) =>
    mergeTotals(found(counts.map((counted) => row([['a']], { counted, found: 2 }))), {
      total: undefined,
      limit: 1,
    })
  const exact = { total: 2, is: 'exact' } as const

  it('are as exact as the least exact one, and unknown if one is', () => {
    expect(totalOf([exact, exact])).toEqual({ total: 4, is: 'exact', hasMore: true })
    expect(totalOf([exact, { total: 70_000, is: 'estimated' }])).toMatchObject({
      total: 70_002,
      is: 'estimated',
    })
    expect(totalOf([{ total: null, is: 'timeout' }, exact])).toMatchObject({ total: null, is: 'timeout' })
    expect(totalOf([])).toEqual({ total: 0, is: 'exact', hasMore: false })
  })

  it('of numbers are exact', () => {
    expect(sumOf(['9007199254740993', '10.5', '-1'])).toBe('9007199254741002.5')
    expect(sumOf(['0.1', '0.2'])).toBe('0.3')
    expect(sumOf(['-0.25', '0.125', '1e3', '2.5E-2'])).toBe('999.900')
    expect(sumOf(['-0.5'])).toBe('-0.5')
    expect(sumOf(['5', '-5'])).toBe('0')
  })
})
