/** What the masks of secrets hide in the output of functions. */
import { describe, expect, it } from 'vitest'
import { masker } from '../../../../../src/runtime/functions/runners/masks.ts'

const hidden = '***HIDDEN***'
const long = Array.from({ length: 60 }, (_, n) => `word${n}`).join(' ')

describe('the masks of secrets', () => {
  it('change nothing without values, and do not hide texts with fewer than four characters', () => {
    expect(masker([])('key')).toBe('key')
    expect(masker([{ region: 'eu', on: true, none: null, port: 44 }])('eu true null 44')).toBe(
      'eu true null 44',
    )
  })

  it.each<[what: string, value: unknown, text: string, masked: string]>([
    ['a text', { v: 'sk_live_1' }, 'a sk_live_1 b', `a ${hidden} b`],
    ['a text that occurs twice in a row', { v: 'abcd' }, 'x abcdabcd abcd', `x ${hidden} ${hidden}`],
    ['a long text', { v: long }, `a ${long} b`, `a ${hidden} b`],
    ['a number', { v: 12345 }, '{"v":12345}', `{"v":${hidden}}`],
    ['texts that are deeply nested', { a: [{ b: ['deep-1'] }] }, 'deep-1', hidden],
    ['a text in JSON', { v: 'a"b\nc' }, JSON.stringify({ v: 'a"b\nc' }), `{"v":"${hidden}"}`],
    ['a text in a URL', { v: 'p@ss word' }, `?q=${encodeURIComponent('p@ss word')}`, `?q=${hidden}`],
    [
      'the longer one of two texts with the same beginning',
      { a: 'token', b: 'token-long' },
      'token-long',
      hidden,
    ],
    ['a text with lone surrogates', { v: 'abc\ud800' }, 'abc\ud800', hidden],
  ])('hide %s', (_what, value, text, masked) => {
    expect(masker([value])(text)).toBe(masked)
  })

  it('are fast for the largest values and logs', () => {
    const values = Array.from({ length: 20 }, (_, n) =>
      Object.fromEntries(Array.from({ length: 1_000 }, (_, m) => [`k${m}`, `value ${n} ${m} of a secret`])),
    )
    const text = 'value 19 x '.repeat(24_000)
    expect(masker(values)(text)).toBe(text)
  }, 20_000)
})
