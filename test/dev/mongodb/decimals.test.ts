import { describe, expect, it } from 'vitest'
import { decimalOf, floorOf, plainDecimal } from '../../../mongodb/src/decimals.ts'

describe('a number', () => {
  it.each([
    ['0', '0'],
    ['-0', '0'],
    ['-0.0', '0.0'],
    ['1.50', '1.50'],
    ['-12345678901234567890.10', '-12345678901234567890.10'],
    ['1e3', '1000'],
    ['1.5e-7', '0.00000015'],
    ['1e40', `1${'0'.repeat(40)}`],
    ['9999999999999999999999999999999999', '9999999999999999999999999999999999'],
  ])('%s comes back as %s', (text, written) => {
    expect(plainDecimal(decimalOf(text))).toBe(written)
  })

  it.each([
    ['1.5', '1.5', true],
    ['10000000000000000000000000000000000000000', `1${'0'.repeat(40)}`, true],
    ['12345678901234567890123456789012345', '12345678901234567890123456789012340', false],
    ['-12345678901234567890123456789012345', '-12345678901234567890123456789012350', false],
    ['1e-7000', '0', false],
  ])('the largest one that is not above %s is %s', (text, value, isExact) => {
    const floor = floorOf(text)
    expect([plainDecimal(floor.value).replace(/^0\.0*$/, '0'), floor.isExact]).toEqual([value, isExact])
  })

  it('beyond every one is above all, or below all', () => {
    expect(floorOf('1e7000').value.toString()).toBe('9.999999999999999999999999999999999E+6144')
    expect(floorOf('-1e7000').value.toString()).toBe('-Infinity')
  })
})
