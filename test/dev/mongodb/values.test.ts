/** Values of fields as BSON. */
import { describe, expect, it } from 'vitest'
import { withMisfits } from '../../../mongodb/src/misfits.ts'
import { encode, encoders, positionText } from '../../../mongodb/src/values.ts'
import { fieldTypes } from '../../../src/data/model/field-types.ts'

describe('a type of fields with a column of its own', () => {
  it('has a form in BSON, without which its values would be compared as texts', () => {
    expect([...fieldTypes.keys()].filter((name) => !Object.hasOwn(encoders, name))).toEqual([])
  })
})

describe('a time of others that has no text', () => {
  const fieldsOf = (type: string) => [{ name: 'since', path: 'since', type }]

  it.each([
    ['date', -62135596800001],
    ['date', 253402300800000],
    ['datetime', 253402300800000],
    ['datetime', -62135596800001],
  ])('is that of its milliseconds in a field of the type %s, and told: %d', (type, ms) => {
    const since = new Date(ms)
    expect(JSON.parse(withMisfits({ since }, fieldsOf(type)))).toEqual({
      since: String(ms),
      _misfits: { since: 'The document has a value of the type time out of the years 1 to 9999.' },
    })
    expect(encode(type, positionText(type, since))).toEqual(since)
  })

  it('is told beyond the range of the driver, inside of objects too, and is no position', () => {
    const since = new Date(Number.NaN)
    const text = withMisfits({ since }, fieldsOf('datetime'))
    expect(JSON.parse(text).since).toBe('out of range')
    expect(withMisfits({ since: { at: since } }, fieldsOf('object'))).toBe('{"since":{"at": "out of range"}}')
    const ended = 'This page ends at a time that cannot be read. Sort by another field.'
    expect(() => encode('datetime', positionText('datetime', since))).toThrow(ended)
  })
})
