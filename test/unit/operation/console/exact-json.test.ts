/** The digits of numbers that the console reads, shows and sends. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cellText } from '../../../../console/src/pages/data/cell-text.ts'
import { numberOf, parseExact } from '../../../../console/src/shared/exact-json.ts'
import { runs } from '../../../support/runs.ts'

describe('the console', () => {
  it.each(['49.90', '1.0', '-0', '1e22', '12345678901234567890', '0.12345678901234567890'])(
    'keeps the digits of %s when it reads, shows and sends it',
    (digits) => {
      const { price } = parseExact(`{"price": ${digits}}`) as { price: unknown }
      expect([cellText(price), String(price), JSON.stringify({ price })]).toEqual([
        digits,
        digits,
        `{"price":${digits}}`,
      ])
    },
  )

  it('takes a number as a plain one if no digit is lost, and leaves other texts', () => {
    expect(['12', '-4.5', '4,5', '05', ''].map(numberOf)).toEqual([12, -4.5, '4,5', '05', ''])
  })

  it('reads any JSON as JavaScript does', () => {
    const property = fc.property(fc.json(), (text) => {
      expect(JSON.parse(JSON.stringify(parseExact(text)))).toEqual(JSON.parse(text))
    })
    fc.assert(property, { numRuns: runs(100, 5_000) })
  })
})
