/** The directive `max-age` of Cache-Control, with which a request allows old answers. RFC 9111. */
import { describe, expect, it } from 'vitest'
import { ageMaxOf } from '../../../../src/kernel/http/age.ts'

describe('the Cache-Control of a request', () => {
  it.each([
    undefined,
    '',
    'max-age',
    'max-age=',
    'max-age=soon',
    'max-age=-1',
    'max-age=1.5',
    'max-age=12345678901',
    'max-age=5, max-age=50',
    'no-cache, max-age=30',
    'max-age=30, No-Store',
    'max-stale=30',
    'x-max-age=30',
  ])('%j allows no old answers', (value) => {
    expect(ageMaxOf(value)).toBe(0)
  })

  it.each([
    ['max-age=0', 0],
    ['max-age=30', 30],
    ['Max-Age=30', 30],
    ['max-age="30"', 30],
    ['  no-transform ,max-age=3600 ', 3600],
  ])('%j allows answers that are up to %d seconds old', (value, seconds) => {
    expect(ageMaxOf(value)).toBe(seconds)
  })
})
