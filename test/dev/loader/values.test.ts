/** Converts the values of files to those that the service accepts. */
import { describe, expect, it } from 'vitest'
import { CellNumber } from '../../../dev/loader/rows/cells.ts'
import { convertValue } from '../../../dev/loader/values.ts'

const convert = (field: object, value: unknown): string => {
  try {
    return JSON.stringify(convertValue({ field: { ...field }, missing: new Set(['', '-']) }, value))
  } catch (error) {
    return (error as Error).message
  }
}

describe('the loader refuses a text', () => {
  it.each([
    [{ type: 'integer' }, '1.5', '"1.5" is not a whole number. The type of its field could be "number".'],
    [{ type: 'integer' }, 'x', '"x" is not a whole number.'],
    [
      { type: 'number' },
      '1,250.5',
      '"1,250.5" is not a number. If the comma separates thousands, set "groupChar": "," of the field; ' +
        'if decimals, "decimalChar": ",".',
    ],
    [
      { type: 'number' },
      '12 kg',
      '"12 kg" is not a number. If the number has a unit, set "bareNumber": false for the field.',
    ],
    [{ type: 'number' }, 'NaN', '"NaN" cannot be stored. Add it to "missingValues" to load it as no value.'],
    [
      { type: 'boolean' },
      'ja',
      '"ja" is neither true, True, TRUE, 1 nor false, False, FALSE, 0. Other words are named by ' +
        '"trueValues" and "falseValues" of the field.',
    ],
    [
      { type: 'date' },
      '31.12.1999',
      '"31.12.1999" is not a date, for example 2026-01-31. Another form is named by the "format" of the ' +
        'field, for example "%d.%m.%Y".',
    ],
    [
      { type: 'date', format: 'any' },
      '1999-12',
      '"1999-12" is not a date of the format any. It has no day: declare the type "yearmonth".',
    ],
    [
      { type: 'date', format: '%d.%m.%Y' },
      '1999-12-31',
      '"1999-12-31" is not a date of the format %d.%m.%Y.',
    ],
    [{ type: 'object' }, '{a}', '"{a}" is not JSON.'],
    [
      { type: 'object' },
      '{"a":1,"a":2}',
      '"{\\"a\\":1,\\"a\\":2}" cannot be read. The name "a" is repeated in one object.',
    ],
  ])('of a field %j: %j', (field, text, message) => {
    expect(convert(field, text)).toBe(message)
  })
})

describe('the loader converts a value', () => {
  it.each([
    [{ type: 'string' }, '', 'null'],
    [{ type: 'number' }, '-', 'null'],
    [{ type: 'string' }, '007', '"007"'],
    [{ type: 'integer' }, '9223372036854775807', '9223372036854775807'],
    [{ type: 'integer' }, '+007', '7'],
    [{ type: 'integer', groupChar: ' ' }, '1 000', '1000'],
    [{ type: 'number' }, '0.1000000000000000055511151231257827', '0.1000000000000000055511151231257827'],
    [{ type: 'number' }, '1.50', '1.50'],
    [{ type: 'number' }, '+.5', '0.5'],
    [{ type: 'number' }, '1e22', '1e22'],
    [{ type: 'number', decimalChar: ',', groupChar: '.' }, '1.250,50', '1250.50'],
    [{ type: 'number', bareNumber: false }, '€ 12.30 each', '12.30'],
    [{ type: 'boolean', trueValues: ['ja'], falseValues: ['nein'] }, 'nein', 'false'],
    [{ type: 'date', format: '%d.%m.%Y' }, '31.12.1999', '"1999-12-31"'],
    [{ type: 'date', format: '%m/%d/%y' }, '1/2/69', '"1969-01-02"'],
    [{ type: 'date', format: 'any' }, '3 Oct 2024', '"2024-10-03"'],
    [{ type: 'date', format: '%Y-%j' }, '2024-366', '"2024-12-31"'],
    [{ type: 'time', format: '%I:%M %p' }, '12:05 am', '"00:05:00"'],
    [{ type: 'datetime' }, '2024-01-01 10:00:00', '"2024-01-01T10:00:00Z"'],
    [{ type: 'datetime' }, '2024-01-01T10:00:00.5+0130', '"2024-01-01T10:00:00.5+01:30"'],
    [{ type: 'datetime', format: '%Y-%m-%d %H.%M.%S' }, '2024-01-01 10.00.01', '"2024-01-01T10:00:01Z"'],
    [{ type: 'list', itemType: 'integer', delimiter: ';' }, '1;2', '[1,2]'],
    [{ type: 'object' }, '{"a": 1.50}', '{"a":1.50}'],
    [{ type: 'geopoint' }, '13.4 ,  52.5', '"13.4, 52.5"'],
    [{ type: 'string' }, new CellNumber('20146'), '"20146"'],
    [{ type: 'number' }, new CellNumber('1.10'), '1.10'],
  ])('of a field %j: %j becomes %s', (field, value, json) => {
    expect(convert(field, value)).toBe(json)
  })
})
