/** Compares the responses of peers. */
import { describe, expect, it } from 'vitest'
import { difference } from '../../../bench/side-by-side/equality.ts'

const rows = (...values: object[]) => ({ rows: values.map((value) => ({ ...value })) })

describe('two responses are different', () => {
  it('if a value differs', () => {
    expect(difference('get', rows({ id: 1, price: 2 }), rows({ id: 1, price: 3 }))).toBe(
      '…{"rows":["{\\"id\\":1,\\"price\\":2}"]}\n…{"rows":["{\\"id\\":1,\\"price\\":3}"]}',
    )
  })

  it('if a column is missing', () => {
    expect(difference('get', rows({ id: 1, note: null }), rows({ id: 1 }))).toBeDefined()
  })

  it('if the order of a list differs', () => {
    expect(difference('list', rows({ id: 1 }, { id: 2 }), rows({ id: 2 }, { id: 1 }))).toBeDefined()
  })

  it('if a requested total differs', () => {
    const [one, other] = [
      { ...rows(), total: 1 },
      { ...rows(), total: 2 },
    ]
    expect(difference('list-total', one, other)).toBeDefined()
    expect(difference('list', one, other)).toBeUndefined()
  })
})

describe('two responses are the same despite different', () => {
  it.each([
    ['forms of a number: JSON or text', { price: 12.5, id: 7 }, { price: '12.50', id: '7' }],
    ['forms of a time in UTC', { at: '2026-01-01T00:00:00Z' }, { at: '2026-01-01T00:00:00+00:00' }],
    ['orders of properties, at any depth', { a: { b: 1, c: 2 } }, { a: { c: 2, b: 1 } }],
  ])('%s', (_, one, other) => {
    expect(difference('get', rows(one), rows(other))).toBeUndefined()
  })

  it('orders and keys of the rows of a write', () => {
    const one = rows({ id: 1, sku: 'a' }, { id: 2, sku: 'b' })
    expect(difference('bulk', one, rows({ id: 8, sku: 'b' }, { id: 9, sku: 'a' }))).toBeUndefined()
  })
})
