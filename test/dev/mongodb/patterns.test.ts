import { describe, expect, it } from 'vitest'
import { patternFor } from '../../../mongodb/src/patterns.ts'

const matches = (by: string, value: string, text: string) => {
  const { regex, options } = patternFor(by, [value]) as { regex: string; options: string }
  return new RegExp(regex, `${options}u`.replace('u', '')).test(text)
}

describe('a comparison of texts', () => {
  it.each([
    ['like', '%a\\%b%', 'xa%by', true],
    ['like', '%a\\%b%', 'xaxby', false],
    ['like', 'a.%', 'a.b', true],
    ['like', 'a.%', 'axb', false],
    ['like', '%b', 'ab\n', false],
    ['like', '%\\\\', 'a\\', true],
    ['like', '%', 'anything', true],
    ['ilike', 'A%', 'ab', true],
    ['matches', '^a$', 'a\n', false],
    ['matches', '[$]', '$', true],
    ['matches', '\\$', '$', true],
    ['matches', '\\yred\\y', 'a red car', true],
    ['amongAnyCase', 'A|b', 'a|B', true],
    ['amongAnyCase', 'A|b', 'a', false],
  ])('%s %j on %j: %s', (by, value, text, is) => {
    expect(matches(by, value, text)).toBe(is)
  })
})
