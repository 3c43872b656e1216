/** Cells of a spreadsheet that are pasted into the grid: read in the form of their column, or refused. */
import { describe, expect, it } from 'vitest'
import type { Operator } from '../../../../console/src/pages/data/operators.ts'
import { pastedRecords } from '../../../../console/src/pages/data/paste.ts'
import { filterText, filterValue, valueOfText } from '../../../../console/src/pages/data/values.ts'
import type { Field } from '../../../../console/src/session/queries.ts'

const fields = [
  { name: 'size', type: 'number' },
  { name: 'open', type: 'boolean' },
  { name: 'day', type: 'date' },
  { name: 'tags', type: 'array' },
  { name: 'note', type: 'string' },
] as Field[]
const records = [{ id: 7 }, { id: 8 }]

const paste = (text: string, of = fields) =>
  JSON.parse(JSON.stringify(pastedRecords(text, records, of, ['id'])))

describe('cells that are pasted', () => {
  it.each([
    ['12.5.1\t', '1: column 1 (size): "12.5.1" is not a number.'],
    ['\tmaybe', '1: column 2 (open): "maybe" is neither true, True, TRUE, 1 nor false, False, FALSE, 0.'],
    [
      '\tTRUE\n\tmaybe',
      '2: column 2 (open): "maybe" is neither true, True, TRUE, 1 nor false, False, FALSE, 0.',
    ],
    ['\t\t03/04/2026', '1: column 3 (day): "03/04/2026" is not a date, for example 2026-01-31.'],
    ['1,234', '1: column 1 (size): "1,234" is not a number.'],
    [
      '\t\t\t{"a":1,"a":2}',
      '1: column 4 (tags): "{\\"a\\":1,\\"a\\":2}" cannot be read. The name "a" is repeated in one object.',
    ],
  ])('are refused if one cannot be read, or in two ways: %j', (text, problem) => {
    expect(() => paste(text)).toThrow(new SyntaxError(problem))
  })

  it('have the form of their column, and an empty one means no value', () => {
    expect(paste('1.234,50\tja\t31.12.1999\t["x"]\tja\n0,5\tNein\t01.02.2000\t\t\nbeyond')).toEqual([
      { id: 7, size: 1234.5, open: true, day: '1999-12-31', tags: ['x'], note: 'ja' },
      { id: 8, size: 0.5, open: false, day: '2000-02-01', tags: null, note: null },
    ])
    expect(paste('1.50\tTRUE\n-3\tFALSE\t\t\tx\ty')).toEqual([
      { id: 7, size: 1.5, open: true },
      { id: 8, size: -3, open: false, day: null, tags: null, note: 'x' },
    ])
  })
})

describe('a text that is typed for a value', () => {
  it.each([
    ['number', '49.90', '49.90'],
    ['number', ' 007 ', '7'],
    ['number', '12345678901234567890', '12345678901234567890'],
    ['number', '1e400', '1e400'],
    ['integer', '12', '12'],
    ['integer', '9223372036854775807', '"9223372036854775807"'],
    ['number', '', 'null'],
    ...['   ', '0x10', '0b11', '12,5', '1.2.3', 'Infinity', 'NaN'].flatMap((text) =>
      ['number', 'integer'].map((type) => [type, text, JSON.stringify(text.trim())]),
    ),
  ] as [string, string, string][])('of the type %s, "%s", is sent as %s', (type, text, sent) => {
    expect(JSON.stringify(valueOfText({ name: 'price', type }, text))).toBe(sent)
  })
})

describe('a list that is typed for a filter', () => {
  const list = { entry: 'list' } as Operator
  it.each<[string, unknown[]]>([
    ['a, b ,c', ['a', 'b', 'c']],
    ['"Saw, long", Drill', ['Saw, long', 'Drill']],
    ['"5"" screen",7" screen', ['5" screen', '7" screen']],
    ['" a ","', [' a ', '"']],
    ['', [null]],
  ])('%s has the values %j, and is shown so that it can be read again', (text, values) => {
    const field = { name: 'title', type: 'string' }
    expect(filterValue(field, list, text)).toEqual(values)
    const texts = values.map((value) => value ?? '')
    expect(filterValue(field, list, filterText(texts))).toEqual(values)
  })
})
