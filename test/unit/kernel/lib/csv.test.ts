/** Writing and reading CSV. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CsvFault, csvLine, csvRows } from '../../../../src/kernel/lib/csv.ts'

const read = (text: string) => [...csvRows(text)]
const faultOf = (text: string): unknown => {
  try {
    read(text)
  } catch (error) {
    const { line, column, message } = error as CsvFault
    expect(error).toBeInstanceOf(CsvFault)
    return [line, column, message]
  }
  return undefined
}

describe('text that is not CSV', () => {
  it.each([
    ['a,"b', [1, 2, 'A quote is not closed.']],
    ['a\r\n1,2,"x"y\r\n', [2, 3, expect.stringMatching(/^A closing quote must be/)]],
    ['a\n"l1\nl2",b"c\n', [3, 2, expect.stringMatching(/^A value without quotes contains a quote/)]],
    ['a\rb', [1, 1, expect.stringMatching(/^A carriage return stands alone/)]],
    ['"a"\rb', [1, 1, expect.stringMatching(/^A carriage return stands alone/)]],
  ])('%j returns its error with line and column', (text, fault) => {
    expect(faultOf(text)).toEqual(fault)
  })
})

describe('rows of CSV', () => {
  it.each([
    ['', []],
    ['a', [{ line: 1, values: ['a'] }]],
    ['a,\n', [{ line: 1, values: ['a', null] }]],
    ['a,', [{ line: 1, values: ['a', null] }]],
    [
      '"a","b\r\nc"\r\n,""\r\n',
      [
        { line: 1, values: ['a', 'b\r\nc'] },
        { line: 3, values: [null, ''] },
      ],
    ],
    [
      'a\n\n" b ""c"" "\n',
      [
        { line: 1, values: ['a'] },
        { line: 2, values: [null] },
        { line: 3, values: [' b "c" '] },
      ],
    ],
  ])('are read from %j', (text, rows) => {
    expect(read(text)).toEqual(rows)
  })

  it('are read as they were written', () => {
    const value = fc.string({
      unit: fc.constantFrom('a', ',', '"', '\r', '\n', ' ', 'ä', '😀'),
      minLength: 1,
    })
    fc.assert(
      fc.property(fc.array(fc.array(value, { minLength: 1 })), (rows) => {
        expect(read(rows.map(csvLine).join('')).map(({ values }) => values)).toEqual(rows)
      }),
    )
  })

  it('are read from any text, or an error is returned', () => {
    const unit = fc.constantFrom('a', ',', '"', '\r', '\n')
    fc.assert(fc.property(fc.string({ unit }), (text) => void faultOf(text)))
  })
})
