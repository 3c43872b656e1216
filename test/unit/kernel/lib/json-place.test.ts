/** The column of the error in a line that is not JSON. */
import { describe, expect, it } from 'vitest'
import { faultInLine } from '../../../../src/kernel/lib/json-place.ts'

describe('a line that is not JSON', () => {
  it.each([
    ['', 1],
    ['{', 2],
    ['{"a":}', 6],
    ['{"a":1,}', 8],
    ['{"a":tru}', 9],
    ['{"a":truly}', 9],
    ['{"a":"x', 8],
    ['{"a":1} {"b":2}', 9],
    ['{"a":1},{"b":2}', 8],
    ['{"a":01}', 7],
    [`{"a":"${'x'.repeat(500)}",,}`, 509],
    ["{'a':1}", 2],
    ['nul', 4],
  ])('%j has its error in column %i', (line, column) => {
    expect(faultInLine(line)).toEqual({ column, reason: expect.not.stringMatching(/is not valid JSON/) })
  })

  it('has no column if the line is very long', () => {
    expect(faultInLine('{'.repeat(100_001))).toEqual({ column: undefined, reason: expect.any(String) })
  })

  it('is not reported for valid JSON', () => {
    expect(faultInLine('{"a": [1, null]} \r')).toBe(undefined)
  })
})
